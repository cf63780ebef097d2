package dev.millrace.export.scrape;

import static dev.millrace.export.scrape.Scrapes.LIMIT;
import static dev.millrace.export.scrape.Scrapes.MAX_WAIT_MILLIS;
import static dev.millrace.format.prometheus.PrometheusFormat.OPEN_METRICS_0_0_1;
import static dev.millrace.format.prometheus.PrometheusFormat.OPEN_METRICS_1_0_0;
import static dev.millrace.format.prometheus.PrometheusFormat.PROTOBUF;
import static dev.millrace.format.prometheus.PrometheusFormat.TEXT_0_0_4;
import static dev.millrace.format.prometheus.PrometheusFormat.TEXT_1_0_0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.Scrapes.Scrape;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SharedScrapesTest {
  private static final ScrapeKey TEXT = Scrapes.key(TEXT_0_0_4);
  private static final ScrapeKey OM = Scrapes.key(OPEN_METRICS_1_0_0);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private Scrapes scrapes;

  @BeforeEach
  void open() {
    scrapes = new Scrapes(chunks.pool());
  }

  @AfterEach
  void close() {
    scrapes.close();
  }

  /** Starts scrapes that share one collection, the first as its leader, and lets them go. */
  private List<Scrape> together(List<ScrapeKey> keys, List<PacedReply> replies) {
    CountDownLatch gate = new CountDownLatch(1);
    scrapes.source.openGate = gate;
    List<Scrape> all = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      all.add(scrapes.start(keys.get(i), replies.get(i)));
    }
    gate.countDown();
    return all;
  }

  private static List<PacedReply> fast(int count) {
    List<PacedReply> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(PacedReply.fast());
    }
    return replies;
  }

  private static ScrapeKey gzip(ScrapeKey key) {
    return new ScrapeKey(key.format(), key.escaping(), ContentCoding.GZIP);
  }

  @Test
  void thoseThatComeWhileTheSourceIsOpenedShareIt() throws Exception {
    scrapes.makeLong();
    List<ScrapeKey> keys = List.of(TEXT, OM, TEXT, gzip(OM), OM, gzip(OM), TEXT, TEXT);
    List<Scrape> all = together(keys, fast(8));
    for (Scrape scrape : all) {
      scrapes.expectWhole(scrape, 1);
    }
    assertThat(scrapes.source.collections).hasValue(1);
    assertThat(scrapes.source.encodersMade).hasValue(2);
    assertThat(scrapes.handler.collections()).isEqualTo(1);
    assertThat(scrapes.handler.sharedScrapes()).isEqualTo(7);
    assertThat(scrapes.handler.droppedScrapes()).isZero();
  }

  @Test
  void thoseThatComeLaterShareTheNextCollection() throws Exception {
    scrapes.makeLong();
    Scrape first = scrapes.start(TEXT, PacedReply.stallingAfter(2));
    List<Scrape> later = new ArrayList<>();
    for (ScrapeKey key : List.of(OM, TEXT, gzip(TEXT), TEXT, Scrapes.key(PROTOBUF), OM, TEXT)) {
      later.add(scrapes.start(key, PacedReply.fast()));
    }
    assertThat(scrapes.source.collections).hasValue(1);
    first.reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(first, 1);
    for (Scrape scrape : later) {
      scrapes.expectWhole(scrape, 2);
    }
    assertThat(scrapes.source.collections).hasValue(2);
  }

  @Test
  void eachEscapingHasItsOwnBytes() throws Exception {
    List<ScrapeKey> keys = new ArrayList<>();
    for (EscapingScheme escaping : EscapingScheme.values()) {
      keys.add(new ScrapeKey(TEXT_1_0_0, escaping, ContentCoding.IDENTITY));
    }
    for (Scrape scrape : together(keys, fast(4))) {
      scrapes.expectWhole(scrape, 1);
    }
    assertThat(scrapes.source.encodersMade).hasValue(4);
  }

  @Test
  void eightAtOnceInEightFormsWithPeersOfEveryKind() throws Exception {
    scrapes.makeLong();
    List<ScrapeKey> keys =
        List.of(
            TEXT,
            OM,
            Scrapes.key(PROTOBUF),
            Scrapes.key(TEXT_1_0_0),
            Scrapes.key(OPEN_METRICS_0_0_1),
            new ScrapeKey(TEXT_0_0_4, EscapingScheme.DOTS, ContentCoding.IDENTITY),
            gzip(OM),
            gzip(TEXT));
    PacedReply trickle = PacedReply.stallingAfter(1);
    List<Scrape> all =
        together(
            keys,
            List.of(
                PacedReply.stallingAfter(0),
                PacedReply.fast(),
                trickle,
                PacedReply.goneAfter(3),
                PacedReply.stallingAfter(5),
                PacedReply.fast(),
                PacedReply.fast(),
                PacedReply.goneAfter(0)));
    List<Scrape> fast = List.of(all.get(1), all.get(5), all.get(6));
    for (long millis = 0; millis < MAX_WAIT_MILLIS && anyAlive(fast); millis += 250) {
      scrapes.pass(250);
      if (millis % 1_000 == 0) {
        trickle.allow(1);
      }
    }
    for (Scrape scrape : fast) {
      scrapes.expectWhole(scrape, 1);
    }
    for (int i : List.of(2, 4)) {
      assertThat(all.get(i).failed())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("while others wait");
      assertThat(all.get(i).reply.isAborted()).isTrue();
    }
    for (int i : List.of(3, 7)) {
      assertThat(all.get(i).failed()).hasMessageContaining("gone");
      assertThat(all.get(i).reply.isAborted()).isFalse();
    }
    // The leader's own reply comes last, when nobody waits for its peer any more.
    all.get(0).reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(all.get(0), 1);
    assertThat(scrapes.handler.droppedScrapes()).isEqualTo(2);
    assertThat(scrapes.source.collections).hasValue(1);
  }

  private static boolean anyAlive(List<Scrape> some) {
    for (Scrape scrape : some) {
      if (scrape.thread.isAlive()) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aSlowPeerThatNobodyWaitsForIsLeftAlone() throws Exception {
    scrapes.makeLong();
    Scrape slow = scrapes.start(TEXT, PacedReply.stallingAfter(1));
    Eventually.isTrue("a peer that stalls", LIMIT, slow.reply::isStalled);
    scrapes.nanos.addAndGet(3_600_000_000_000L);
    slow.reply.allow(1);
    scrapes.pass(1_000);
    assertThat(slow.thread.isAlive()).isTrue();
    slow.reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(slow, 1);
  }

  @Test
  void aSlowPeerIsDroppedWhenAnotherScrapeHasWaitedForItLongEnough() throws Exception {
    scrapes.makeLong();
    Scrape slow = scrapes.start(TEXT, PacedReply.stallingAfter(1));
    Eventually.isTrue("a peer that stalls", LIMIT, slow.reply::isStalled);
    scrapes.nanos.addAndGet(3_600_000_000_000L);

    Scrape waiting = scrapes.start(TEXT, PacedReply.fast());
    scrapes.pass(MAX_WAIT_MILLIS * 3 / 4 - 100);
    assertThat(slow.reply.isAborted()).isFalse();
    scrapes.pass(100);
    assertThat(slow.failed())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("while others wait");
    scrapes.expectWhole(waiting, 2);
    assertThat(scrapes.handler.droppedScrapes()).isEqualTo(1);
    assertThat(scrapes.problems.kind("scrape_dropped").count()).isEqualTo(1);
  }

  @Test
  void aPeerThatTricklesIsDroppedAsWell() throws Exception {
    scrapes.makeLong();
    Scrape slow = scrapes.start(TEXT, PacedReply.stallingAfter(1));
    Scrape waiting = scrapes.start(OM, PacedReply.fast());
    for (int i = 0; i < MAX_WAIT_MILLIS / 250 && slow.thread.isAlive(); i++) {
      scrapes.pass(250);
      slow.reply.allow(1);
    }
    assertThat(slow.failed()).hasMessageContaining("while others wait");
    scrapes.expectWhole(waiting, 2);
  }

  @Test
  void aLeaderWhosePeerStallsIsDroppedAndItsFollowersGetEverything() throws Exception {
    scrapes.makeLong();
    List<Scrape> all =
        together(
            List.of(TEXT, TEXT, OM, TEXT),
            List.of(
                PacedReply.stallingAfter(2),
                PacedReply.fast(),
                PacedReply.fast(),
                PacedReply.fast()));
    scrapes.pass(MAX_WAIT_MILLIS * 3 / 4);
    assertThat(all.get(0).failed()).hasMessageContaining("while others wait");
    for (int i = 1; i < 4; i++) {
      scrapes.expectWhole(all.get(i), 1);
    }
  }

  @Test
  void aFollowerWhosePeerStallsIsDroppedAndTheOthersGetEverything() throws Exception {
    scrapes.makeLong();
    List<Scrape> all =
        together(
            List.of(TEXT, TEXT, TEXT),
            List.of(PacedReply.fast(), PacedReply.stallingAfter(2), PacedReply.fast()));
    scrapes.pass(MAX_WAIT_MILLIS * 3 / 4);
    assertThat(all.get(1).failed()).hasMessageContaining("while others wait");
    scrapes.expectWhole(all.get(0), 1);
    scrapes.expectWhole(all.get(2), 1);
  }

  @Test
  void aFollowerWhoseBodyFitsIntoTheWindowHoldsNobodyUp() throws Exception {
    scrapes.source.lines = 10_000;
    List<Scrape> all =
        together(
            List.of(TEXT, TEXT, OM),
            List.of(PacedReply.fast(), PacedReply.stallingAfter(0), PacedReply.fast()));
    scrapes.expectWhole(all.get(0), 1);
    scrapes.expectWhole(all.get(2), 1);
    scrapes.expectWhole(scrapes.start(TEXT, PacedReply.fast()), 2);
    scrapes.nanos.addAndGet(3_600_000_000_000L);
    all.get(1).reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(all.get(1), 1);
  }

  @Test
  void aLeaderWhoseBodyIsWholeHoldsNobodyUp() throws Exception {
    List<Scrape> all =
        together(
            List.of(TEXT, TEXT, gzip(OM), OM),
            List.of(
                PacedReply.stallingAfter(0),
                PacedReply.fast(),
                PacedReply.fast(),
                PacedReply.fast()));
    for (int i = 1; i < 4; i++) {
      scrapes.expectWhole(all.get(i), 1);
    }
    scrapes.expectWhole(scrapes.start(TEXT, PacedReply.fast()), 2);
    scrapes.nanos.addAndGet(3_600_000_000_000L);
    all.get(0).reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(all.get(0), 1);
  }

  @Test
  void peersThatAreEquallySlowDoNotWaitForEachOther() throws Exception {
    scrapes.makeLong();
    List<PacedReply> replies =
        List.of(
            PacedReply.stallingAfter(0), PacedReply.stallingAfter(0), PacedReply.stallingAfter(0));
    List<Scrape> all = together(List.of(TEXT, TEXT, TEXT), replies);
    while (anyAlive(all)) {
      scrapes.awaitQuiet();
      scrapes.nanos.addAndGet(MAX_WAIT_MILLIS * 1_000_000);
      replies.forEach(reply -> reply.allow(4));
    }
    for (Scrape scrape : all) {
      scrapes.expectWhole(scrape, 1);
    }
  }

  @Test
  void aLeaderWhosePeerGoesAwayGoesOnForTheOthers() throws Exception {
    scrapes.makeLong();
    for (int chunksUntilGone = 0; chunksUntilGone < 4; chunksUntilGone++) {
      List<Scrape> all =
          together(
              List.of(TEXT, OM, TEXT),
              List.of(PacedReply.goneAfter(chunksUntilGone), PacedReply.fast(), PacedReply.fast()));
      assertThat(all.get(0).failed()).hasMessageContaining("gone");
      scrapes.expectWhole(all.get(1), chunksUntilGone + 1);
      scrapes.expectWhole(all.get(2), chunksUntilGone + 1);
    }
    assertThat(scrapes.source.encodersMade).hasValue(2);
  }

  @Test
  void aFollowerWhosePeerGoesAwayCostsItsOwnScrapeOnly() throws Exception {
    scrapes.makeLong();
    List<Scrape> all =
        together(
            List.of(TEXT, TEXT, TEXT, OM),
            List.of(
                PacedReply.fast(),
                PacedReply.goneAfter(2),
                PacedReply.fast(),
                PacedReply.goneAfter(0)));
    scrapes.expectWhole(all.get(0), 1);
    assertThat(all.get(1).failed()).hasMessageContaining("gone");
    scrapes.expectWhole(all.get(2), 1);
    assertThat(all.get(3).failed()).hasMessageContaining("gone");
  }

  @Test
  void anInterruptedLeaderGoesOnForTheOthers() throws Exception {
    scrapes.makeLong();
    // The follower keeps the leader waiting for room.
    List<Scrape> all =
        together(List.of(TEXT, TEXT), List.of(PacedReply.fast(), PacedReply.stallingAfter(1)));
    Eventually.isTrue("a peer that stalls", LIMIT, all.get(1).reply::isStalled);
    scrapes.awaitQuiet();
    all.get(0).thread.interrupt();
    scrapes.awaitQuiet();
    all.get(1).reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(all.get(1), 1);
    assertThat(all.get(0).failed()).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(all.get(0).leftInterrupted).isTrue();
  }

  @Test
  void aLeaderThatIsInterruptedInItsReplyGoesOnForTheOthers() throws Exception {
    scrapes.makeLong();
    List<Scrape> all =
        together(
            List.of(TEXT, OM, TEXT),
            List.of(PacedReply.stallingAfter(1), PacedReply.fast(), PacedReply.fast()));
    Eventually.isTrue("a peer that stalls", LIMIT, all.get(0).reply::isStalled);
    all.get(0).thread.interrupt();
    scrapes.expectWhole(all.get(1), 1);
    scrapes.expectWhole(all.get(2), 1);
    assertThat(all.get(0).failed()).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(all.get(0).leftInterrupted).isTrue();
  }

  @Test
  void whoeverWaitsCanBeInterrupted() throws Exception {
    scrapes.makeLong();
    List<Scrape> all =
        together(
            List.of(TEXT, OM, TEXT),
            List.of(PacedReply.stallingAfter(1), PacedReply.fast(), PacedReply.fast()));
    // The leader stands in its own reply, which is the last, so one follower waits for chunks.
    Eventually.isTrue("a peer that stalls", LIMIT, all.get(0).reply::isStalled);
    scrapes.expectWhole(all.get(1), 1);
    Scrape gathering = scrapes.start(TEXT, PacedReply.fast());
    scrapes.awaitQuiet();
    all.get(2).thread.interrupt();
    gathering.thread.interrupt();
    for (Scrape interrupted : List.of(all.get(2), gathering)) {
      assertThat(interrupted.failed()).hasCauseInstanceOf(InterruptedIOException.class);
      assertThat(interrupted.leftInterrupted).isTrue();
    }
    assertThat(gathering.reply.isStarted()).isFalse();
    all.get(0).reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(all.get(0), 1);
    scrapes.expectWhole(scrapes.start(TEXT, PacedReply.fast()), 2);
  }

  @Test
  void anEncoderThatFailsCostsItsFormatOnly() throws Exception {
    scrapes.makeLong();
    IllegalArgumentException thrown = new IllegalArgumentException("no such luck");
    scrapes.source.failure = thrown;
    for (var failing : List.of(TEXT_0_0_4, OPEN_METRICS_1_0_0)) {
      int collection = scrapes.source.collections.get() + 1;
      scrapes.source.failingFormat = failing;
      List<Scrape> all = together(List.of(TEXT, OM, TEXT, OM, gzip(TEXT), gzip(OM)), fast(6));
      for (Scrape scrape : all) {
        if (scrape.key.format() != failing) {
          scrapes.expectWhole(scrape, collection);
        } else if (scrape == all.get(0)) {
          assertThat(scrape.failed()).isSameAs(thrown);
        } else {
          assertThat(scrape.failed()).isInstanceOf(IllegalStateException.class).hasCause(thrown);
        }
      }
    }
    scrapes.source.failure = null;
    scrapes.expectWhole(scrapes.start(TEXT, PacedReply.fast()), 3);
  }

  @Test
  void aSourceThatFailsFailsThoseWhoShareIt() throws Exception {
    IllegalArgumentException thrown = new IllegalArgumentException("no such source");
    scrapes.source.openFailure = thrown;
    List<Scrape> all = together(List.of(TEXT, OM, TEXT), fast(3));
    assertThat(all.get(0).failed()).isSameAs(thrown);
    assertThat(all.get(1).failed()).isInstanceOf(IllegalStateException.class).hasCause(thrown);
    assertThat(all.get(2).failed()).isInstanceOf(IllegalStateException.class).hasCause(thrown);
    all.forEach(scrape -> assertThat(scrape.reply.isStarted()).isFalse());
    scrapes.source.openFailure = null;
    scrapes.expectWhole(scrapes.start(TEXT, PacedReply.fast()), 1);
  }

  @Test
  void aScrapeThatCannotHaveTheSourceInTimeFails() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    scrapes.source.openGate = gate;
    Scrape leader = scrapes.start(TEXT, PacedReply.fast());
    Scrape early = scrapes.start(TEXT, PacedReply.fast());
    scrapes.pass(1_000);
    Scrape late = scrapes.start(OM, PacedReply.fast());
    scrapes.pass(MAX_WAIT_MILLIS - 1_000);
    assertThat(early.failed())
        .isInstanceOf(ScrapeUnavailableException.class)
        .hasMessageContaining("expected the source to be free within 5000 ms");
    assertThat(early.reply.isStarted()).isFalse();
    gate.countDown();
    scrapes.expectWhole(leader, 1);
    scrapes.expectWhole(late, 1);
    assertThat(scrapes.handler.unavailableScrapes()).isEqualTo(1);
    assertThat(scrapes.logged()).singleElement().asString().startsWith("scrape_unavailable: ");
  }

  @Test
  void aTransportThatCannotAbortHoldsTheOthersForABoundedTime() {
    scrapes.makeLong();
    List<Scrape> all =
        together(List.of(TEXT, TEXT), List.of(PacedReply.stuck(), PacedReply.fast()));
    Eventually.isTrue("a peer that stalls", LIMIT, all.get(0).reply::isStalled);
    Scrape gathering = scrapes.start(TEXT, PacedReply.fast());
    scrapes.pass(MAX_WAIT_MILLIS);
    assertThat(gathering.failed()).isInstanceOf(ScrapeUnavailableException.class);
    scrapes.pass(MAX_WAIT_MILLIS);
    assertThat(all.get(1).failed())
        .isInstanceOf(ScrapeUnavailableException.class)
        .hasMessageContaining("its transport does not abort");
  }

  @Test
  void moreScrapesThanTheBoundAreRefused() throws Exception {
    scrapes.close();
    scrapes = new Scrapes(chunks.pool(), options -> options.withMaxScrapes(2));
    scrapes.makeLong();
    Scrape first = scrapes.start(TEXT, PacedReply.stallingAfter(1));
    Scrape second = scrapes.start(OM, PacedReply.fast());
    assertThat(scrapes.start(TEXT, PacedReply.fast()).failed())
        .isInstanceOf(ScrapeUnavailableException.class)
        .hasMessageContaining("expected at most 2 scrapes at once");
    first.reply.allow(Long.MAX_VALUE);
    scrapes.expectWhole(first, 1);
    scrapes.expectWhole(second, 2);
    scrapes.expectWhole(scrapes.start(TEXT, PacedReply.fast()), 3);
  }

  @Test
  void memoryIsBoundedHoweverLargeTheScrapeAndHoweverManyShareIt() throws Exception {
    for (int count : List.of(1, 2, 20)) {
      ChunkPool pool = chunks.pool();
      long before = pool.allocatedChunks();
      scrapes.source.lines = 150_000;
      List<ScrapeKey> keys = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        keys.add(i % 3 == 2 ? gzip(TEXT) : TEXT);
      }
      int collection = scrapes.source.collections.get() + 1;
      for (Scrape scrape : together(keys, fast(count))) {
        scrapes.expectWhole(scrape, collection);
      }
      // Two windows, the chunk that the slowest of each has in its hands, and those being filled.
      assertThat(pool.allocatedChunks() - before).isLessThanOrEqualTo(2 * (Window.CHUNKS + 2));
    }
  }
}
