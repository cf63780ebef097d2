package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.push.Retry;
import dev.millrace.export.push.SenderOptions;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpExporterBuilder;
import dev.millrace.opentelemetry.otlp.OtlpProtocol;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** Makes exporters of settings. What is not set is as the exporter has it by itself. */
final class OtlpSettings {
  /** What {@code otel.traces.exporter} and its like call the exporters. */
  static final String PROPERTY_NAME = "millrace-otlp";

  /** What a declarative configuration file calls them. */
  static final String FILE_NAME = "millrace_otlp";

  private static final long DEFAULT_DISK_MAX_BYTES = 100L << 20;

  private static final Set<String> NAMES =
      Set.of(
          "endpoint",
          "protocol",
          "headers",
          "headers_list",
          "compression",
          "timeout",
          "tls.ca_file",
          "tls.key_file",
          "tls.cert_file",
          "retry.disabled",
          "disk.directory",
          "disk.max_bytes",
          "max_request_bytes",
          "max_in_flight");

  private static final Set<String> METRICS_NAMES =
      Set.of("temporality_preference", "default_histogram_aggregation");

  private enum Compression {
    NONE,
    GZIP
  }

  /** The words of {@code OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE}. */
  private enum Temporality {
    CUMULATIVE,
    DELTA,
    LOW_MEMORY
  }

  private OtlpSettings() {}

  /** The names of the settings of a signal. */
  static Set<String> names(OtlpSignal signal) {
    if (signal != OtlpSignal.METRICS) {
      return NAMES;
    }
    Set<String> names = new HashSet<>(NAMES);
    names.addAll(METRICS_NAMES);
    return names;
  }

  /** Makes what an exporter makes, with errors that tell where the setting is. */
  static <E> E made(
      Settings settings, OtlpExporterBuilder builder, Function<OtlpExporter, E> make) {
    try {
      return make.apply(builder.build());
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw settings.unusable(e);
    }
  }

  /** The exporter of metrics. */
  static MetricExporter metrics(Settings settings, OtlpExporterBuilder builder) {
    AggregationTemporalitySelector temporality = temporality(settings);
    DefaultAggregationSelector aggregation = AggregationSettings.aggregation(settings);
    return made(settings, builder, otlp -> otlp.metrics(temporality, aggregation));
  }

  /** What can be set for every signal, but for headers that are not text. */
  static OtlpExporterBuilder builder(OtlpSignal signal, Settings settings) {
    OtlpExporterBuilder builder = OtlpExporter.builder();
    String endpoint = settings.text("endpoint");
    if (endpoint != null) {
      URI uri = ConnectionSettings.uri(settings, "endpoint", endpoint);
      try {
        builder.endpoint(signal, uri);
      } catch (IllegalArgumentException e) {
        throw settings.unusable(e);
      }
    }
    String protocol = settings.text("protocol");
    if (protocol != null) {
      try {
        builder.protocol(OtlpProtocol.of(protocol));
      } catch (IllegalArgumentException e) {
        throw settings.invalid("protocol", "grpc, http/protobuf or http/json", protocol);
      }
    }
    String headers = settings.text("headers_list");
    if (headers != null) {
      builder.headers(HeaderSource.of(HeaderSettings.ofList(settings, headers)));
    }
    builder.gzip(settings.oneOf("compression", Compression.class) == Compression.GZIP);
    builder.connection(ConnectionSettings.connection(settings));
    builder.sending(sending(settings));
    String directory = settings.text("disk.directory");
    Long maxBytes = settings.wholeNumber("disk.max_bytes", 1, Long.MAX_VALUE);
    if (directory != null) {
      builder.disk(Path.of(directory), maxBytes == null ? DEFAULT_DISK_MAX_BYTES : maxBytes);
    }
    return builder;
  }

  private static SenderOptions sending(Settings settings) {
    SenderOptions sending = SenderOptions.defaults();
    Duration timeout = settings.duration("timeout");
    if (timeout != null) {
      // By the specification of the declarative configuration, 0 is no limit.
      long millis = timeout.isZero() ? Retry.MAX_MILLIS : timeout.toMillis();
      if (millis < 1 || millis > Retry.MAX_MILLIS) {
        throw settings.invalid("timeout", "0 to " + Retry.MAX_MILLIS + " ms", timeout.toString());
      }
      sending = sending.withTimeoutMillis(millis);
    }
    if (Boolean.TRUE.equals(settings.flag("retry.disabled"))) {
      sending = sending.withRetry(Retry.none());
    }
    Long maxRequestBytes = settings.wholeNumber("max_request_bytes", 1, Long.MAX_VALUE - 1);
    if (maxRequestBytes != null) {
      sending = sending.withMaxRequestBytes(maxRequestBytes);
    }
    Long maxInFlight = settings.wholeNumber("max_in_flight", 1, Integer.MAX_VALUE);
    if (maxInFlight != null) {
      sending = sending.withMaxInFlight(maxInFlight.intValue());
    }
    return sending;
  }

  private static AggregationTemporalitySelector temporality(Settings settings) {
    Temporality temporality = settings.oneOf("temporality_preference", Temporality.class);
    if (temporality == null) {
      return AggregationTemporalitySelector.alwaysCumulative();
    }
    return switch (temporality) {
      case CUMULATIVE -> AggregationTemporalitySelector.alwaysCumulative();
      case DELTA -> AggregationTemporalitySelector.deltaPreferred();
      case LOW_MEMORY -> AggregationTemporalitySelector.lowMemory();
    };
  }
}
