package dev.millrace.opentelemetry.otlp;

import dev.millrace.export.push.Outcome;
import dev.millrace.export.push.SendResult;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an exporter says of itself, by the semantic conventions' {@code otel.sdk.exporter.*}
 * metrics. What went to disk counts as neither: it is exported when the endpoint is back.
 * Thread-safe.
 */
final class Health {
  private static final AttributeKey<String> COMPONENT_TYPE =
      AttributeKey.stringKey("otel.component.type");
  private static final AttributeKey<String> COMPONENT_NAME =
      AttributeKey.stringKey("otel.component.name");
  private static final AttributeKey<String> SERVER_ADDRESS =
      AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  /** The kind of problem that counts failures of the meter provider. */
  static final String FAILED = "otlp_health_failed";

  private static final String SCOPE = "dev.millrace.opentelemetry.otlp";
  private static final String REJECTED = "rejected";
  private static final String REFUSED = "too_many_in_flight";
  private static final double NANOS_PER_SECOND = 1e9;

  /** Tells the exporters of a process apart, as the conventions want it. */
  private static final AtomicInteger INSTANCES = new AtomicInteger();

  private final Supplier<MeterProvider> meterProvider;
  private final OtlpSignal signal;
  private final Attributes attributes;
  private final Problem failed;
  private volatile @Nullable Instruments instruments;

  /** Made for one provider; the provider changes when the SDK becomes ready. */
  record Instruments(
      MeterProvider provider,
      LongUpDownCounter inFlight,
      LongCounter exported,
      DoubleHistogram duration) {}

  Health(
      Supplier<MeterProvider> meterProvider,
      OtlpSignal signal,
      OtlpProtocol protocol,
      URI endpoint,
      Problems problems) {
    failed = problems.kind(FAILED);
    this.meterProvider = meterProvider;
    this.signal = signal;
    String type = componentType(signal, protocol);
    attributes =
        Attributes.of(
            COMPONENT_TYPE,
            type,
            COMPONENT_NAME,
            type + "/" + INSTANCES.getAndIncrement(),
            SERVER_ADDRESS,
            endpoint.getHost(),
            SERVER_PORT,
            (long) port(endpoint));
  }

  /**
   * An export has begun.
   *
   * @return what {@link #ended} is to be given, so that it counts out where this counted in, though
   *     the provider may be another one by then; {@code null} where the application's failed
   */
  @Nullable Instruments begun(int items) {
    try {
      Instruments to = instruments();
      to.inFlight.add(items, attributes);
      return to;
    } catch (RuntimeException e) {
      failed(e);
      return null;
    }
  }

  /** An export is over. */
  void ended(int items, @Nullable Instruments begun, Outcome outcome, long durationNanos) {
    try {
      if (begun != null) {
        begun.inFlight.add(-items, attributes);
      }
      count(outcome, durationNanos);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** Telling of exports must not cost one. */
  private void failed(RuntimeException cause) {
    failed.add(
        1, () -> "expected a meter provider that can be used, found one that threw " + cause);
  }

  private void count(Outcome outcome, long durationNanos) {
    Instruments to = instruments();
    SendResult failure = outcome.failure();
    String errorType = failure == null ? REFUSED : failure.errorType();
    if (outcome.delivered() > 0) {
      to.exported.add(outcome.delivered(), attributes);
    }
    if (outcome.rejected() > 0) {
      to.exported.add(outcome.rejected(), with(REJECTED));
    }
    if (outcome.lost() > 0) {
      to.exported.add(outcome.lost(), with(errorType));
    }
    to.duration.record(
        durationNanos / NANOS_PER_SECOND,
        outcome.lost() > 0
            ? with(errorType)
            : outcome.rejected() > 0 ? with(REJECTED) : attributes);
  }

  private Attributes with(String errorType) {
    return attributes.toBuilder().put(ERROR_TYPE, errorType).build();
  }

  private Instruments instruments() {
    MeterProvider provider = meterProvider.get();
    Instruments current = instruments;
    if (current == null || current.provider != provider) {
      current = make(provider);
      instruments = current;
    }
    return current;
  }

  private Instruments make(MeterProvider provider) {
    Meter meter = provider.get(SCOPE);
    String item =
        switch (signal) {
          case TRACES -> "span";
          case LOGS -> "log_record";
          case METRICS -> "data_point";
        };
    String prefix =
        switch (signal) {
          case TRACES -> "otel.sdk.exporter.span";
          case LOGS -> "otel.sdk.exporter.log";
          case METRICS -> "otel.sdk.exporter.metric_data_point";
        };
    return new Instruments(
        provider,
        meter
            .upDownCounterBuilder(prefix + ".inflight")
            .setUnit("{" + item + "}")
            .setDescription("What was given to the exporter and is not exported yet.")
            .build(),
        meter
            .counterBuilder(prefix + ".exported")
            .setUnit("{" + item + "}")
            .setDescription("What the export of has ended, with success or not.")
            .build(),
        meter
            .histogramBuilder("otel.sdk.exporter.operation.duration")
            .setUnit("s")
            .setDescription("How long exports took.")
            .setExplicitBucketBoundariesAdvice(List.of())
            .build());
  }

  private static String componentType(OtlpSignal signal, OtlpProtocol protocol) {
    String carrier =
        switch (protocol) {
          case GRPC -> "otlp_grpc_";
          case HTTP_PROTOBUF -> "otlp_http_";
          case HTTP_JSON -> "otlp_http_json_";
        };
    return carrier
        + switch (signal) {
          case TRACES -> "span_exporter";
          case LOGS -> "log_exporter";
          case METRICS -> "metric_exporter";
        };
  }

  private static int port(URI endpoint) {
    if (endpoint.getPort() >= 0) {
      return endpoint.getPort();
    }
    return "https".equalsIgnoreCase(endpoint.getScheme()) ? 443 : 80;
  }
}
