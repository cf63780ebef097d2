package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.http.FileCredentials;
import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.push.Retry;
import dev.millrace.export.remotewrite.RemoteWriteDelivery;
import dev.millrace.export.remotewrite.RemoteWriteQueue;
import dev.millrace.export.remotewrite.RemoteWriterOptions;
import dev.millrace.export.remotewrite.VersionPolicy;
import dev.millrace.format.remotewrite.RemoteWriteEncodingOptions;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.Labels;
import dev.millrace.model.Problems;
import dev.millrace.opentelemetry.remotewrite.RemoteWriteExporter;
import dev.millrace.opentelemetry.remotewrite.RemoteWriteExporterBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes remote-write exporters of settings. What is not set is as the exporter has it by itself.
 */
final class RemoteWriteSettings {
  /** What {@code otel.metrics.exporter} calls the exporter. */
  static final String PROPERTY_NAME = "millrace-remote-write";

  /** What a declarative configuration file calls it. */
  static final String FILE_NAME = "millrace_remote_write";

  /** The names of all settings. */
  static final Set<String> NAMES =
      Set.of(
          "endpoint",
          "endpoints",
          "headers",
          "headers_list",
          "basic_auth.username",
          "basic_auth.password_file",
          "bearer_token_file",
          "tls.ca_file",
          "tls.cert_file",
          "tls.key_file",
          "timeout",
          "retry_on_http_429",
          "flush_interval",
          "protobuf_message",
          "shards",
          "max_samples",
          "max_request_bytes",
          "max_age",
          "queue.max_bytes",
          "queue.max_requests",
          "disk.directory",
          "disk.max_bytes",
          "translation_strategy",
          "scope_info_enabled",
          "target_info_enabled",
          "resource_constant_labels.included",
          "resource_constant_labels.excluded",
          "exponential_histograms",
          "external_labels",
          "native_histograms",
          "custom_buckets",
          "stale_markers",
          "send_metadata",
          "default_histogram_aggregation",
          "encoded_labels_bytes");

  /** Prometheus' own words for the two messages, and ours for trying the newer one first. */
  private static final Map<String, VersionPolicy> MESSAGES =
      Map.of(
          "auto", VersionPolicy.V2_THEN_V1,
          "prometheus.WriteRequest", VersionPolicy.V1,
          "io.prometheus.write.v2.Request", VersionPolicy.V2);

  private RemoteWriteSettings() {}

  /**
   * The exporter.
   *
   * @param listed headers that are not text; {@code null} where there are none
   * @param meterProvider where its health goes to; {@code null} for nowhere
   */
  static RemoteWriteExporter exporter(
      Settings settings,
      @Nullable Map<String, String> listed,
      @Nullable Supplier<MeterProvider> meterProvider) {
    RemoteWriteExporterBuilder builder = RemoteWriteExporter.builder();
    try {
      Problems problems = new Problems();
      List<URI> endpoints = endpoints(settings);
      for (int i = 0; i < endpoints.size(); i++) {
        RemoteWriterOptions options =
            RemoteWriterOptions.to(endpoints.get(i))
                .withProblems(problems)
                .withHeaders(headers(settings, listed, problems))
                .withConnection(ConnectionSettings.connection(settings))
                .withVersions(versions(settings))
                .withDelivery(delivery(settings))
                .withQueue(queue(settings, endpoints.size() == 1 ? "" : Integer.toString(i)));
        builder.endpoint(options.withEncoding(encoding(settings, options.encoding())));
      }
      builder.defaultAggregation(AggregationSettings.aggregation(settings));
      Long encodedLabelsBytes = settings.wholeNumber("encoded_labels_bytes", 0, Long.MAX_VALUE);
      if (encodedLabelsBytes != null) {
        builder.encodedLabelsBytes(encodedLabelsBytes);
      }
      if (meterProvider != null) {
        builder.meterProvider(meterProvider);
      }
      return builder.build();
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw settings.unusable(e);
    }
  }

  private static List<URI> endpoints(Settings settings) {
    String one = settings.text("endpoint");
    List<String> several = settings.texts("endpoints");
    if (one != null && several != null) {
      throw settings.invalid("endpoints", "one of endpoint and endpoints", "both");
    }
    List<URI> endpoints = new ArrayList<>();
    if (several != null) {
      several.forEach(text -> endpoints.add(ConnectionSettings.uri(settings, "endpoints", text)));
    } else if (one != null) {
      endpoints.add(ConnectionSettings.uri(settings, "endpoint", one));
    } else {
      endpoints.add(RemoteWriteExporterBuilder.DEFAULT_ENDPOINT);
    }
    return endpoints;
  }

  private static HeaderSource headers(
      Settings settings, @Nullable Map<String, String> listed, Problems problems) {
    String text = settings.text("headers_list");
    Map<String, String> fixed =
        listed != null ? listed : text != null ? HeaderSettings.ofList(settings, text) : Map.of();
    HeaderSource headers = HeaderSource.of(fixed);
    String user = settings.text("basic_auth.username");
    String password = settings.text("basic_auth.password_file");
    String token = settings.text("bearer_token_file");
    if (user != null && password != null && token == null) {
      return headers.and(FileCredentials.basic(user, Path.of(password), problems));
    }
    if (token != null && user == null && password == null) {
      return headers.and(FileCredentials.bearer(Path.of(token), problems));
    }
    if (token != null) {
      throw settings.invalid("bearer_token_file", "nothing beside basic_auth", "a file");
    }
    if (user != null) {
      throw settings.invalid("basic_auth.password_file", "a file beside a user name", "nothing");
    }
    if (password != null) {
      throw settings.invalid("basic_auth.username", "a name beside a password file", "nothing");
    }
    return headers;
  }

  private static VersionPolicy versions(Settings settings) {
    String message = settings.text("protobuf_message");
    if (message == null) {
      return VersionPolicy.V2_THEN_V1;
    }
    VersionPolicy versions = MESSAGES.get(message);
    if (versions == null) {
      throw settings.invalid(
          "protobuf_message",
          "auto, prometheus.WriteRequest or io.prometheus.write.v2.Request",
          message);
    }
    return versions;
  }

  private static RemoteWriteDelivery delivery(Settings settings) {
    RemoteWriteDelivery delivery = RemoteWriteDelivery.defaults();
    Long timeout = millis(settings, "timeout", 1);
    if (timeout != null) {
      delivery = delivery.withTimeoutMillis(timeout);
    }
    Boolean retry = settings.flag("retry_on_http_429");
    if (retry != null) {
      delivery = delivery.withRetryTooManyRequests(retry);
    }
    Long flush = millis(settings, "flush_interval", 0);
    return flush == null ? delivery : delivery.withFlushIntervalMillis(flush);
  }

  private static RemoteWriteQueue queue(Settings settings, String folder) {
    RemoteWriteQueue queue = RemoteWriteQueue.defaults();
    Long maxBytes = settings.wholeNumber("queue.max_bytes");
    if (maxBytes != null) {
      queue = queue.withMaxBytes(maxBytes);
    }
    Long maxRequests = settings.wholeNumber("queue.max_requests", 1, Integer.MAX_VALUE);
    if (maxRequests != null) {
      queue = queue.withMaxRequests(maxRequests.intValue());
    }
    String directory = settings.text("disk.directory");
    Long maxDiskBytes = settings.wholeNumber("disk.max_bytes", 1, Long.MAX_VALUE);
    if (maxDiskBytes != null) {
      queue = queue.withMaxDiskBytes(maxDiskBytes);
    }
    return directory == null ? queue : queue.withDirectory(Path.of(directory).resolve(folder));
  }

  private static RemoteWriteEncodingOptions encoding(
      Settings settings, RemoteWriteEncodingOptions defaults) {
    RemoteWriteEncodingOptions encoding =
        defaults
            .withPrometheus(PrometheusOptionSettings.options(settings, defaults.prometheus()))
            .withLimits(limits(settings, defaults.limits()))
            .withExternalLabels(externalLabels(settings));
    Boolean nativeHistograms = settings.flag("native_histograms");
    if (nativeHistograms != null) {
      encoding = encoding.withNativeHistograms(nativeHistograms);
    }
    Boolean customBuckets = settings.flag("custom_buckets");
    if (customBuckets != null) {
      encoding = encoding.withCustomBuckets(customBuckets);
    }
    Boolean staleMarkers = settings.flag("stale_markers");
    if (staleMarkers != null) {
      encoding = encoding.withStaleMarkers(staleMarkers);
    }
    if (Boolean.FALSE.equals(settings.flag("send_metadata"))) {
      encoding = encoding.withMetadataIntervalMillis(0);
    }
    return encoding;
  }

  private static RemoteWriteLimits limits(Settings settings, RemoteWriteLimits defaults) {
    RemoteWriteLimits limits = defaults;
    Long shards = settings.wholeNumber("shards", 1, RemoteWriteLimits.MAX_SHARDS);
    if (shards != null) {
      limits = limits.withShards(shards.intValue());
    }
    Long maxSamples = settings.wholeNumber("max_samples", 1, Integer.MAX_VALUE);
    if (maxSamples != null) {
      limits = limits.withMaxSamples(maxSamples.intValue());
    }
    Long maxRequestBytes =
        settings.wholeNumber(
            "max_request_bytes",
            RemoteWriteLimits.MIN_REQUEST_BYTES,
            RemoteWriteLimits.MAX_REQUEST_BYTES);
    if (maxRequestBytes != null) {
      limits = limits.withMaxRequestBytes(maxRequestBytes.intValue());
    }
    Duration maxAge = settings.duration("max_age");
    return maxAge == null ? limits : limits.withMaxAgeMillis(maxAge.toMillis());
  }

  /** Labels as {@code name=value}, which both properties and files have as a list. */
  private static Labels externalLabels(Settings settings) {
    List<String> texts = settings.texts("external_labels");
    Labels.Builder labels = new Labels.Builder();
    if (texts != null) {
      for (String text : texts) {
        int equals = text.indexOf('=');
        if (equals < 1) {
          throw settings.invalid("external_labels", "entries of the form name=value", text);
        }
        labels.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
      }
    }
    return labels.build();
  }

  private static @Nullable Long millis(Settings settings, String name, long least) {
    Duration duration = settings.duration(name);
    if (duration == null) {
      return null;
    }
    if (duration.compareTo(Duration.ofMillis(least)) < 0
        || duration.compareTo(Duration.ofMillis(Retry.MAX_MILLIS)) > 0) {
      throw settings.invalid(
          name, "from " + least + " ms to " + Retry.MAX_MILLIS + " ms", duration.toString());
    }
    return duration.toMillis();
  }
}
