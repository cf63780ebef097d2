package dev.millrace.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.millrace.export.remotewrite.RemoteWriteDelivery;
import dev.millrace.format.remotewrite.RemoteWriteEncodingOptions;
import java.net.ProxySelector;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Files that are right, each with everything that must come of it. */
class GoodFilesTest {
  private static final Map<String, String> ENV =
      Map.of(
          "HOST", "127.0.0.1",
          "PORT", "4000",
          "SIZE", "2MiB",
          "SERIES", "12",
          "EMPTY", "",
          "TYPE", "otlp");

  @TestFactory
  Stream<DynamicTest> files() {
    return TableOfFiles.read("good-files.txt").stream()
        .map(
            file ->
                dynamicTest(
                    file.name(),
                    () ->
                        assertThat(shown(AgentConfig.parse("good.yaml", file.yaml(), ENV)))
                            .isEqualTo(file.expected())));
  }

  /** One line for each part; written here so that it changes with no one's toString. */
  static String shown(AgentConfig config) {
    StringBuilder text = new StringBuilder();
    config
        .receivers()
        .forEach((id, receiver) -> text.append(id).append(" -> ").append(shown(receiver)));
    config
        .exporters()
        .forEach((id, exporter) -> text.append(id).append(" <- ").append(shown(exporter)));
    for (PipelineConfig pipeline : config.pipelines()) {
      text.append(pipeline.id())
          .append(": ")
          .append(pipeline.receivers())
          .append(" -> ")
          .append(pipeline.exporters())
          .append('\n');
    }
    config.warnings().forEach(warning -> text.append("warning ").append(warning).append('\n'));
    return text.toString().strip();
  }

  private static String shown(ReceiverConfig receiver) {
    if (receiver instanceof MillraceStoreReceiverConfig store) {
      return "store "
          + store.directory()
          + (store.retire() ? ", retired every " + store.retireInterval().toMillis() + " ms" : "")
          + (store.resourceAttributes().isEmpty() ? "" : ", " + store.resourceAttributes())
          + "\n";
    }
    if (receiver instanceof MultiprocessReceiverConfig multiprocess) {
      return multiprocess.client()
          + " "
          + multiprocess.directory()
          + multiprocess.schema().map(schema -> ", schema " + schema).orElse("")
          + ", "
          + multiprocess.maxSamples()
          + " samples"
          + (multiprocess.resourceAttributes().isEmpty()
              ? ""
              : ", " + multiprocess.resourceAttributes())
          + "\n";
    }
    OtlpReceiverConfig.Http http = ((OtlpReceiverConfig) receiver).http();
    return "http " + http.endpoint() + ", " + http.maxRequestBodySizeBytes() + " bytes\n";
  }

  private static String shown(ExporterConfig exporter) {
    if (exporter instanceof RemoteWriteExporterConfig remoteWrite) {
      return shown(remoteWrite);
    }
    PrometheusExporterConfig prometheus = (PrometheusExporterConfig) exporter;
    return prometheus.endpoint()
        + ", "
        + prometheus.metricExpiration().toMillis()
        + " ms, "
        + prometheus.maxSeries()
        + " series"
        + shown(prometheus.translation())
        + shown(prometheus.scrape())
        + "\n";
  }

  private static String shown(RemoteWriteExporterConfig exporter) {
    RemoteWriteEncodingOptions encoding = exporter.encoding();
    RemoteWriteDelivery delivery = exporter.delivery().delivery();
    return String.join(
                ", ",
                exporter.endpoint().toString(),
                exporter.versions().toString(),
                new TreeMap<>(
                        exporter.client().headers(new dev.millrace.model.Problems()).headers())
                    .toString(),
                exporter.client().connection().tls().toString(),
                proxies(exporter),
                "\n  " + exporter.series(),
                exporter.collectionInterval().toString(),
                "\n  " + encoding.limits(),
                encoding.prometheus().translationStrategy().toString(),
                "scope " + encoding.prometheus().scopeLabels(),
                "target_info " + encoding.prometheus().targetInfo(),
                "promoted " + encoding.prometheus().promotesResourceAttribute("a"),
                encoding.prometheus().exponentialHistograms().toString(),
                "external " + encoding.externalLabels(),
                "native " + encoding.nativeHistograms(),
                "nhcb " + encoding.customBuckets(),
                "stale " + encoding.staleMarkers(),
                "metadata " + encoding.metadataIntervalMillis(),
                "\n  " + delivery,
                "\n  " + exporter.delivery().queue())
            .replace(", \n", ",\n")
        + "\n";
  }

  private static String proxies(RemoteWriteExporterConfig exporter) {
    ProxySelector proxy = exporter.client().connection().proxy();
    return proxy == null ? "[DIRECT]" : proxy.select(exporter.endpoint()).toString();
  }

  private static String shown(ScrapeConfig scrape) {
    return scrape.equals(ScrapeConfig.DEFAULT)
        ? ""
        : ", "
            + scrape.tls()
            + ", "
            + scrape.basicAuth()
            + ", "
            + scrape.handlerOptions().maxWaitMillis()
            + " ms, "
            + scrape.handlerOptions().cacheMillis()
            + " ms";
  }

  private static String shown(TranslationConfig translation) {
    return translation.equals(TranslationConfig.DEFAULT)
        ? ""
        : ", "
            + translation.strategy()
            + (translation.scopeLabels() ? "" : ", without scope")
            + (translation.resourceLabels() ? ", with resource" : "")
            + ", "
            + translation.exponentialHistograms();
  }
}
