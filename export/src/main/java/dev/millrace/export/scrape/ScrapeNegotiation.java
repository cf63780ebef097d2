package dev.millrace.export.scrape;

import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code Accept} header leads to.
 *
 * <p>The rules are those of RFC 9110, section 12.5.1: the most exact range that names a format
 * gives its weight, the greatest weight wins, and 0 refuses. Between equal weights the range that
 * the client wrote first wins, as in Prometheus' own library, and within one range the format that
 * the server would rather send. A range with an unknown version names nothing, and so does one for
 * protobuf that lacks {@code proto=io.prometheus.client.MetricFamily} or {@code
 * encoding=delimited}. Where nothing fits, or there is no header at all, the answer is the format
 * that every scraper reads, and not 406.
 *
 * <p>The escaping is the one that the winning range asks for, in any format; {@link
 * EscapingScheme#UNDERSCORES} where it asks for none, or for one that is not known (Prometheus
 * documentation, "Scrape protocol content negotiation").
 *
 * @param format what to write
 * @param escaping how to write names
 */
public record ScrapeNegotiation(PrometheusFormat format, EscapingScheme escaping) {
  /**
   * What the server can write, the one it would rather send first: a client that takes anything is
   * a person, and one that takes any version gets the newest that it is sure to read.
   */
  private static final List<PrometheusFormat> OFFERED =
      List.of(
          PrometheusFormat.TEXT_0_0_4,
          PrometheusFormat.OPEN_METRICS_1_0_0,
          PrometheusFormat.OPEN_METRICS_0_0_1,
          PrometheusFormat.TEXT_1_0_0,
          PrometheusFormat.PROTOBUF);

  private static final ScrapeNegotiation LAST_RESORT =
      new ScrapeNegotiation(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);

  /** How exactly a range names a format; greater is more exact. */
  private static final int NOT_AT_ALL = -1;

  private static final int ANYTHING = 0;
  private static final int TYPE = 1;
  private static final int SUBTYPE = 2;
  private static final int VERSION = 3;

  /**
   * Reads a header. Never throws, whatever the header holds, and reads a bounded part of it.
   *
   * @param accept all lines of the header joined by commas, or {@code null} where there is none
   */
  public static ScrapeNegotiation of(@Nullable String accept) {
    List<WeightedElement> ranges = WeightedElement.parse(accept);
    PrometheusFormat best = null;
    int bestWeightMillis = 0;
    int bestPosition = -1;
    for (PrometheusFormat format : OFFERED) {
      int position = mostExact(ranges, format);
      int weightMillis = position < 0 ? 0 : ranges.get(position).weightMillis();
      if (weightMillis > bestWeightMillis
          || (weightMillis == bestWeightMillis && weightMillis > 0 && position < bestPosition)) {
        best = format;
        bestWeightMillis = weightMillis;
        bestPosition = position;
      }
    }
    return best == null
        ? LAST_RESORT
        : new ScrapeNegotiation(best, escaping(ranges.get(bestPosition)));
  }

  /** The position of the range that names a format most exactly, the first of such; or -1. */
  private static int mostExact(List<WeightedElement> ranges, PrometheusFormat format) {
    int best = -1;
    int bestSpecificity = NOT_AT_ALL;
    for (int i = 0; i < ranges.size(); i++) {
      int specificity = specificity(ranges.get(i), format);
      if (specificity > bestSpecificity) {
        best = i;
        bestSpecificity = specificity;
      }
    }
    return best;
  }

  /**
   * How exactly a range names a format. A parameter that is not known does not keep a range from
   * naming one: scrapers send {@code charset}, and Prometheus' own library ignores what it does not
   * know.
   */
  private static int specificity(WeightedElement range, PrometheusFormat format) {
    String name = range.value();
    if (!range.allows("version", format.version())) {
      return NOT_AT_ALL;
    }
    if (name.equals("*/*")) {
      return ANYTHING;
    }
    int slash = name.indexOf('/');
    if (slash != format.type().length() || !name.startsWith(format.type())) {
      return NOT_AT_ALL;
    }
    if (name.length() == slash + 2 && name.charAt(slash + 1) == '*') {
      return TYPE;
    }
    if (name.length() != slash + 1 + format.subtype().length()
        || !name.endsWith(format.subtype())) {
      return NOT_AT_ALL;
    }
    if (format == PrometheusFormat.PROTOBUF) {
      return range.has("proto", "io.prometheus.client.MetricFamily")
              && range.has("encoding", "delimited")
          ? VERSION
          : NOT_AT_ALL;
    }
    return range.has("version", format.version()) ? VERSION : SUBTYPE;
  }

  private static EscapingScheme escaping(WeightedElement range) {
    String asked = range.parameters().get("escaping");
    EscapingScheme scheme = asked == null ? null : EscapingScheme.ofHeaderValue(asked);
    return scheme == null ? EscapingScheme.UNDERSCORES : scheme;
  }
}
