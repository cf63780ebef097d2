package dev.millrace.benchmarks.scrape;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is measured, by the names that parameters and tables have. */
final class Contestants {
  static final String MILLRACE = "millrace";
  static final String MILLRACE_STORE = "millrace-store";
  static final String OTEL_EXPORTER = "opentelemetry-exporter-prometheus";
  static final String CLIENT_JAVA = "client_java";
  static final String MICROMETER = "micrometer";
  static final List<String> ALL =
      List.of(MILLRACE, MILLRACE_STORE, OTEL_EXPORTER, CLIENT_JAVA, MICROMETER);

  private Contestants() {}

  /** Makes a contestant with the workload recorded in it; the caller closes it. */
  static Contestant create(
      String name, ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding) {
    return switch (name) {
      case MILLRACE -> new MillraceContestant(workload, format, coding);
      case MILLRACE_STORE -> new StoreContestant(workload, format, coding);
      case OTEL_EXPORTER -> new OtelPrometheusContestant(workload, format, coding);
      case CLIENT_JAVA -> new ClientJavaContestant(workload, format, coding);
      case MICROMETER -> new MicrometerContestant(workload, format, coding);
      default ->
          throw new IllegalArgumentException(
              "contestant: expected one of " + ALL + ", found " + name);
    };
  }

  /**
   * As {@link #create}, and looks whether the contestant writes the whole workload.
   *
   * @throws IllegalStateException if it does not
   */
  static Contestant checked(
      String name, ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding)
      throws IOException {
    Contestant created = create(name, workload, format, coding);
    long samples = SampleLineCounter.of(created, coding);
    if (samples != workload.sampleLines()) {
      created.close();
      throw new IllegalStateException(
          "expected " + workload.sampleLines() + " sample lines of " + name + ", found " + samples);
    }
    return created;
  }

  /** Closes a contestant, if there is one. */
  static void close(@Nullable Contestant contestant) {
    if (contestant != null) {
      contestant.close();
    }
  }
}
