package dev.millrace.export.push;

import static dev.millrace.export.push.FakeTransport.ok;
import static dev.millrace.export.push.FakeTransport.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.disk.DiskQueue;
import dev.millrace.export.disk.DiskQueueOptions;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A sender with a real directory behind it. One item is one character of the payload. */
class SenderSpoolTest {
  private static final long MAX_DISK_BYTES = 50_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path directory;
  private final FakeTimer timer = new FakeTimer();
  private final FakeTransport transport = new FakeTransport();
  private final Problems problems = new Problems(timer::nanoTime, line -> {});
  private final Heard late = new Heard();
  private @Nullable Sender opened;

  @BeforeEach
  void open() {
    opened = open(timer);
  }

  private Sender sender() {
    return Objects.requireNonNull(opened);
  }

  private Sender open(SendTimer on) {
    DiskQueue queue =
        DiskQueue.open(
            DiskQueueOptions.in(directory, "test/bytes")
                .withMaxBytes(MAX_DISK_BYTES)
                .withProblems(problems),
            chunks.pool());
    return new Sender(
        transport,
        SenderOptions.defaults()
            .withRetry(Retry.none())
            .withProblems(problems)
            .withSplitter(this::halves)
            .withSpoolListener(late)
            .withSpool(queue),
        on);
  }

  private Splitter.Halves halves(Payload payload, int items) {
    String text = new String(payload.toByteArray(), StandardCharsets.UTF_8);
    int half = items / 2;
    return new Splitter.Halves(
        payload(text.substring(0, half)), half, payload(text.substring(half)), items - half);
  }

  private Payload payload(String text) {
    return Payloads.of(chunks.pool(), text.getBytes(StandardCharsets.UTF_8));
  }

  private Outcome send(String text) {
    Heard heard = new Heard();
    sender().send(payload(text), text.length(), heard);
    timer.run();
    return heard.outcome();
  }

  @Test
  void whatCouldNotBeSentIsStoredAndSentInOrderLater() {
    timer.run();
    transport.answers.add(unavailable());
    assertThat(send("a").stored()).isEqualTo(1);
    // Behind what waits, without an attempt of its own.
    assertThat(send("bb").stored()).isEqualTo(2);
    assertThat(send("ccc").succeeded()).isTrue();
    assertThat(transport.texts()).containsExactly("a");
    transport.answers.addAll(List.of(unavailable(), unavailable(), ok(), ok(), ok()));
    timer.advanceMillis(120_000);
    assertThat(transport.texts()).containsExactly("a", "a", "a", "a", "bb", "ccc");
    assertThat(late.accepted()).containsExactly(1, 2, 3);
    transport.answers.add(ok());
    assertThat(send("d").delivered()).isEqualTo(1);
    assertThat(problems.kind(Sender.LOST).count()).isZero();
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void anHourWithoutAReceiverIsBoundedAndEverythingDrainsAfterwards() {
    timer.run();
    transport.otherwise = unavailable();
    int stored = 0;
    for (int i = 0; i < 360; i++) {
      stored += send("x").stored();
      timer.advanceMillis(10_000);
    }
    assertThat(stored).isEqualTo(360);
    int attempts = transport.sent.size();
    assertThat(attempts).as("attempts in an hour").isBetween(100, 400);
    transport.otherwise = ok();
    timer.advanceMillis(60_000);
    assertThat(late.accepted()).hasSize(360);
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void whatIsUnderWayAtTheEndIsStoredAndSentByTheNextSender() {
    timer.run();
    Sender real = open(SendTimer.system("test sender"));
    Heard heard = new Heard();
    real.send(payload("last"), 4, heard);
    assertThat(transport.unanswered()).isEqualTo(1);
    assertThat(real.shutdown(0)).isFalse();
    assertThat(heard.outcome().stored()).isEqualTo(4);
    transport.answers.add(ok());
    timer.advanceMillis(60_000);
    assertThat(transport.texts()).containsExactly("last", "last");
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void aPartThatWasDeliveredFromTheDiskIsNotDeliveredAgain() {
    timer.run();
    transport.answers.add(unavailable());
    assertThat(send("abcd").stored()).isEqualTo(4);
    transport.answers.addAll(
        List.of(SendResult.tooLarge(413, "413", "413"), ok(), unavailable(), ok()));
    timer.advanceMillis(120_000);
    assertThat(transport.texts()).containsExactly("abcd", "abcd", "ab", "cd", "cd");
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void whatTheReceiverNeverTakesDoesNotHoldUpTheRest() {
    timer.run();
    transport.answers.add(unavailable());
    send("bad");
    send("good");
    transport.answers.addAll(List.of(SendResult.fatal(400, "400", "HTTP 400"), ok()));
    timer.advanceMillis(120_000);
    assertThat(transport.texts()).containsExactly("bad", "bad", "good");
    assertThat(problems.kind(Sender.LOST).count()).isEqualTo(3);
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void aPartThatFailsBeforeAnotherIsDeliveredStays() {
    timer.run();
    transport.answers.add(unavailable());
    send("abcd");
    transport.answers.addAll(
        List.of(SendResult.tooLarge(413, "413", "413"), unavailable(), ok(), ok()));
    timer.advanceMillis(120_000);
    assertThat(transport.texts()).containsExactly("abcd", "abcd", "ab", "cd", "ab");
    assertThat(problems.kind(Sender.LOST).count()).isZero();
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void anItemThatNobodyTakesDoesNotComeAgainWithTheRest() {
    timer.run();
    transport.answers.add(unavailable());
    send("abc");
    SendResult tooLarge = SendResult.tooLarge(413, "413", "413");
    transport.answers.addAll(List.of(tooLarge, tooLarge, unavailable(), ok()));
    timer.advanceMillis(120_000);
    assertThat(transport.texts()).containsExactly("abc", "abc", "a", "bc", "bc");
    assertThat(problems.kind(Sender.LOST).count()).isEqualTo(1);
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void theReceiverIsLeftAloneForAsLongAsItWishesWithinAnHour() {
    timer.run();
    transport.answers.add(unavailable());
    send("a");
    transport.answers.add(unavailable().withRetryAfterMillis(600_000));
    timer.advanceMillis(10_000);
    transport.answers.add(unavailable().withRetryAfterMillis(Long.MAX_VALUE));
    timer.advanceMillis(589_000);
    assertThat(transport.sent).hasSize(2);
    timer.advanceMillis(30_000);
    assertThat(transport.sent).hasSize(3);
    timer.advanceMillis(3_500_000);
    assertThat(transport.sent).hasSize(3);
    transport.answers.add(ok());
    timer.advanceMillis(130_000);
    assertThat(late.accepted()).hasSize(1);
    assertThat(sender().shutdown(0)).isTrue();
  }

  @Test
  void aDiskThatTakesNoMoreDoesNotHoldUpWhatIsNew() {
    timer.run();
    transport.answers.add(unavailable());
    send("first");
    transport.otherwise = unavailable();
    // Larger than the queue's bound, which is as good as a full disk.
    String large = "x".repeat((int) MAX_DISK_BYTES);
    assertThat(send(large).lost()).isEqualTo(MAX_DISK_BYTES);
    assertThat(problems.kind(Sender.LOST).count()).isEqualTo(MAX_DISK_BYTES);
    transport.otherwise = ok();
    assertThat(send(large).delivered()).isEqualTo(MAX_DISK_BYTES);
    assertThat(problems.kind(DiskQueue.FAILED).count()).isEqualTo(3 * MAX_DISK_BYTES);
    timer.advanceMillis(60_000);
    assertThat(late.accepted()).containsExactly(5);
    assertThat(sender().shutdown(0)).isTrue();
  }
}
