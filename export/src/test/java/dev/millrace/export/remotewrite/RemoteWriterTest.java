package dev.millrace.export.remotewrite;

import static dev.millrace.export.remotewrite.FakeRequestTransport.badRequest;
import static dev.millrace.export.remotewrite.FakeRequestTransport.ok;
import static dev.millrace.export.remotewrite.FakeRequestTransport.tooLarge;
import static dev.millrace.export.remotewrite.FakeRequestTransport.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.Retry;
import dev.millrace.export.push.SendResult;
import dev.millrace.model.MetricCursor;
import dev.millrace.testkit.GivenBack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a writer does with each answer, and with what waits meanwhile. */
class RemoteWriterTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(256), ChunkPool::outstandingChunks);

  private FakeWriter writer() {
    return new FakeWriter(chunks.pool(), options -> options);
  }

  private FakeWriter queueing(int maxRequests) {
    return new FakeWriter(
        chunks.pool(), options -> options.withQueue(options.queue().withMaxRequests(maxRequests)));
  }

  private static List<Double> one(double value) {
    return List.of(value);
  }

  @Test
  void whatIsWrittenArrivesAndIsCounted() {
    FakeWriter fake = writer();
    fake.transport.otherwise = ok();
    fake.write(0, 1.5);
    fake.write(1, 2.5);
    assertThat(fake.values()).containsExactly(one(1.5), one(2.5));
    assertThat(fake.transport.sent.get(0).request().series().get(0).labels())
        .containsEntry("__name__", "load")
        .containsEntry("number", "0")
        .containsEntry("job", "shop")
        .containsEntry("instance", "one");
    RemoteWriteStats stats = fake.writer.stats();
    assertThat(stats.samples().in()).isEqualTo(2);
    assertThat(stats.samples().sent()).isEqualTo(2);
    assertThat(stats.samples().dropped()).isEmpty();
    assertThat(stats.queue().requests()).isZero();
    assertThat(stats.requests().count()).isEqualTo(2);
    assertThat(stats.requests().bytes()).isPositive();
    assertThat(fake.writer.shutdown(0)).isTrue();
    assertThat(fake.log).isEmpty();
  }

  @Test
  void theFirstOneStaysFirstUntilItIsDelivered() {
    FakeWriter fake = writer();
    fake.transport.answers.addAll(List.of(unavailable(), unavailable(), ok(), ok(), ok()));
    fake.write(0, 1);
    fake.write(0, 2);
    fake.write(1, 3);
    assertThat(fake.values()).containsExactly(one(1));
    fake.timer.advanceMillis(30);
    assertThat(fake.values()).containsExactly(one(1), one(1));
    fake.timer.advanceMillis(59);
    assertThat(fake.values()).hasSize(2);
    fake.timer.advanceMillis(1);
    assertThat(fake.values()).containsExactly(one(1), one(1), one(1), one(2), one(3));
    assertThat(fake.writer.stats().samples().retried()).isEqualTo(2);
    assertThat(fake.writer.stats().requests().failed()).isEqualTo(2);
    assertThat(fake.log).hasSize(1).allMatch(line -> line.contains("HTTP 503: busy"));
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void oneRequestOfAShardIsUnderWayAtATime() {
    FakeWriter fake = writer();
    fake.write(0, 1);
    fake.write(1, 2);
    assertThat(fake.transport.unanswered()).isEqualTo(1);
    fake.transport.otherwise = ok();
    fake.transport.answer(ok());
    fake.timer.run();
    assertThat(fake.values()).containsExactly(one(1), one(2));
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void theReceiversWishIsHeededWithinAnHour() {
    FakeWriter fake = writer();
    fake.transport.answers.addAll(
        List.of(
            unavailable().withRetryAfterMillis(100_000),
            unavailable().withRetryAfterMillis(Long.MAX_VALUE / 2),
            unavailable().withRetryAfterMillis(0),
            ok()));
    fake.write(0, 1);
    fake.timer.advanceMillis(99_999);
    assertThat(fake.values()).hasSize(1);
    fake.timer.advanceMillis(1);
    assertThat(fake.values()).hasSize(2);
    fake.timer.advanceMillis(Retry.MAX_WISHED_MILLIS - 1);
    assertThat(fake.values()).hasSize(2);
    fake.timer.advanceMillis(1);
    assertThat(fake.values()).hasSize(3);
    // The third pause is the own one.
    fake.timer.advanceMillis(120);
    assertThat(fake.values()).hasSize(4);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void aRefusalEndsOneRequestAndLaterOnesGoOn() {
    FakeWriter fake = writer();
    fake.transport.answers.addAll(List.of(ok(), badRequest(), ok()));
    fake.write(0, 1);
    fake.write(0, 2);
    fake.write(0, 3);
    assertThat(fake.values()).containsExactly(one(1), one(2), one(3));
    assertThat(fake.sent()).isEqualTo(2);
    assertThat(fake.dropped(DropReason.REJECTED)).isEqualTo(1);
    assertThat(fake.log)
        .containsExactly(
            "remote_write_rejected: samples dropped; fake://receiver:1:"
                + " HTTP 400: out of order sample");
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void tooManyRequestsIsDroppedWhereTheOptionsSaySo() {
    FakeWriter fake = writer();
    fake.transport.answers.add(SendResult.fatal(429, "429", "HTTP 429"));
    fake.write(0, 1);
    assertThat(fake.dropped(DropReason.TOO_MANY_REQUESTS)).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatIsTooLargeIsHalvedDownToOneSeries() {
    FakeWriter fake = writer();
    Points points = new Points("load");
    for (int i = 0; i < 4; i++) {
      points.add(i, fake.nowUnixMillis(), i);
    }
    fake.transport.otherwise = ok();
    fake.transport.answers.addAll(List.of(tooLarge(), tooLarge(), tooLarge()));
    fake.writeAll(points);
    fake.timer.run();
    assertThat(fake.values())
        .containsExactly(
            List.of(0.0, 1.0, 2.0, 3.0), List.of(0.0, 1.0), one(0), one(1), List.of(2.0, 3.0));
    assertThat(fake.sent()).isEqualTo(3);
    assertThat(fake.dropped(DropReason.TOO_LARGE)).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void aPartIsTriedAgainWhereItsReceiverIsBusy() {
    FakeWriter fake = writer();
    Points points = new Points("load");
    points.add(0, fake.nowUnixMillis(), 0).add(1, fake.nowUnixMillis(), 1);
    fake.transport.otherwise = ok();
    fake.transport.answers.addAll(List.of(tooLarge(), ok(), unavailable()));
    fake.writeAll(points);
    fake.timer.advanceMillis(1_000);
    assertThat(fake.values()).containsExactly(List.of(0.0, 1.0), one(0), one(1), one(1));
    assertThat(fake.sent()).isEqualTo(2);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void theOldestIsDroppedWhereTheQueueIsFull() {
    FakeWriter fake = queueing(3);
    for (int i = 0; i < 6; i++) {
      fake.write(0, i);
    }
    // The first is under way, and cannot be dropped.
    assertThat(fake.dropped(DropReason.QUEUE_FULL)).isEqualTo(3);
    assertThat(fake.writer.stats().queue().requests()).isEqualTo(3);
    fake.transport.otherwise = ok();
    fake.transport.answer(ok());
    fake.timer.run();
    assertThat(fake.values()).containsExactly(one(0), one(4), one(5));
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void memoryIsBoundedInBytesToo() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options -> options.withQueue(options.queue().withMaxBytes(4L * Chunk.SIZE_BYTES)));
    for (int i = 0; i < 10; i++) {
      fake.write(0, i);
    }
    assertThat(fake.writer.stats().queue().requests()).isEqualTo(4);
    assertThat(chunks.pool().outstandingChunks()).isLessThanOrEqualTo(5);
    assertThat(fake.dropped(DropReason.QUEUE_FULL)).isEqualTo(6);
    fake.writer.shutdown(0);
    assertThat(fake.dropped(DropReason.SHUTDOWN)).isEqualTo(4);
  }

  @Test
  void anHourWithoutAReceiverIsBoundedAndEverythingDrainsAfterwards() {
    FakeWriter fake = queueing(100);
    fake.transport.otherwise = unavailable();
    for (int i = 0; i < 360; i++) {
      fake.write(0, i);
      fake.timer.advanceMillis(10_000);
      assertThat(chunks.pool().outstandingChunks()).isLessThanOrEqualTo(101);
    }
    RemoteWriteStats stats = fake.writer.stats();
    assertThat(stats.queue().requests()).isEqualTo(100);
    assertThat(stats.queue().oldestAgeMillis()).isEqualTo(3_600_000);
    assertThat(stats.samples().dropped()).containsOnly(Map.entry(DropReason.QUEUE_FULL, 260L));
    assertThat(fake.values().size()).as("attempts in an hour").isBetween(700, 800);
    assertThat(fake.log.size()).as("lines in an hour").isLessThanOrEqualTo(120);
    fake.transport.otherwise = ok();
    fake.transport.sent.clear();
    fake.timer.advanceMillis(5_000);
    assertThat(fake.values()).hasSize(100).startsWith(one(0), one(261)).endsWith(one(359));
    assertThat(fake.sent() + 260).isEqualTo(360);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatIsTooOldIsDroppedWhenItsTurnComes() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options ->
                options.withEncoding(
                    options
                        .encoding()
                        .withLimits(options.encoding().limits().withMaxAgeMillis(60_000))));
    fake.transport.otherwise = unavailable();
    fake.write(0, 1);
    fake.timer.advanceMillis(59_000);
    fake.write(0, 2);
    fake.timer.advanceMillis(10_000);
    assertThat(fake.dropped(DropReason.TOO_OLD)).isEqualTo(1);
    fake.transport.otherwise = ok();
    fake.timer.advanceMillis(5_000);
    assertThat(fake.sent()).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void attemptsCanBeBounded() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options -> options.withDelivery(options.delivery().withRetry(Retry.defaults())));
    fake.transport.otherwise = unavailable();
    fake.write(0, 1);
    fake.timer.advanceMillis(60_000);
    assertThat(fake.values()).hasSize(5);
    assertThat(fake.dropped(DropReason.ATTEMPTS_USED_UP)).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void openRequestsGoOutAfterTheInterval() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options -> options.withDelivery(options.delivery().withFlushIntervalMillis(1_000)));
    fake.transport.otherwise = ok();
    fake.write(0, 1);
    fake.timer.advanceMillis(500);
    fake.write(1, 2);
    fake.timer.advanceMillis(499);
    assertThat(fake.values()).isEmpty();
    fake.timer.advanceMillis(1);
    assertThat(fake.values()).containsExactly(List.of(1.0, 2.0));
    fake.write(0, 3);
    fake.timer.advanceMillis(1_000);
    assertThat(fake.values()).hasSize(2);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void shutdownSendsWhatIsOpenAndCountsWhatIsLeft() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options -> options.withDelivery(options.delivery().withFlushIntervalMillis(1_000)));
    fake.write(0, 1);
    assertThat(fake.writer.shutdown(0)).isFalse();
    assertThat(fake.dropped(DropReason.SHUTDOWN)).isEqualTo(1);
    assertThat(fake.timer.isClosed()).isTrue();
    assertThat(fake.transport.closed).isTrue();
    fake.write(0, 2);
    assertThat(fake.writer.stats().samples().in()).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
    assertThat(fake.writer.flush(0)).isTrue();
  }

  @Test
  void whatIsUnderWayAtTheEndIsCounted() {
    FakeWriter fake = writer();
    fake.write(0, 1);
    fake.write(0, 2);
    assertThat(fake.writer.shutdown(0)).isFalse();
    assertThat(fake.values()).containsExactly(one(1));
    assertThat(fake.dropped(DropReason.SHUTDOWN)).isEqualTo(2);
  }

  @Test
  void seriesEndWithTheWriterWhereTheOptionsSaySo() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options -> options.withDelivery(options.delivery().withEndSeriesAtShutdown(true)));
    fake.transport.otherwise = ok();
    Points points = new Points("load").add(0, fake.nowUnixMillis(), 1);
    writeComplete(fake, points);
    fake.timer.run();
    fake.timer.advanceMillis(1_000);
    fake.writer.shutdown(0);
    assertThat(fake.writer.stats().samples().in()).isEqualTo(2);
  }

  @Test
  void sourcesThatAreWrittenInTurnKeepTheirSeries() {
    FakeWriter fake = writer();
    fake.transport.otherwise = ok();
    Points mine = new Points("mine");
    Points theirs = new Points("theirs");
    mine.add(0, fake.nowUnixMillis(), 1).add(1, fake.nowUnixMillis(), 2);
    writeComplete(fake, mine);
    fake.writeAll(theirs.add(0, fake.nowUnixMillis(), 3));
    fake.timer.advanceMillis(1_000);
    writeComplete(fake, mine.clear().add(0, fake.nowUnixMillis(), 4));
    fake.timer.run();
    // Of the second series a stale marker.
    assertThat(fake.values().get(2)).contains(4.0).contains(Double.NaN).hasSize(2);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void ofManySourcesTheLastAreKept() {
    FakeWriter fake =
        new FakeWriter(
            chunks.pool(),
            options -> options.withDelivery(options.delivery().withFlushIntervalMillis(60_000)));
    fake.transport.otherwise = ok();
    for (int i = 0; i < 100; i++) {
      fake.writeAll(new Points("load").add(0, fake.nowUnixMillis() + i, i));
      fake.timer.run();
      assertThat(chunks.pool().outstandingChunks()).isLessThan(100);
    }
    assertThat(fake.values()).hasSize(84);
    fake.writer.shutdown(0);
    assertThat(fake.writer.stats().samples().in()).isEqualTo(100);
  }

  private static void writeComplete(FakeWriter fake, Points points) {
    try (MetricCursor cursor = points.open()) {
      fake.writer.write(cursor, true);
    }
  }
}
