package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.model.MetricCursor;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScrapeHandlerTest {
  private static final String OM = "application/openmetrics-text;version=1.0.0";
  private static final ScrapeRequest TEXT = new ScrapeRequest(null, null, false);
  private static final ScrapeRequest GZIP = new ScrapeRequest(null, "gzip", false);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final AtomicInteger openCursors = new AtomicInteger();
  private final AtomicInteger encodersMade = new AtomicInteger();
  private volatile int lines = 3;
  private volatile @Nullable RuntimeException failure;

  /** Writes its format and a number of lines; at most one thread may be in it. */
  private final class LineEncoder implements MetricEncoder {
    private final PrometheusFormat format;
    private final AtomicInteger inside = new AtomicInteger();
    private final byte[] prefix;

    LineEncoder(PrometheusFormat format, EscapingScheme escaping) {
      assertThat(escaping).isEqualTo(EscapingScheme.UNDERSCORES);
      this.format = format;
      this.prefix = (format + " ").getBytes(StandardCharsets.UTF_8);
      encodersMade.incrementAndGet();
    }

    @Override
    public String contentType() {
      return "test/" + format;
    }

    @Override
    public void encode(MetricCursor cursor, ChunkWriter out) {
      assertThat(inside.incrementAndGet()).isEqualTo(1);
      assertThat(openCursors.get()).isPositive();
      try {
        for (int i = 0; i < lines; i++) {
          out.write(prefix);
          for (int place = 100_000; place > 0; place /= 10) {
            out.writeByte('0' + i / place % 10);
          }
          out.writeByte('\n');
        }
        RuntimeException thrown = failure;
        if (thrown != null) {
          throw thrown;
        }
      } finally {
        inside.decrementAndGet();
      }
    }
  }

  private ScrapeHandler handler() {
    return new ScrapeHandler(
        () -> EmptyCursor.open(openCursors),
        chunks.pool(),
        LineEncoder::new,
        ScrapeHandlerOptions.defaults());
  }

  private String expected(PrometheusFormat format) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(format).append(' ');
      text.append(1_000_000 + i).deleteCharAt(text.length() - 7).append('\n');
    }
    return text.toString();
  }

  @Test
  void writesTheNegotiatedFormat() {
    try (ScrapeHandler handler = handler()) {
      CollectedReply text = new CollectedReply();
      ScrapeResult result = handler.handle(TEXT, text);
      assertThat(text.calls).containsExactly("start test/TEXT_0_0_4 null", "end");
      assertThat(text.text()).isEqualTo(expected(PrometheusFormat.TEXT_0_0_4));
      assertThat(result)
          .isEqualTo(
              new ScrapeResult(
                  PrometheusFormat.TEXT_0_0_4,
                  EscapingScheme.UNDERSCORES,
                  ContentCoding.IDENTITY,
                  text.bytes().length));

      CollectedReply openMetrics = new CollectedReply();
      handler.handle(new ScrapeRequest(OM, null, false), openMetrics);
      assertThat(openMetrics.calls).containsExactly("start test/OPEN_METRICS_1_0_0 null", "end");
      assertThat(openMetrics.text()).isEqualTo(expected(PrometheusFormat.OPEN_METRICS_1_0_0));
    }
    assertThat(openCursors).hasValue(0);
  }

  @Test
  void compresses() throws Exception {
    lines = 50_000;
    try (ScrapeHandler handler = handler()) {
      for (int i = 0; i < 3; i++) {
        CollectedReply reply = new CollectedReply();
        ScrapeResult result = handler.handle(GZIP, reply);
        assertThat(reply.calls).containsExactly("start test/TEXT_0_0_4 gzip", "end");
        assertThat(reply.gunzipped()).isEqualTo(expected(PrometheusFormat.TEXT_0_0_4));
        assertThat(result.bodyBytes()).isEqualTo(reply.bytes().length);
        assertThat(result.coding()).isEqualTo(ContentCoding.GZIP);
      }
    }
  }

  @Test
  void headHasTheHeadersAndNoBody() {
    try (ScrapeHandler handler = handler()) {
      CollectedReply reply = new CollectedReply();
      handler.handle(new ScrapeRequest(OM, "gzip", true), reply);
      assertThat(reply.calls).containsExactly("start test/OPEN_METRICS_1_0_0 gzip", "end");
      assertThat(reply.bytes()).isEmpty();
    }
  }

  @Test
  void anEmptyScrapeIsStillAReply() throws Exception {
    lines = 0;
    try (ScrapeHandler handler = handler()) {
      CollectedReply plain = new CollectedReply();
      handler.handle(TEXT, plain);
      assertThat(plain.calls).hasSize(2);
      assertThat(plain.bytes()).isEmpty();
      CollectedReply gzip = new CollectedReply();
      handler.handle(GZIP, gzip);
      assertThat(gzip.gunzipped()).isEmpty();
    }
  }

  @Test
  void freesTheSourceBeforeTheLastChunkWaitsForThePeer() {
    lines = 10;
    List<Integer> openAtChunk = new ArrayList<>();
    try (ScrapeHandler handler = handler()) {
      handler.handle(
          TEXT, new CollectedReply(Integer.MAX_VALUE, () -> openAtChunk.add(openCursors.get())));
    }
    assertThat(openAtChunk).containsExactly(0);
  }

  @Test
  void keepsEncodersBetweenScrapes() {
    try (ScrapeHandler handler = handler()) {
      for (int i = 0; i < 5; i++) {
        handler.handle(TEXT, new CollectedReply());
      }
      assertThat(encodersMade).hasValue(1);
    }
  }

  @Test
  void aPeerThatGoesAwayCostsNothingButItsScrape() {
    lines = 100_000;
    try (ScrapeHandler handler = handler()) {
      for (int chunksUntilGone = 0; chunksUntilGone < 5; chunksUntilGone++) {
        CollectedReply reply = new CollectedReply(chunksUntilGone, () -> {});
        assertThatThrownBy(() -> handler.handle(TEXT, reply))
            .isInstanceOf(UncheckedIOException.class);
        assertThat(reply.calls).doesNotContain("end");
        assertThat(openCursors).hasValue(0);
      }
      CollectedReply gzip = new CollectedReply(0, () -> {});
      assertThatThrownBy(() -> handler.handle(GZIP, gzip)).isInstanceOf(UncheckedIOException.class);
      assertThat(encodersMade).hasValue(1);
    }
  }

  @Test
  void aScrapeThatFailsEarlyHasNotStarted() {
    failure = new IllegalStateException("no such luck");
    try (ScrapeHandler handler = handler()) {
      for (ScrapeRequest request : List.of(TEXT, GZIP)) {
        CollectedReply reply = new CollectedReply();
        assertThatThrownBy(() -> handler.handle(request, reply)).isSameAs(failure);
        assertThat(reply.calls).isEmpty();
      }
      assertThat(openCursors).hasValue(0);
      failure = null;
      handler.handle(TEXT, new CollectedReply());
    }
    // An encoder that failed is not used again.
    assertThat(encodersMade).hasValue(3);
  }

  @Test
  void aReplyThatCannotStartCostsNoChunk() {
    ScrapeReply refusing =
        new ScrapeReply() {
          @Override
          public void start(String contentType, @Nullable String contentEncoding) {
            throw new IllegalStateException("not now");
          }

          @Override
          public void accept(Chunk chunk, ChunkPool pool) {
            throw new AssertionError("expected no chunk before start");
          }

          @Override
          public void abort() {}

          @Override
          public void end() {
            throw new AssertionError("expected no end before start");
          }
        };
    try (ScrapeHandler handler = handler()) {
      assertThatThrownBy(() -> handler.handle(TEXT, refusing)).hasMessage("not now");
    }
  }

  @Test
  void eightScrapesAtOnceOfBothFormatsAreNotMixed() throws Exception {
    lines = 20_000;
    int threads = 8;
    CyclicBarrier together = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (ScrapeHandler handler = handler()) {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        boolean openMetrics = i % 2 == 0;
        boolean gzip = i % 4 < 2;
        Callable<Boolean> scrape =
            () -> {
              together.await();
              for (int round = 0; round < 5; round++) {
                CollectedReply reply = new CollectedReply();
                handler.handle(
                    new ScrapeRequest(openMetrics ? OM : null, gzip ? "gzip" : null, false), reply);
                assertThat(gzip ? reply.gunzipped() : reply.text())
                    .isEqualTo(
                        expected(
                            openMetrics
                                ? PrometheusFormat.OPEN_METRICS_1_0_0
                                : PrometheusFormat.TEXT_0_0_4));
              }
              return true;
            };
        results.add(pool.submit(scrape));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      pool.shutdown();
    }
    assertThat(openCursors).hasValue(0);
  }

  @Test
  void aScrapeAllocatesTheSameWhateverItsSize() throws Exception {
    ScrapeReply discarding =
        new ScrapeReply() {
          @Override
          public void start(String contentType, @Nullable String contentEncoding) {}

          @Override
          public void accept(Chunk chunk, ChunkPool pool) {
            pool.giveBack(chunk);
          }

          @Override
          public void abort() {}

          @Override
          public void end() {}
        };
    ScrapeRequest prometheus = new ScrapeRequest(OM + ",text/plain;q=0.5,*/*;q=0.1", "gzip", false);
    lines = 100_000;
    try (ScrapeHandler handler = handler()) {
      long bytes =
          AllocationMeter.bytesPerOperation(20, 5, () -> handler.handle(prometheus, discarding));
      // Negotiation and a few small objects; the test's assertions in the encoder are part of it.
      assertThat(bytes).isLessThan(8_192);
    }
  }
}
