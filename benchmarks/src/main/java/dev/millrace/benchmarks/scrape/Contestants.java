package dev.millrace.benchmarks.scrape;

import java.util.List;

/** Who is measured, by the names that parameters and tables have. */
final class Contestants {
  static final String MILLRACE = "millrace";
  static final String OTEL_EXPORTER = "opentelemetry-exporter-prometheus";
  static final String CLIENT_JAVA = "client_java";
  static final List<String> ALL = List.of(MILLRACE, OTEL_EXPORTER, CLIENT_JAVA);

  private Contestants() {}

  /** Makes a contestant with the workload recorded in it; the caller closes it. */
  static Contestant create(String name, ScrapeWorkload workload, ScrapeFormat format) {
    return switch (name) {
      case MILLRACE -> new MillraceContestant(workload, format);
      case OTEL_EXPORTER -> new OtelPrometheusContestant(workload, format);
      case CLIENT_JAVA -> new ClientJavaContestant(workload, format);
      default ->
          throw new IllegalArgumentException(
              "contestant: expected one of " + ALL + ", found " + name);
    };
  }
}
