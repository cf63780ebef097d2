package dev.millrace.export.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.PrometheusServer;
import dev.millrace.testkit.RealProgram;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Receivers that know nothing of Millrace: what was written is asked for by PromQL. */
class RealReceiversTest {
  private static final String FEATURES = "--enable-feature=exemplar-storage,native-histograms";
  private static final String ACCEPTED = "--web.remote-write-receiver.accepted-protobuf-messages=";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path directory;

  private RemoteWriter writer(URI uri, VersionPolicy versions) {
    RemoteWriterOptions options = RemoteWriterOptions.to(uri);
    return new RemoteWriter(
        options
            .withVersions(versions)
            .withDelivery(options.delivery().withFlushIntervalMillis(0))
            .withProblems(new Problems()),
        chunks.pool());
  }

  private static void write(RemoteWriter writer, MetricSource source) {
    try (MetricCursor cursor = source.open()) {
      writer.write(cursor, true);
    }
    assertThat(Receives.flush(writer)).isTrue();
    assertThat(writer.stats().samples().dropped()).as("%s", writer.stats()).isEmpty();
    assertThat(writer.stats().histograms().dropped()).as("%s", writer.stats()).isEmpty();
  }

  private static MetricStore shop() {
    MetricStore store = MetricStore.inMemory();
    store.counter("orders").help("Orders.").labelNames("kind").create().labels("cash").add(42);
    store.gauge("temperature_celsius").create().set(-1.5);
    store
        .histogram("wait")
        .unit("s")
        .bounds(0.1, 1, 10)
        .exemplars()
        .labelNames("step")
        .create()
        .labels("pay")
        .observe(0.5, TRACE, "b7ad6b7169203331");
    Histogram size = store.histogram("size").unit("By").exponential().create();
    size.observe(1_000);
    size.observe(3_000);
    return store;
  }

  private static void expect(PrometheusServer prometheus, String query, double value) {
    Eventually.isTrue(
        query + " = " + value,
        Receives.LIMIT,
        () -> {
          List<PrometheusServer.Sample> samples = prometheus.query(query);
          return samples.size() == 1 && samples.get(0).value() == value;
        });
  }

  private static void expectShop(PrometheusServer prometheus) {
    expect(prometheus, "orders_total{kind=\"cash\"}", 42);
    expect(prometheus, "temperature_celsius", -1.5);
    expect(prometheus, "wait_seconds_bucket{le=\"1.0\"} or wait_seconds_bucket{le=\"1\"}", 1);
    expect(prometheus, "wait_seconds_sum", 0.5);
    expect(prometheus, "histogram_count(size_bytes)", 2);
    expect(prometheus, "histogram_sum(size_bytes)", 4_000);
  }

  private static void expectExemplar(PrometheusServer prometheus) {
    Eventually.isTrue(
        "an exemplar",
        Receives.LIMIT,
        () ->
            prometheus.exemplars("wait_seconds_bucket").stream()
                .anyMatch(each -> each.labels().contains(TRACE) && each.value() == 0.5));
  }

  private static void expectStale(PrometheusServer prometheus, RemoteWriter writer) {
    Points points = new Points("load");
    long now = System.currentTimeMillis() - 10;
    write(writer, points.add(0, now, 1).add(1, now, 2));
    expect(prometheus, "load{number=\"1\"}", 2);
    write(writer, points.clear().add(0, now + 5, 3));
    expect(prometheus, "load", 3);
  }

  @Test
  void prometheusTakesVersion1() throws Exception {
    try (PrometheusServer prometheus =
            PrometheusServer.receiving(
                RealProgram.require("prometheus"), directory, FreePort.find(), FEATURES);
        MetricStore store = shop()) {
      RemoteWriter writer = writer(prometheus.remoteWriteEndpoint(), VersionPolicy.V1);
      write(writer, store);
      expectShop(prometheus);
      expectExemplar(prometheus);
      expectStale(prometheus, writer);
      assertThat(Receives.shutdown(writer)).isTrue();
    }
  }

  /** It answers 204 to 2.0, and stores nothing. */
  @Test
  void anOldPrometheusIsFoundOutAndGetsVersion1() throws Exception {
    try (PrometheusServer prometheus =
            PrometheusServer.receiving(
                RealProgram.require("prometheus"), directory, FreePort.find(), FEATURES);
        MetricStore store = shop()) {
      RemoteWriter writer = writer(prometheus.remoteWriteEndpoint(), VersionPolicy.V2_THEN_V1);
      write(writer, store);
      assertThat(writer.stats().version()).isEqualTo(RemoteWriteVersion.V1);
      expectShop(prometheus);
      expectStale(prometheus, writer);
      assertThat(Receives.shutdown(writer)).isTrue();
    }
  }

  @Test
  void prometheus3TakesVersion2() throws Exception {
    try (PrometheusServer prometheus =
            PrometheusServer.receiving(
                RealProgram.requireNewer("prometheus"),
                directory,
                FreePort.find(),
                FEATURES,
                ACCEPTED + "io.prometheus.write.v2.Request",
                ACCEPTED + "prometheus.WriteRequest");
        MetricStore store = shop()) {
      RemoteWriter writer = writer(prometheus.remoteWriteEndpoint(), VersionPolicy.V2_THEN_V1);
      write(writer, store);
      assertThat(writer.stats().version()).isEqualTo(RemoteWriteVersion.V2);
      expectShop(prometheus);
      expectExemplar(prometheus);
      expectStale(prometheus, writer);
      assertThat(writer.stats().version()).isEqualTo(RemoteWriteVersion.V2);
      assertThat(Receives.shutdown(writer)).isTrue();
    }
  }

  /** It answers 415 to 2.0 unless it is told to take it. */
  @Test
  void prometheus3ThatTakesVersion1OnlyGetsIt() throws Exception {
    try (PrometheusServer prometheus =
            PrometheusServer.receiving(
                RealProgram.requireNewer("prometheus"),
                directory,
                FreePort.find(),
                FEATURES,
                ACCEPTED + "prometheus.WriteRequest");
        MetricStore store = shop()) {
      RemoteWriter writer = writer(prometheus.remoteWriteEndpoint(), VersionPolicy.V2_THEN_V1);
      write(writer, store);
      assertThat(writer.stats().version()).isEqualTo(RemoteWriteVersion.V1);
      expectShop(prometheus);
      assertThat(Receives.shutdown(writer)).isTrue();
    }
  }

  @Test
  void victoriaMetricsTakesVersion1AndIsFoundOutToLackVersion2() throws Exception {
    RealProgram program = RealProgram.requireNewer("victoria-metrics");
    int port = FreePort.find();
    try (ManagedProcess victoria =
            ManagedProcess.start(
                List.of(
                    program.executable().toString(),
                    "-httpListenAddr=127.0.0.1:" + port,
                    "-storageDataPath=" + directory.resolve("data"),
                    "-search.latencyOffset=0s"),
                Map.of(),
                directory.resolve("victoria.log"));
        MetricStore store = shop()) {
      Eventually.isTrue(
          "a ready VictoriaMetrics", Receives.LIMIT, () -> get(port, "/health").equals("OK"));
      RemoteWriter writer =
          writer(
              URI.create("http://127.0.0.1:" + port + "/api/v1/write"), VersionPolicy.V2_THEN_V1);
      write(writer, store);
      assertThat(writer.stats().version()).isEqualTo(RemoteWriteVersion.V1);
      expect(port, "orders_total{kind=\"cash\"}", "42");
      expect(port, "temperature_celsius", "-1.5");
      expect(port, "wait_seconds_sum", "0.5");
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(victoria.output()).doesNotContain("cannot unmarshal");
    }
  }

  private static void expect(int port, String query, String value) {
    Eventually.isTrue(
        query + " = " + value,
        Receives.LIMIT,
        () ->
            get(port, "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .contains(",\"" + value + "\"]"));
  }

  private static String get(int port, String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
