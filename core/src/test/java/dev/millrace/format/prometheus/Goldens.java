package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.TypeHint;

/** The metrics whose expositions are kept as files in {@code src/test/resources/prometheus}. */
enum Goldens {
  /** What an application with the OpenTelemetry SDK has. */
  APPLICATION {
    @Override
    PrometheusOptions options() {
      return PrometheusOptions.DEFAULT.withCreatedTimestamps(true);
    }

    @Override
    FakeMetrics source() {
      Scope http = new Scope("io.opentelemetry.http", "2.1.0", "", Labels.EMPTY);
      Scope jvm = new Scope("io.opentelemetry.jvm", "", "", Labels.EMPTY);
      return new FakeMetrics(
          counter().of(SHOP).of(http),
          duration().of(SHOP).of(http),
          FakeMetric.gauge("jvm.memory.used", "By", FakePoint.of(Labels.EMPTY, 123_456_789L))
              .describedAs("Memory in use.")
              .of(SHOP)
              .of(jvm),
          FakeMetric.gauge("jvm.cpu.recent_utilization", "1", FakePoint.of(Labels.EMPTY, 0.25))
              .describedAs("Recent CPU utilization.")
              .of(SHOP)
              .of(jvm),
          FakeMetric.summary(
                  "rpc.size",
                  "By",
                  FakePoint.of(
                      Labels.of("rpc.method", "get"),
                      new FakePoint.Summary(
                          4, 1024.5, new double[] {0.5, 0.99}, new double[] {200, 512})))
              .describedAs("Size of messages.")
              .of(SHOP));
    }
  },

  /** What an agent has that many applications send to. */
  AGENT {
    @Override
    PrometheusOptions options() {
      return PrometheusOptions.DEFAULT.withTargetLabels(true);
    }

    @Override
    FakeMetrics source() {
      Resource cart =
          new Resource(
              new Labels.Builder()
                  .put("service.name", "cart")
                  .put("service.instance.id", "10.0.0.7:8080")
                  .put("process.pid", 4711L)
                  .put("host.name", "web-7")
                  .build(),
              "");
      Scope scope = new Scope("lib", "1", "https://schema/1", Labels.of("team.name", "blue"));
      return new FakeMetrics(
          counter().of(SHOP),
          counter().of(cart).of(scope),
          duration().of(cart),
          duration().of(SHOP),
          FakeMetric.gauge("build", "", FakePoint.of(Labels.of("version", "1.2.3"), 1))
              .describedAs("What runs.")
              .hintedAs(TypeHint.INFO)
              .of(cart),
          FakeMetric.gauge(
                  "feature",
                  "",
                  FakePoint.of(Labels.of("feature", "a"), 1),
                  FakePoint.of(Labels.of("feature", "b"), 0))
              .describedAs("Which features are on.")
              .hintedAs(TypeHint.STATESET)
              .of(cart),
          FakeMetric.gauge("legacy", "", FakePoint.of(Labels.EMPTY, 7.5))
              .describedAs("From an old exporter.")
              .hintedAs(TypeHint.UNKNOWN)
              .of(cart));
    }
  },

  /** Counters and histograms whose measurements were taken in spans. */
  EXEMPLARS {
    @Override
    PrometheusOptions options() {
      return PrometheusOptions.DEFAULT.withCreatedTimestamps(true);
    }

    @Override
    FakeMetrics source() {
      FakeMetric counter = counter().of(SHOP);
      FakeMetric duration = duration().of(SHOP);
      FakePoint get = counter.points().get(0);
      FakePoint post = counter.points().get(1);
      return new FakeMetrics(
          counter.with(
              get.withExemplars(exemplar(1, 750_000_000, Labels.of("user.id", "é\"\\\n"))),
              post.withExemplars(
                  new FakePoint.Exemplar(new FakePoint.Whole(1), 0, 0, 0, 0, Labels.EMPTY))),
          duration.with(
              duration
                  .points()
                  .get(0)
                  .withExemplars(
                      exemplar(0.0049, 1, Labels.EMPTY),
                      exemplar(0.067, 500_000_000, Labels.of("user.id", "u".repeat(100))),
                      exemplar(0.1, 0, Labels.of("tenant", "blue")),
                      exemplar(0.05, 250_000_000, Labels.of("tenant", "red")),
                      exemplar(12.5, 123_456_789, Labels.of("tenant", "blue")))));
    }
  },

  /** What broke exporters. */
  HOSTILE {
    @Override
    PrometheusOptions options() {
      return PrometheusOptions.DEFAULT;
    }

    @Override
    FakeMetrics source() {
      return new FakeMetrics(
          FakeMetric.gauge(
                  "odd..name--",
                  "{odd}/s",
                  FakePoint.of(Labels.of("host.name", "a", "host-name", "b"), -0.0),
                  FakePoint.of(Labels.of("", "1", "2xx", "2", "__x", "3", "a:b", "4"), 1e21),
                  FakePoint.of(Labels.of("text", "\\ \" \n \t } , = # é"), 1e-7),
                  FakePoint.of(Labels.of("surrogate", "<\uD800>"), Double.NaN),
                  FakePoint.of(
                      new Labels.Builder()
                          .put(
                              "array",
                              LabelType.ARRAY,
                              new byte[] {10, 3, 10, 1, '"', 10, 2, 24, 7})
                          .put("bytes", LabelType.BYTES, "hello".getBytes(UTF_8))
                          .put("none", LabelType.EMPTY, new byte[0])
                          .put("yes", true)
                          .build(),
                      Double.POSITIVE_INFINITY),
                  FakePoint.of(Labels.of("host_name", "b;a"), Long.MAX_VALUE))
              .describedAs("A \"help\" text\nwith \\ and line feed."),
          FakeMetric.histogram(
                  "h",
                  "",
                  FakePoint.histogram(
                      Labels.of("le", "0.1"), -3, new double[] {-1, 0, 1e6}, 1, 2, 3, 4),
                  FakePoint.histogram(Labels.of("a", "none"), 5, new double[0]),
                  FakePoint.histogram(Labels.of("a", "falling"), 5, new double[] {2, 1}, 1, 1, 1),
                  FakePoint.histogram(
                      Labels.of("a", "infinite"),
                      5,
                      new double[] {1, Double.POSITIVE_INFINITY},
                      1,
                      1,
                      1))
              .describedAs("Histograms of all sorts."),
          FakeMetric.counter(
                  "restarts",
                  "",
                  FakePoint.of(Labels.of("a", "gone"), 9).withoutRecordedValue(),
                  FakePoint.of(Labels.of("a", "there"), Long.MAX_VALUE))
              .describedAs("Counts up."),
          FakeMetric.gauge("restarts_total", "", FakePoint.of(Labels.EMPTY, 1)),
          FakeMetric.gauge("h_count", "", FakePoint.of(Labels.EMPTY, 1)),
          FakeMetric.summary(
                  "s",
                  "",
                  FakePoint.of(
                      Labels.of("quantile", "mine"),
                      new FakePoint.Summary(
                          2, 3, new double[] {1, 0.5, 0.5, 7}, new double[] {2, 1, 1, 1})))
              .describedAs("Quantiles out of order."));
    }
  };

  private static final Resource SHOP =
      new Resource(
          Labels.of(
              "service.namespace",
              "web",
              "service.name",
              "shop",
              "service.instance.id",
              "1",
              "host.name",
              "web-1"),
          "");

  abstract FakeMetrics source();

  abstract PrometheusOptions options();

  private static FakePoint.Exemplar exemplar(double value, long afterNanos, Labels labels) {
    return new FakePoint.Exemplar(
        new FakePoint.Real(value),
        1_700_000_060_000_000_000L + afterNanos,
        0x4bf92f3577b34da6L,
        0xa3ce929d0e0e4736L,
        0x00f067aa0ba902b7L,
        labels);
  }

  private static FakeMetric counter() {
    return FakeMetric.counter(
            "http.server.requests",
            "{request}",
            FakePoint.of(Labels.of("http.request.method", "GET", "http.route", "/orders"), 1027)
                .startedAt(1_700_000_000_250_000_000L),
            FakePoint.of(Labels.of("http.request.method", "POST", "http.route", "/orders"), 3)
                .startedAt(1_700_000_000_250_000_000L))
        .describedAs("Requests answered.");
  }

  private static FakeMetric duration() {
    return FakeMetric.histogram(
            "http.server.request.duration",
            "s",
            FakePoint.histogram(
                    Labels.of("http.request.method", "GET"),
                    53.25,
                    new double[] {0.005, 0.1, 1, 10},
                    20,
                    30,
                    4,
                    0,
                    1)
                .startedAt(1_700_000_000_250_000_000L))
        .describedAs("Duration of requests.");
  }
}
