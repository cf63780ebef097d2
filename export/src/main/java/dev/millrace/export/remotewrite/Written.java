package dev.millrace.export.remotewrite;

import dev.millrace.export.push.SendResult;
import dev.millrace.format.remotewrite.RequestContent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much a receiver of 2.0 says that it has written (remote write 2.0, "Required Written Response
 * Headers"). What it does not say is 0.
 *
 * @param samples 0 or more
 * @param histograms 0 or more
 * @param exemplars 0 or more
 */
record Written(long samples, long histograms, long exemplars) {
  static final String SAMPLES = "x-prometheus-remote-write-samples-written";
  static final String HISTOGRAMS = "x-prometheus-remote-write-histograms-written";
  static final String EXEMPLARS = "x-prometheus-remote-write-exemplars-written";

  /** The names of the headers. */
  static final Set<String> HEADERS = Set.of(SAMPLES, HISTOGRAMS, EXEMPLARS);

  /** What an answer says; {@code null} where none of the headers is there. */
  static @Nullable Written of(SendResult result) {
    String samples = result.header(SAMPLES);
    String histograms = result.header(HISTOGRAMS);
    String exemplars = result.header(EXEMPLARS);
    return samples == null && histograms == null && exemplars == null
        ? null
        : new Written(number(samples), number(histograms), number(exemplars));
  }

  /** Whether all that a request held was written. */
  boolean covers(RequestContent content) {
    return samples >= content.samples()
        && histograms >= content.histograms()
        && exemplars >= content.exemplars();
  }

  private static long number(@Nullable String header) {
    if (header == null) {
      return 0;
    }
    try {
      return Math.max(0, Long.parseLong(header.strip()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
