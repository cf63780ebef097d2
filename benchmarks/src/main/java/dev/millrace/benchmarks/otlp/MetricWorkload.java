package dev.millrace.benchmarks.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.util.Collection;

/**
 * Metrics, recorded by the OpenTelemetry SDK and collected twice: as from one collection to the
 * next, the objects of metrics differ, and those of points and attributes do not.
 */
final class MetricWorkload {
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final int POINTS_PER_METRIC = 1_000;

  /** One series more than a metric has, for the SDK's own overflow series. */
  private static final int CARDINALITY_LIMIT = POINTS_PER_METRIC + 1;

  private final Collection<MetricData> first;
  private final Collection<MetricData> second;
  private boolean even;

  private MetricWorkload(SdkMeterProvider provider, Reader reader) {
    try (provider) {
      first = reader.registration.collectAllMetrics();
      second = reader.registration.collectAllMetrics();
    }
  }

  /** Counters with a name, a unit and a description, of one point without attributes each. */
  static MetricWorkload metadata(int metrics) {
    Reader reader = new Reader();
    SdkMeterProvider provider = provider(reader);
    Meter meter = provider.get("dev.shop.http");
    for (int i = 0; i < metrics; i++) {
      counter(meter, i).add(i + 1L);
    }
    return new MetricWorkload(provider, reader);
  }

  /** Points with three attributes, {@value #POINTS_PER_METRIC} a metric. */
  static MetricWorkload points(int points, PointKinds kinds) {
    Reader reader = new Reader();
    SdkMeterProvider provider = provider(reader);
    Meter meter = provider.get("dev.shop.http");
    for (int metric = 0; metric < points / POINTS_PER_METRIC; metric++) {
      int tenth = kinds == PointKinds.COUNTERS ? 0 : metric % 10;
      if (tenth < 7) {
        LongCounter counter = counter(meter, metric);
        for (int i = 0; i < POINTS_PER_METRIC; i++) {
          counter.add(1_000L * i + metric, attributes(i));
        }
      } else if (tenth == 7) {
        histogram(meter, metric);
      } else {
        gauge(meter, metric);
      }
    }
    return new MetricWorkload(provider, reader);
  }

  /** The one and the other collection in turn. */
  Collection<MetricData> next() {
    even = !even;
    return even ? first : second;
  }

  private static SdkMeterProvider provider(Reader reader) {
    return SdkMeterProvider.builder()
        .setResource(Resources.of(8))
        .registerMetricReader(reader, type -> CARDINALITY_LIMIT)
        .build();
  }

  private static LongCounter counter(Meter meter, int metric) {
    return meter
        .counterBuilder("http.server.requests." + metric)
        .setUnit("{request}")
        .setDescription("Requests that the server has answered, of the kind " + metric)
        .build();
  }

  private static void histogram(Meter meter, int metric) {
    DoubleHistogram histogram =
        meter
            .histogramBuilder("http.server.request.duration." + metric)
            .setUnit("s")
            .setDescription("Duration of the server's requests.")
            .build();
    for (int i = 0; i < POINTS_PER_METRIC; i++) {
      Attributes attributes = attributes(i);
      for (int value = 1; value < 20; value++) {
        histogram.record(value * value * 27.5 + i, attributes);
      }
    }
  }

  private static void gauge(Meter meter, int metric) {
    Attributes[] attributes = new Attributes[POINTS_PER_METRIC];
    for (int i = 0; i < POINTS_PER_METRIC; i++) {
      attributes[i] = attributes(i);
    }
    meter
        .gaugeBuilder("http.server.load." + metric)
        .setUnit("1")
        .setDescription("Load of the server.")
        .buildWithCallback(
            measurement -> {
              for (int i = 0; i < POINTS_PER_METRIC; i++) {
                measurement.record(i / 7.0, attributes[i]);
              }
            });
  }

  private static Attributes attributes(int i) {
    return Attributes.of(
        METHOD,
        i % 2 == 0 ? "GET" : "POST",
        ROUTE,
        "/orders/{id}/positions/" + i / 10,
        STATUS,
        200L + i % 10 / 2);
  }

  private static final class Reader implements MetricReader {
    private CollectionRegistration registration = CollectionRegistration.noop();

    @Override
    public void register(CollectionRegistration registered) {
      registration = registered;
    }

    /** As all contestants have it by default. */
    @Override
    public MemoryMode getMemoryMode() {
      return MemoryMode.REUSABLE_DATA;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode forceFlush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
