package dev.millrace.export.scrape;

import static dev.millrace.export.scrape.Scrapes.LIMIT;
import static dev.millrace.format.prometheus.PrometheusFormat.OPEN_METRICS_1_0_0;
import static dev.millrace.format.prometheus.PrometheusFormat.TEXT_0_0_4;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.Scrapes.Scrape;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReplyCacheTest {
  private static final ScrapeKey TEXT = Scrapes.key(TEXT_0_0_4);
  private static final ScrapeKey OM = Scrapes.key(OPEN_METRICS_1_0_0);
  private static final ScrapeKey GZIP =
      new ScrapeKey(TEXT_0_0_4, EscapingScheme.UNDERSCORES, ContentCoding.GZIP);
  private static final ScrapeKey DOTS =
      new ScrapeKey(TEXT_0_0_4, EscapingScheme.DOTS, ContentCoding.IDENTITY);
  private static final long LIFE_MILLIS = 1_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private Scrapes scrapes = cachingChunks(256);

  private Scrapes cachingChunks(int maxChunks) {
    return new Scrapes(
        chunks.pool(),
        options ->
            options
                .withCacheMillis(LIFE_MILLIS)
                .withCacheBytes((long) maxChunks * Chunk.SIZE_BYTES));
  }

  @AfterEach
  void close() {
    scrapes.close();
  }

  private void expect(ScrapeKey key, int collection) throws Exception {
    scrapes.expectWhole(scrapes.start(key, PacedReply.fast()), collection);
  }

  private void passMillis(long millis) {
    scrapes.nanos.addAndGet(millis * 1_000_000);
  }

  @Test
  void aReplyAnswersScrapesLikeItUntilItIsOld() throws Exception {
    expect(TEXT, 1);
    passMillis(LIFE_MILLIS - 1);
    expect(TEXT, 1);
    expect(TEXT, 1);
    passMillis(1);
    expect(TEXT, 2);
    expect(TEXT, 2);
    assertThat(scrapes.handler.cachedScrapes()).isEqualTo(3);
    assertThat(scrapes.handler.collections()).isEqualTo(2);
  }

  @Test
  void otherFormatsEscapingsAndCodingsHaveRepliesOfTheirOwn() throws Exception {
    scrapes.source.lines = 20_000;
    List<ScrapeKey> keys = List.of(TEXT, OM, GZIP, DOTS);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < keys.size(); i++) {
        expect(keys.get(i), i + 1);
      }
    }
    assertThat(scrapes.source.collections).hasValue(4);
  }

  @Test
  void itsAgeCountsFromWhenTheSourceWasRead() throws Exception {
    scrapes.makeLong();
    Scrape slow = scrapes.start(TEXT, PacedReply.stallingAfter(1));
    Eventually.isTrue("a peer that stalls", LIMIT, slow.reply::isStalled);
    passMillis(LIFE_MILLIS);
    slow.reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(slow, 1);
    expect(TEXT, 2);
  }

  @Test
  void isOffUnlessItIsAskedFor() throws Exception {
    scrapes.close();
    scrapes = new Scrapes(chunks.pool());
    expect(TEXT, 1);
    assertThat(chunks.pool().outstandingChunks()).isZero();
    expect(TEXT, 2);
    assertThat(scrapes.handler.cachedScrapes()).isZero();
  }

  @Test
  void givesItsMemoryBackWhenRepliesAreOld() throws Exception {
    scrapes.source.lines = 20_000;
    expect(TEXT, 1);
    expect(GZIP, 2);
    long held = chunks.pool().outstandingChunks();
    assertThat(held).isGreaterThan(5);
    passMillis(LIFE_MILLIS);
    scrapes.handler.trim();
    assertThat(chunks.pool().outstandingChunks()).isZero();

    expect(TEXT, 3);
    passMillis(LIFE_MILLIS);
    // A scrape of another kind lets go of it as well.
    scrapes.source.lines = 10;
    expect(OM, 4);
    assertThat(chunks.pool().outstandingChunks()).isEqualTo(1);
  }

  @Test
  void headIsAnsweredWithoutAReplyBeingKeptOrRead() throws Exception {
    expect(TEXT, 1);
    CollectedReply head = new CollectedReply();
    scrapes.handler.handle(new ScrapeRequest(null, null, true), head);
    assertThat(head.calls).containsExactly("start test/TEXT_0_0_4+UNDERSCORES null", "end");
    assertThat(head.bytes()).isEmpty();
    assertThat(scrapes.source.collections).hasValue(1);
  }

  @Test
  void aReplyThatDoesNotFitIsNotKept() throws Exception {
    scrapes.close();
    scrapes = cachingChunks(4);
    scrapes.source.lines = 20_000;
    expect(TEXT, 1);
    assertThat(chunks.pool().outstandingChunks()).isZero();
    expect(GZIP, 2);
    assertThat(chunks.pool().outstandingChunks()).isBetween(1L, 4L);
    expect(TEXT, 3);
    expect(GZIP, 2);
  }

  @Test
  void peersThatTakeOldRepliesSlowlyDoNotMakeTheMemoryGrow() throws Exception {
    scrapes.source.lines = 20_000;
    expect(TEXT, 1);
    long held = chunks.pool().outstandingChunks();
    scrapes.close();
    scrapes = cachingChunks((int) held * 2);
    scrapes.source.lines = 20_000;
    List<Scrape> slow = new ArrayList<>();
    for (int collection = 1; collection <= 2; collection++) {
      expect(TEXT, collection);
      for (int i = 0; i < 5; i++) {
        Scrape scrape = scrapes.start(TEXT, PacedReply.stallingAfter(1));
        Eventually.isTrue("a peer that stalls", LIMIT, scrape.reply::isStalled);
        slow.add(scrape);
      }
      passMillis(LIFE_MILLIS);
    }
    assertThat(chunks.pool().outstandingChunks()).isEqualTo(held * 2);
    // There is no room for another one as long as they do not go on.
    expect(TEXT, 3);
    expect(TEXT, 4);
    assertThat(chunks.pool().outstandingChunks()).isEqualTo(held * 2);
    for (int i = 0; i < slow.size(); i++) {
      slow.get(i).reply.allow(Long.MAX_VALUE);
      scrapes.expectWhole(slow.get(i), i < 5 ? 1 : 2);
    }
    expect(TEXT, 5);
    expect(TEXT, 5);
    assertThat(chunks.pool().outstandingChunks()).isEqualTo(held);
  }

  @Test
  void aReplyThatFailsOrThatNobodyWantsAnyMoreIsNotKept() throws Exception {
    scrapes.makeLong();
    scrapes.source.failure = new IllegalStateException("no such luck");
    scrapes.start(TEXT, PacedReply.fast()).failed();
    scrapes.source.failure = null;
    scrapes.start(TEXT, PacedReply.goneAfter(3)).failed();
    assertThat(chunks.pool().outstandingChunks()).isZero();
    expect(TEXT, 3);
    expect(TEXT, 3);
  }

  @Test
  void whoWaitsForTheSourceTakesWhatWasKeptMeanwhile() throws Exception {
    scrapes.makeLong();
    Scrape reading = scrapes.start(TEXT, PacedReply.stallingAfter(1));
    Scrape waiting = scrapes.start(TEXT, PacedReply.fast());
    Scrape other = scrapes.start(OM, PacedReply.fast());
    reading.reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(reading, 1);
    scrapes.expectWhole(other, 2);
    waiting.join();
    assertThat(waiting.reply.text(TEXT))
        .isIn(scrapes.source.expected(TEXT, 1), scrapes.source.expected(TEXT, 2));
  }

  @Test
  void aPeerThatGoesAwayWhileItTakesAReplyThatWasKept() throws Exception {
    scrapes.makeLong();
    expect(TEXT, 1);
    long held = chunks.pool().outstandingChunks();
    assertThat(scrapes.start(TEXT, PacedReply.goneAfter(2)).failed()).hasMessageContaining("gone");
    assertThat(chunks.pool().outstandingChunks()).isEqualTo(held);
    expect(TEXT, 1);
  }
}
