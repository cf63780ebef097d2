package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.GivenBack;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In an application's own JDK server. */
class ScrapeHttpHandlerTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final MetricStore store = MetricStore.inMemory();
  private final Problems problems = new Problems();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private volatile int bodyBytes;
  private volatile @Nullable Error failure;

  private ScrapeHandler scrapes = newHandler();
  private HttpServer server = newServer();

  /** Writes a number of bytes and then fails, if it is to. */
  private final class BytesEncoder implements MetricEncoder {
    @Override
    public String contentType() {
      return "test/bytes";
    }

    @Override
    public void encode(MetricCursor cursor, ChunkWriter out) {
      for (int i = 0; i < bodyBytes; i++) {
        out.writeByte('x');
      }
      Error thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
    }
  }

  private ScrapeHandler newHandler() {
    return new ScrapeHandler(
        store,
        chunks.pool(),
        (format, escaping) -> new BytesEncoder(),
        ScrapeHandlerOptions.defaults());
  }

  private HttpServer newServer() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void start() {
    server.setExecutor(executor);
    server.createContext("/app/metrics", new ScrapeHttpHandler(scrapes, problems));
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    executor.shutdown();
    scrapes.close();
    store.close();
  }

  private RawConnection connect() throws Exception {
    return RawConnection.to(server.getAddress());
  }

  @Test
  void scrapesAtItsContextAndNowhereElse() throws Exception {
    bodyBytes = 10;
    try (RawConnection client = connect()) {
      RawConnection.Reply reply = client.get("/app/metrics");
      assertThat(reply.text()).isEqualTo("x".repeat(10));
      assertThat(reply.header("Content-Type")).isEqualTo("test/bytes");
      assertThat(reply.header("Content-Length")).isEqualTo("10");
      assertThat(client.get("/app/metrics/more").status()).isEqualTo(404);
      assertThat(client.get("/app/metrics2").status()).isEqualTo(404);
      client.request("POST", "/app/metrics");
      assertThat(client.reply(true).header("Allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void everyLengthAroundAChunkArrivesWhole() throws Exception {
    try (RawConnection client = connect()) {
      for (int chunksOfIt = 0; chunksOfIt <= 3; chunksOfIt++) {
        for (int more = -1; more <= 1; more++) {
          bodyBytes = Math.max(0, chunksOfIt * Chunk.SIZE_BYTES + more);
          RawConnection.Reply reply = client.get("/app/metrics");
          assertThat(reply.latin1()).isEqualTo("x".repeat(bodyBytes));
          assertThat(reply.header("Content-Length") != null)
              .isEqualTo(bodyBytes <= Chunk.SIZE_BYTES);
        }
      }
    }
  }

  @Test
  void aFailureBeforeTheReplyBeganIsAnError() throws Exception {
    failure = new StackOverflowError("deep");
    for (int length : new int[] {0, 10, Chunk.SIZE_BYTES + 1}) {
      bodyBytes = length;
      try (RawConnection client = connect()) {
        RawConnection.Reply reply = client.get("/app/metrics", "Accept-Encoding: gzip");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.header("Content-Encoding")).isNull();
        assertThat(reply.text()).doesNotContain("deep").doesNotContain("xx");
      }
    }
    assertThat(problems.kind("scrape_failed").count()).isEqualTo(3);
  }

  @Test
  void aFailureInTheMiddleCutsTheReplyOff() throws Exception {
    failure = new OutOfMemoryError("made up");
    bodyBytes = 5 * Chunk.SIZE_BYTES;
    try (RawConnection client = connect()) {
      client.request("GET", "/app/metrics");
      String all = new String(client.untilClosed(), StandardCharsets.ISO_8859_1);
      assertThat(all).startsWith("HTTP/1.1 200").doesNotEndWith("0\r\n\r\n");
    }
    failure = null;
    try (RawConnection client = connect()) {
      assertThat(client.get("/app/metrics").latin1()).hasSize(bodyBytes);
    }
    assertThat(problems.kind("scrape_failed").count()).isEqualTo(1);
  }
}
