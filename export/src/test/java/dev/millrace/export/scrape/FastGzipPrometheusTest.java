package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.ExpositionText;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.PrometheusServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The real Prometheus reads what Millrace's encoder wrote. */
class FastGzipPrometheusTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int SERIES = 2_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final FastGzip gzip = new FastGzip(0);

  @Test
  void prometheusReadsOneScrapeAfterTheOther(@TempDir Path directory) throws Exception {
    byte[] text = ExpositionText.generate(SERIES, ExpositionText.Style.SHUFFLED, 5);
    List<String> lines = new String(text, StandardCharsets.UTF_8).lines().toList();
    double samples = lines.stream().filter(line -> !line.startsWith("#")).count();
    double sum =
        lines.stream()
            .filter(line -> line.startsWith("http_server_requests_0_total{"))
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/metrics", exchange -> reply(exchange, text));
    server.start();
    try (PrometheusServer prometheus =
        PrometheusServer.scraping(directory, "127.0.0.1:" + server.getAddress().getPort())) {
      expect(prometheus, "sum_over_time(up[1h]) > bool 2", 1);
      expect(prometheus, "scrape_samples_scraped", samples);
      expect(prometheus, "sum(http_server_requests_0_total)", sum);
    } finally {
      server.stop(0);
      gzip.close();
    }
  }

  private static void expect(PrometheusServer prometheus, String query, double expected) {
    Eventually.isTrue(
        query + " = " + expected,
        LIMIT,
        () -> {
          List<PrometheusServer.Sample> found = prometheus.query(query);
          return found.size() == 1 && found.get(0).value() == expected;
        });
  }

  /** All in the server's one thread. */
  private void reply(HttpExchange exchange, byte[] text) throws IOException {
    assertThat(exchange.getRequestHeaders().getFirst("Accept-Encoding")).isEqualTo("gzip");
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
    byte[] compressed = compress(text);
    exchange.sendResponseHeaders(200, compressed.length);
    exchange.getResponseBody().write(compressed);
    exchange.close();
  }

  private byte[] compress(byte[] text) {
    try (ChunkWriter out = new ChunkWriter(chunks.pool());
        ChunkWriter in = new ChunkWriter(chunks.pool(), gzip)) {
      gzip.begin(out);
      in.write(text);
      in.flush();
      gzip.finish();
      try (Payload payload = out.finish()) {
        return payload.toByteArray();
      }
    }
  }
}
