package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One scrape at a time. */
class ScrapeHandlerTest {
  private static final String OM = "application/openmetrics-text;version=1.0.0";
  private static final ScrapeRequest TEXT = new ScrapeRequest(null, null, false);
  private static final ScrapeRequest GZIP = new ScrapeRequest(null, "gzip", false);
  private static final String TEXT_TYPE = "test/TEXT_0_0_4+UNDERSCORES";

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final LineSource source = new LineSource();

  private ScrapeHandler handler() {
    return handler(ScrapeHandlerOptions.defaults());
  }

  private ScrapeHandler handler(ScrapeHandlerOptions options) {
    return new ScrapeHandler(source, chunks.pool(), source::encoder, options);
  }

  private String expected(PrometheusFormat format, int collection) {
    return source.expected(Scrapes.key(format), collection);
  }

  @Test
  void writesTheNegotiatedFormat() {
    try (ScrapeHandler handler = handler()) {
      CollectedReply text = new CollectedReply();
      ScrapeResult result = handler.handle(TEXT, text);
      assertThat(text.calls).containsExactly("start " + TEXT_TYPE + " null", "end");
      assertThat(text.text()).isEqualTo(expected(PrometheusFormat.TEXT_0_0_4, 1));
      assertThat(result)
          .isEqualTo(
              new ScrapeResult(
                  PrometheusFormat.TEXT_0_0_4,
                  EscapingScheme.UNDERSCORES,
                  ContentCoding.IDENTITY,
                  text.bytes().length));

      CollectedReply openMetrics = new CollectedReply();
      handler.handle(new ScrapeRequest(OM + ";escaping=dots", null, false), openMetrics);
      assertThat(openMetrics.calls)
          .containsExactly("start test/OPEN_METRICS_1_0_0+DOTS null", "end");
      ScrapeKey key =
          new ScrapeKey(
              PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.DOTS, ContentCoding.IDENTITY);
      assertThat(openMetrics.text()).isEqualTo(source.expected(key, 2));
    }
    assertThat(source.openCursors).hasValue(0);
  }

  @Test
  void compresses() throws Exception {
    source.lines = 50_000;
    try (ScrapeHandler handler = handler()) {
      for (int i = 1; i <= 3; i++) {
        CollectedReply reply = new CollectedReply();
        ScrapeResult result = handler.handle(GZIP, reply);
        assertThat(reply.calls).containsExactly("start " + TEXT_TYPE + " gzip", "end");
        assertThat(reply.gunzipped()).isEqualTo(expected(PrometheusFormat.TEXT_0_0_4, i));
        assertThat(result.bodyBytes()).isEqualTo(reply.bytes().length);
        assertThat(result.coding()).isEqualTo(ContentCoding.GZIP);
      }
    }
  }

  @Test
  void headHasTheHeadersAndNoBodyAndReadsNoSource() {
    try (ScrapeHandler handler = handler()) {
      CollectedReply reply = new CollectedReply();
      ScrapeResult result = handler.handle(new ScrapeRequest(OM, "gzip", true), reply);
      assertThat(reply.calls)
          .containsExactly("start test/OPEN_METRICS_1_0_0+UNDERSCORES gzip", "end");
      assertThat(reply.bytes()).isEmpty();
      assertThat(result.bodyBytes()).isZero();
    }
    assertThat(source.collections).hasValue(0);
  }

  @Test
  void anEmptyScrapeIsStillAReply() throws Exception {
    source.lines = 0;
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
    source.lines = 10;
    List<Integer> openAtChunk = new ArrayList<>();
    try (ScrapeHandler handler = handler()) {
      for (ScrapeRequest request : List.of(TEXT, GZIP)) {
        handler.handle(
            request,
            new CollectedReply(Integer.MAX_VALUE, () -> openAtChunk.add(source.openCursors.get())));
      }
    }
    assertThat(openAtChunk).containsExactly(0, 0);
  }

  @Test
  void keepsTheEncodersUsedLastBetweenScrapes() {
    try (ScrapeHandler handler = handler(ScrapeHandlerOptions.defaults().withMaxIdleEncoders(2))) {
      for (int i = 0; i < 5; i++) {
        handler.handle(TEXT, new CollectedReply());
        handler.handle(GZIP, new CollectedReply());
        handler.handle(new ScrapeRequest(OM, null, i % 2 == 0), new CollectedReply());
      }
      assertThat(source.encodersMade).hasValue(2);
      handler.handle(new ScrapeRequest(OM + ";escaping=dots", null, false), new CollectedReply());
      handler.handle(new ScrapeRequest(OM, null, false), new CollectedReply());
      assertThat(source.encodersMade).hasValue(3);
      handler.handle(TEXT, new CollectedReply());
      assertThat(source.encodersMade).hasValue(4);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aPeerThatGoesAwayCostsNothingButItsScrape(int chunksUntilGone) {
    source.lines = 100_000;
    try (ScrapeHandler handler = handler()) {
      CollectedReply reply = new CollectedReply(chunksUntilGone, () -> {});
      assertThatThrownBy(() -> handler.handle(TEXT, reply))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("gone");
      assertThat(reply.calls).doesNotContain("end");
      assertThat(source.openCursors).hasValue(0);
      CollectedReply gzip = new CollectedReply(0, () -> {});
      assertThatThrownBy(() -> handler.handle(GZIP, gzip)).isInstanceOf(UncheckedIOException.class);
      handler.handle(TEXT, new CollectedReply());
      assertThat(source.encodersMade).hasValue(1);
    }
  }

  @Test
  void aScrapeThatFailsEarlyHasNotStarted() {
    IllegalStateException thrown = new IllegalStateException("no such luck");
    source.failure = thrown;
    try (ScrapeHandler handler = handler()) {
      for (ScrapeRequest request : List.of(TEXT, GZIP)) {
        CollectedReply reply = new CollectedReply();
        assertThatThrownBy(() -> handler.handle(request, reply)).isSameAs(thrown);
        assertThat(reply.calls).isEmpty();
      }
      assertThat(source.openCursors).hasValue(0);
      source.failure = null;
      handler.handle(TEXT, new CollectedReply());
    }
    // An encoder that failed is not used again.
    assertThat(source.encodersMade).hasValue(3);
  }

  @Test
  void aSourceThatCannotBeReadIsNoPeerThatIsGone() {
    UncheckedIOException thrown = new UncheckedIOException(new IOException("no such file"));
    try (ScrapeHandler handler = handler()) {
      source.openFailure = thrown;
      assertThatThrownBy(() -> handler.handle(TEXT, new CollectedReply()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no such file")
          .hasCause(thrown);
      source.openFailure = null;
      source.failure = thrown;
      assertThatThrownBy(() -> handler.handle(TEXT, new CollectedReply()))
          .isInstanceOf(IllegalStateException.class)
          .hasCause(thrown);
    }
  }

  @Test
  void aReplyThatCannotStartOrEndCostsNoChunk() {
    try (ScrapeHandler handler = handler()) {
      for (String failing : List.of("start", "end")) {
        ScrapeReply refusing = new DiscardedReply(failing);
        assertThatThrownBy(() -> handler.handle(TEXT, refusing)).hasMessage("no " + failing);
        assertThatThrownBy(() -> handler.handle(new ScrapeRequest(null, null, true), refusing))
            .hasMessage("no " + failing);
      }
    }
    assertThat(source.openCursors).hasValue(0);
  }

  /** Gives chunks back at once. */
  private record DiscardedReply(String failing) implements ScrapeReply {
    @Override
    public void start(String contentType, @Nullable String contentEncoding) {
      failIf("start");
    }

    @Override
    public void accept(Chunk chunk, ChunkPool pool) {
      pool.giveBack(chunk);
    }

    @Override
    public void end() {
      failIf("end");
    }

    @Override
    public void abort() {
      throw new AssertionError("expected nobody to wait for this reply");
    }

    private void failIf(String call) {
      if (failing.equals(call)) {
        throw new IllegalStateException("no " + call);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 100_000})
  void aScrapeAllocatesTheSameWhateverItsSize(int lines) throws Exception {
    ScrapeRequest prometheus =
        new ScrapeRequest(
            OM
                + ";escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,"
                + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
            "gzip",
            false);
    ScrapeReply reply = new DiscardedReply("nothing");
    source.lines = lines;
    try (ScrapeHandler handler = handler()) {
      long bytes =
          AllocationMeter.bytesPerOperation(40, 5, () -> handler.handle(prometheus, reply));
      // Most of it is the Accept header's parts; the test's own assertions and cursor are in it.
      assertThat(bytes).isLessThan(8_192);
    }
  }
}
