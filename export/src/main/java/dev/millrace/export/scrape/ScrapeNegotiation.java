package dev.millrace.export.scrape;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code Accept} header leads to.
 *
 * <p>The rules are those of RFC 9110, section 12.5.1: the most exact range that names a format
 * gives its weight, the greatest weight wins, and 0 refuses. Between equal weights the range that
 * the client wrote first wins, as in Prometheus' own library, and within one range the format that
 * the server would rather send. A range with an unknown version names nothing. Where nothing fits,
 * or there is no header at all, the answer is the format that every scraper reads, and not 406.
 *
 * @param format what to write
 */
public record ScrapeNegotiation(ScrapeFormat format) {
  /** What the server can write, the one it would rather send first. */
  private static final List<ScrapeFormat> OFFERED =
      List.of(ScrapeFormat.TEXT_0_0_4, ScrapeFormat.OPENMETRICS_1_0_0);

  /**
   * Reads a header. Never throws, whatever the header holds, and reads a bounded part of it.
   *
   * @param accept all lines of the header joined by commas, or {@code null} where there is none
   */
  public static ScrapeNegotiation of(@Nullable String accept) {
    List<WeightedElement> ranges = WeightedElement.parse(accept);
    ScrapeFormat best = ScrapeFormat.TEXT_0_0_4;
    int bestWeightMillis = 0;
    int bestPosition = Integer.MAX_VALUE;
    for (ScrapeFormat format : OFFERED) {
      int position = mostExact(ranges, format);
      int weightMillis = position < 0 ? 0 : ranges.get(position).weightMillis();
      if (weightMillis > bestWeightMillis
          || (weightMillis == bestWeightMillis && weightMillis > 0 && position < bestPosition)) {
        best = format;
        bestWeightMillis = weightMillis;
        bestPosition = position;
      }
    }
    return new ScrapeNegotiation(best);
  }

  /** The position of the range that names a format most exactly, the first of such; or -1. */
  private static int mostExact(List<WeightedElement> ranges, ScrapeFormat format) {
    int best = -1;
    int bestSpecificity = -1;
    for (int i = 0; i < ranges.size(); i++) {
      int specificity = format.specificity(ranges.get(i));
      if (specificity > bestSpecificity) {
        best = i;
        bestSpecificity = specificity;
      }
    }
    return best;
  }
}
