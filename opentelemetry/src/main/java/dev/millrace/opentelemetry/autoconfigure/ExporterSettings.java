package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.export.server.BasicAuthentication;
import dev.millrace.export.server.PrometheusServer;
import dev.millrace.export.tls.Tls;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.opentelemetry.PrometheusExporter;
import dev.millrace.opentelemetry.PrometheusExporterBuilder;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes an exporter of settings. What is not set is as the exporter has it by itself. */
final class ExporterSettings {
  /** The names of all settings. */
  static final Set<String> NAMES =
      Set.of(
          "host",
          "port",
          "path",
          "translation_strategy",
          "scope_info_enabled",
          "target_info_enabled",
          "resource_constant_labels.included",
          "resource_constant_labels.excluded",
          "created_timestamps_enabled",
          "exponential_histograms",
          "default_histogram_aggregation",
          "max_wait",
          "cache",
          "encoded_labels_bytes",
          "tls.cert_file",
          "tls.key_file",
          "tls.ca_file",
          "basic_auth.username",
          "basic_auth.password_file");

  private static final int MAX_PORT = 65_535;

  private ExporterSettings() {}

  /** The exporter; its server has started. */
  static PrometheusExporter exporter(Settings settings) {
    try {
      return builder(settings).build();
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw settings.unusable(e);
    }
  }

  private static PrometheusExporterBuilder builder(Settings settings) {
    PrometheusExporterBuilder builder = PrometheusExporter.builder();
    endpoint(settings, builder);
    security(settings, builder);
    builder.prometheusOptions(
        PrometheusOptionSettings.options(settings, PrometheusOptions.DEFAULT));
    builder.scrapeOptions(scrapeOptions(settings));
    Long encodedLabelsBytes = settings.wholeNumber("encoded_labels_bytes", 0, Long.MAX_VALUE);
    if (encodedLabelsBytes != null) {
      builder.encodedLabelsBytes(encodedLabelsBytes);
    }
    builder.defaultAggregation(AggregationSettings.aggregation(settings));
    return builder;
  }

  private static void endpoint(Settings settings, PrometheusExporterBuilder builder) {
    Long port = settings.wholeNumber("port", 0, MAX_PORT);
    int portOrDefault = port == null ? PrometheusServer.DEFAULT_PORT : port.intValue();
    String host = settings.text("host");
    if (host == null) {
      builder.endpoint(portOrDefault);
    } else {
      builder.endpoint(host, portOrDefault);
    }
    String path = settings.text("path");
    if (path != null) {
      builder.path(path);
    }
  }

  private static void security(Settings settings, PrometheusExporterBuilder builder) {
    Path certificate = file(settings, "tls.cert_file");
    Path key = file(settings, "tls.key_file");
    Path authorities = file(settings, "tls.ca_file");
    if (certificate != null && key != null) {
      Tls tls = Tls.server(certificate, key);
      builder.tls(authorities == null ? tls : tls.withClientAuthorities(authorities));
    } else if (certificate != null || key != null || authorities != null) {
      throw missing(
          settings, certificate == null ? "tls.cert_file" : "tls.key_file", "other files of TLS");
    }
    String user = settings.text("basic_auth.username");
    Path password = file(settings, "basic_auth.password_file");
    if (user != null && password != null) {
      builder.basicAuthentication(BasicAuthentication.ofPasswordFile(user, password));
    } else if (user != null) {
      throw missing(settings, "basic_auth.password_file", "a user name");
    } else if (password != null) {
      throw missing(settings, "basic_auth.username", "a password file");
    }
  }

  private static RuntimeException missing(Settings settings, String name, String others) {
    return settings.invalid(name, "a value beside " + others, "nothing");
  }

  private static ScrapeHandlerOptions scrapeOptions(Settings settings) {
    ScrapeHandlerOptions options = ScrapeHandlerOptions.defaults();
    Long maxWait = millis(settings, "max_wait", 1);
    if (maxWait != null) {
      options = options.withMaxWaitMillis(maxWait);
    }
    Long cache = millis(settings, "cache", 0);
    if (cache != null) {
      options = options.withCacheMillis(cache);
    }
    return options;
  }

  private static @Nullable Long millis(Settings settings, String name, long least) {
    Duration duration = settings.duration(name);
    if (duration == null) {
      return null;
    }
    long most = ScrapeHandlerOptions.MAX_MILLIS;
    if (duration.compareTo(Duration.ofMillis(least)) < 0
        || duration.compareTo(Duration.ofMillis(most)) > 0) {
      throw settings.invalid(name, "from " + least + " ms to " + most + " ms", duration.toString());
    }
    return duration.toMillis();
  }

  private static @Nullable Path file(Settings settings, String name) {
    String text = settings.text(name);
    return text == null ? null : Path.of(text);
  }
}
