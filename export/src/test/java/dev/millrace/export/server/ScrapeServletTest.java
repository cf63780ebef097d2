package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In a real container: Jetty. */
class ScrapeServletTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final MetricStore store = MetricStore.inMemory();
  private final Problems problems = new Problems();
  private final Server jetty =
      new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  private final ScrapeHandler scrapes =
      new ScrapeHandler(
          store,
          chunks.pool(),
          (format, escaping) -> new BytesEncoder(),
          ScrapeHandlerOptions.defaults().withMaxWaitMillis(1_000).withProblems(problems));
  private volatile int bodyBytes = 10;
  private volatile @Nullable RuntimeException failure;

  /** Writes a number of bytes and then fails, if it is to. */
  private final class BytesEncoder implements MetricEncoder {
    @Override
    public String contentType() {
      return "text/plain; version=0.0.4; charset=utf-8";
    }

    @Override
    public void encode(MetricCursor cursor, ChunkWriter out) {
      for (int i = 0; i < bodyBytes; i++) {
        out.writeByte('x');
      }
      RuntimeException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/app");
    context.addServlet(new ServletHolder(new ScrapeServlet(scrapes, problems)), "/metrics");
    jetty.setHandler(context);
    jetty.start();
  }

  @AfterEach
  void stop() throws Exception {
    jetty.stop();
    scrapes.close();
    store.close();
  }

  private RawConnection connect() throws Exception {
    int port = ((ServerConnector) jetty.getConnectors()[0]).getLocalPort();
    return RawConnection.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  @Test
  void repliesOfAnyLength() throws Exception {
    try (RawConnection client = connect()) {
      for (int length : new int[] {0, 1, Chunk.SIZE_BYTES, Chunk.SIZE_BYTES + 1, 2_000_000}) {
        bodyBytes = length;
        RawConnection.Reply reply = client.get("/app/metrics");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type"))
            .isEqualToIgnoringCase("text/plain; version=0.0.4; charset=utf-8");
        assertThat(reply.header("Vary")).isEqualTo("Accept, Accept-Encoding");
        assertThat(reply.latin1()).isEqualTo("x".repeat(length));
        RawConnection.Reply gzip =
            client.get("/app/metrics", "Accept-Encoding: br", "Accept-Encoding: gzip");
        assertThat(gzip.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(gzip.gunzipped()).isEqualTo("x".repeat(length));
      }
    }
  }

  @Test
  void headHasNoBodyAndOtherMethodsAreRefused() throws Exception {
    try (RawConnection client = connect()) {
      client.request("HEAD", "/app/metrics");
      RawConnection.Reply head = client.reply(false);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("Content-Length")).isNull();
      assertThat(head.header("Content-Type")).containsIgnoringCase("version=0.0.4");
      for (String method : new String[] {"POST", "PUT", "OPTIONS", "DELETE"}) {
        client.request(method, "/app/metrics");
        RawConnection.Reply refused = client.reply(true);
        assertThat(refused.status()).as(method).isEqualTo(405);
        assertThat(refused.header("Allow")).isEqualTo("GET, HEAD");
      }
      assertThat(client.get("/app/metrics").latin1()).isEqualTo("x".repeat(10));
    }
    assertThat(problems.kind("scrape_wrong_method").count()).isEqualTo(4);
  }

  @Test
  void failuresAreErrorsOrCutReplies() throws Exception {
    failure = new IllegalStateException("no luck");
    try (RawConnection client = connect()) {
      RawConnection.Reply reply = client.get("/app/metrics");
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.text()).doesNotContain("luck");
    }
    bodyBytes = 2_000_000;
    try (RawConnection client = connect()) {
      client.request("GET", "/app/metrics");
      String all = new String(client.untilClosed(), StandardCharsets.ISO_8859_1);
      assertThat(all).startsWith("HTTP/1.1 200").doesNotEndWith("\r\n0\r\n\r\n");
    }
    assertThat(problems.kind("scrape_failed").count()).isEqualTo(2);
  }

  @Test
  void aPeerThatReadsNothingHoldsOthersUpForABoundedTime() throws Exception {
    bodyBytes = 50_000_000;
    try (RawConnection slow = connect()) {
      slow.request("GET", "/app/metrics");
      assertThat(slow.read()).isEqualTo('H');
      Eventually.isTrue(
          "another scrape",
          LIMIT,
          () -> {
            try (RawConnection other = connect()) {
              return other.get("/app/metrics", "Accept-Encoding: gzip").status() == 200;
            }
          });
      assertThat(problems.kind("scrape_dropped").count()).isPositive();
      String rest = new String(slow.untilClosed(), StandardCharsets.ISO_8859_1);
      assertThat(rest).doesNotEndWith("\r\n0\r\n\r\n");
    }
  }

  @Test
  void aPeerThatGoesAwayIsCounted() throws Exception {
    bodyBytes = 50_000_000;
    try (RawConnection client = connect()) {
      client.request("GET", "/app/metrics");
      assertThat(client.read()).isEqualTo('H');
    }
    Eventually.isTrue(
        "an aborted scrape", LIMIT, () -> problems.kind("scrape_aborted").count() == 1);
  }
}
