package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.push.Retry;
import dev.millrace.export.push.SenderOptions;
import dev.millrace.export.tls.ClientTls;
import dev.millrace.export.tls.Tls;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpExporterBuilder;
import dev.millrace.opentelemetry.otlp.OtlpProtocol;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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

  /** Those that are the transports' own, or have a meaning for a connection. */
  private static final Set<String> TRANSPORT_HEADERS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "te",
          "transfer-encoding",
          "upgrade");

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

  /** The words of {@code OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION}. */
  private enum HistogramAggregation {
    EXPLICIT_BUCKET_HISTOGRAM,
    BASE2_EXPONENTIAL_BUCKET_HISTOGRAM
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
    DefaultAggregationSelector aggregation = aggregation(settings);
    return made(settings, builder, otlp -> otlp.metrics(temporality, aggregation));
  }

  /** What can be set for every signal, but for headers that are not text. */
  static OtlpExporterBuilder builder(OtlpSignal signal, Settings settings) {
    OtlpExporterBuilder builder = OtlpExporter.builder();
    String endpoint = settings.text("endpoint");
    if (endpoint != null) {
      URI uri = uri(settings, "endpoint", endpoint);
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
      builder.headers(HeaderSource.of(headers(settings, headers)));
    }
    builder.gzip(settings.oneOf("compression", Compression.class) == Compression.GZIP);
    builder.connection(connection(settings));
    builder.sending(sending(settings));
    String directory = settings.text("disk.directory");
    Long maxBytes = settings.wholeNumber("disk.max_bytes", 1, Long.MAX_VALUE);
    if (directory != null) {
      builder.disk(Path.of(directory), maxBytes == null ? DEFAULT_DISK_MAX_BYTES : maxBytes);
    }
    return builder;
  }

  /** Reads an address. */
  static URI uri(Settings settings, String name, String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      // The text itself may hold a password.
      throw settings.invalid(name, "an http or https address", e.getReason());
    }
  }

  private static HttpConnection connection(Settings settings) {
    ClientTls tls = Tls.client();
    String authorities = settings.text("tls.ca_file");
    if (authorities != null) {
      tls = tls.withAuthorities(Path.of(authorities));
    }
    String certificate = settings.text("tls.cert_file");
    String key = settings.text("tls.key_file");
    if (certificate != null && key != null) {
      tls = tls.withCertificate(Path.of(certificate), Path.of(key));
    } else if (certificate != null || key != null) {
      throw settings.invalid(
          certificate == null ? "tls.cert_file" : "tls.key_file",
          "a file, as the client has the other one of certificate and key",
          "nothing");
    }
    return HttpConnection.defaults().withTls(tls);
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

  /** Headers in the form of W3C Baggage: {@code key=value,key=value}, percent-encoded. */
  private static Map<String, String> headers(Settings settings, String text) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      if (pair.isBlank()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals).strip();
      if (name.isEmpty()) {
        // What is there instead may be a secret.
        throw settings.invalid(
            "headers_list",
            "name=value, separated by commas",
            "an entry without a name or a value");
      }
      String value = decoded(settings, name, pair.substring(equals + 1).strip());
      requireSendable(settings, "headers_list", name, value);
      headers.put(name, value);
    }
    return headers;
  }

  /**
   * Checks a header before it costs every export (RFC 9110, section 5).
   *
   * @param setting where it stands
   */
  static void requireSendable(Settings settings, String setting, String name, String value) {
    boolean token = name.chars().allMatch(OtlpSettings::isTokenChar);
    boolean free = !TRANSPORT_HEADERS.contains(name.toLowerCase(Locale.ROOT));
    if (!token || !free) {
      // What is no name may be a part of a value, which may be a secret.
      throw settings.invalid(
          setting,
          "names of letters, digits and hyphens that the exporter does not send itself",
          token ? name : "another one");
    }
    if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw settings.invalid(
          setting, "values of printable ASCII characters", "another one in header " + name);
    }
  }

  private static boolean isTokenChar(int c) {
    return c > ' ' && c <= '~' && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0;
  }

  private static String decoded(Settings settings, String name, String value) {
    try {
      // A plus sign stands for itself in baggage; the decoder is one for forms.
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw settings.invalid(
          "headers_list", "percent-encoded values", "another one in header " + name);
    }
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

  private static DefaultAggregationSelector aggregation(Settings settings) {
    HistogramAggregation aggregation =
        settings.oneOf("default_histogram_aggregation", HistogramAggregation.class);
    return aggregation == HistogramAggregation.BASE2_EXPONENTIAL_BUCKET_HISTOGRAM
        ? DefaultAggregationSelector.getDefault()
            .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram())
        : DefaultAggregationSelector.getDefault();
  }
}
