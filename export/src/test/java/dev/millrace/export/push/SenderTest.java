package dev.millrace.export.push;

import static dev.millrace.export.push.FakeTransport.ok;
import static dev.millrace.export.push.FakeTransport.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One item is one character of the payload. */
class SenderTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final FakeTimer timer = new FakeTimer();
  private final FakeTransport transport = new FakeTransport();
  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(timer::nanoTime, log::add);
  private SenderOptions options =
      SenderOptions.defaults().withProblems(problems).withSplitter(this::halves);

  private Splitter.Halves halves(Payload payload, int items) {
    String text = new String(payload.toByteArray(), StandardCharsets.UTF_8);
    int half = items / 2;
    return new Splitter.Halves(
        payload(text.substring(0, half)), half, payload(text.substring(half)), items - half);
  }

  private Payload payload(String text) {
    return Payloads.of(chunks.pool(), text.getBytes(StandardCharsets.UTF_8));
  }

  private Sender sender() {
    return new Sender(transport, options, timer);
  }

  private Heard send(Sender sender, String text) {
    Heard heard = new Heard();
    sender.send(payload(text), text.length(), heard);
    timer.run();
    return heard;
  }

  private long lost() {
    return problems.kind(Sender.LOST).count();
  }

  @Test
  void deliversOnce() {
    transport.answers.add(ok());
    Heard heard = send(sender(), "abc");
    assertThat(heard.outcome()).isEqualTo(new Outcome(3, 0, 0, 0, null));
    assertThat(transport.texts()).containsExactly("abc");
    assertThat(log).isEmpty();
  }

  @Test
  void whatAReplyRejectsIsNeverSentAgain() {
    transport.answers.add(ok());
    Heard heard = new Heard();
    heard.rejects = 2;
    sender().send(payload("abc"), 3, heard);
    timer.advanceMillis(60_000);
    assertThat(heard.outcome()).isEqualTo(new Outcome(1, 2, 0, 0, null));
    assertThat(transport.sent).hasSize(1);
  }

  @Test
  void retriesAfterThePausesOfTheOptions() {
    transport.answers.addAll(List.of(unavailable(), unavailable(), ok()));
    Heard heard = send(sender(), "a");
    assertThat(transport.sent).hasSize(1);
    timer.advanceMillis(999);
    assertThat(transport.sent).hasSize(1);
    timer.advanceMillis(1);
    assertThat(transport.sent).hasSize(2);
    timer.advanceMillis(1_500);
    assertThat(transport.sent).hasSize(3);
    assertThat(heard.outcome().delivered()).isEqualTo(1);
    assertThat(heard.outcome().succeeded()).isTrue();
    assertThat(lost()).isZero();
  }

  @Test
  void keepsTheTimeThatTheReceiverAsksFor() {
    transport.answers.addAll(List.of(unavailable().withRetryAfterMillis(7_000), ok()));
    Heard heard = send(sender(), "a");
    timer.advanceMillis(6_999);
    assertThat(transport.sent).hasSize(1);
    timer.advanceMillis(1);
    assertThat(heard.outcome().delivered()).isEqualTo(1);
  }

  @Test
  void aTimeToWaitPastTheDeadlineEndsTheExportAtOnce() {
    transport.answers.add(unavailable().withRetryAfterMillis(10_000));
    Heard heard = send(sender(), "ab");
    assertThat(heard.outcome().lost()).isEqualTo(2);
    assertThat(lost()).isEqualTo(2);
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).contains("HTTP 503: busy");
  }

  @Test
  void allAttemptsHaveOneDeadline() {
    transport.answers.addAll(List.of(unavailable(), ok()));
    long start = timer.nanoTime();
    send(sender(), "a");
    timer.advanceMillis(1_000);
    assertThat(transport.sent)
        .extracting(FakeTransport.Sent::deadlineNanos)
        .containsOnly(start + TimeUnit.SECONDS.toNanos(10));
  }

  @Test
  void givesUpAfterTheLastAttempt() {
    for (int i = 0; i < 9; i++) {
      transport.answers.add(unavailable());
    }
    options = options.withTimeoutMillis(60_000);
    Heard heard = send(sender(), "abcd");
    timer.advanceMillis(60_000);
    assertThat(transport.sent).hasSize(5);
    assertThat(heard.outcome().lost()).isEqualTo(4);
    assertThat(heard.outcome().failure()).isNotNull();
  }

  @Test
  void aFinalFailureIsNotRetried() {
    transport.answers.add(SendResult.fatal(400, "400", "HTTP 400: bad sample"));
    Heard heard = send(sender(), "a");
    timer.advanceMillis(60_000);
    assertThat(transport.sent).hasSize(1);
    assertThat(heard.outcome().lost()).isEqualTo(1);
    assertThat(log.get(0)).contains("bad sample");
  }

  @Test
  void whatTheReceiverFindsTooLargeIsHalvedAndSentInOrder() {
    SendResult tooLarge = SendResult.tooLarge(413, "413", "HTTP 413");
    transport.answers.addAll(List.of(tooLarge, tooLarge, ok(), ok(), ok()));
    Heard heard = send(sender(), "abcd");
    assertThat(transport.texts()).containsExactly("abcd", "ab", "a", "b", "cd");
    assertThat(heard.accepted()).containsExactly(1, 1, 2);
    assertThat(heard.outcome().delivered()).isEqualTo(4);
    assertThat(heard.outcome().succeeded()).isTrue();
  }

  @Test
  void oneItemThatIsTooLargeIsLostAndTheOthersAreNot() {
    SendResult tooLarge = SendResult.tooLarge(413, "413", "HTTP 413");
    transport.answers.addAll(List.of(tooLarge, tooLarge, ok()));
    Heard heard = send(sender(), "ab");
    assertThat(heard.outcome().delivered()).isEqualTo(1);
    assertThat(heard.outcome().lost()).isEqualTo(1);
    assertThat(lost()).isEqualTo(1);
  }

  @Test
  void whatIsOverTheBoundIsSplitBeforeItIsSent() {
    options = options.withMaxRequestBytes(2);
    transport.answers.addAll(List.of(ok(), ok(), ok()));
    Heard heard = send(sender(), "abcde");
    assertThat(transport.texts()).containsExactly("ab", "c", "de");
    assertThat(heard.outcome().delivered()).isEqualTo(5);
  }

  @Test
  void withoutASplitterWhatIsTooLargeIsLost() {
    options = options.withSplitter(null).withMaxRequestBytes(2);
    Heard heard = send(sender(), "abcde");
    assertThat(transport.sent).isEmpty();
    assertThat(heard.outcome().lost()).isEqualTo(5);
  }

  @Test
  void aSplitterThatFailsCostsItsPayloadOnly() {
    options =
        options.withSplitter(
            (payload, items) -> {
              throw new IllegalStateException("no");
            });
    transport.answers.addAll(List.of(SendResult.tooLarge(413, "413", "HTTP 413"), ok()));
    Sender sender = sender();
    assertThat(send(sender, "ab").outcome().lost()).isEqualTo(2);
    assertThat(send(sender, "c").outcome().delivered()).isEqualTo(1);
  }

  @Test
  void moreThanTheBoundInFlightIsRefusedAtOnce() {
    options = options.withMaxInFlight(2);
    Sender sender = sender();
    Heard first = send(sender, "a");
    send(sender, "b");
    Heard third = send(sender, "ccc");
    assertThat(third.outcome().lost()).isEqualTo(3);
    assertThat(problems.kind(Sender.REFUSED).count()).isEqualTo(3);
    transport.answer(ok());
    timer.run();
    assertThat(first.outcome().delivered()).isEqualTo(1);
    Heard fourth = send(sender, "d");
    transport.answer(ok());
    transport.answer(ok());
    timer.run();
    assertThat(fourth.outcome().delivered()).isEqualTo(1);
  }

  @Test
  void aTransportThatThrowsCostsItsPayloadOnly() {
    Sender sender = sender();
    transport.throwing = true;
    assertThat(send(sender, "a").outcome().lost()).isEqualTo(1);
    transport.throwing = false;
    transport.answers.add(ok());
    assertThat(send(sender, "b").outcome().delivered()).isEqualTo(1);
  }

  @Test
  void aListenerThatThrowsCostsNothing() {
    transport.answers.addAll(List.of(ok(), ok()));
    Sender sender = sender();
    sender.send(
        payload("a"),
        1,
        new SendListener() {
          @Override
          public int accepted(int items, SendResult result) {
            throw new IllegalStateException("accepted");
          }

          @Override
          public void done(Outcome outcome) {
            throw new IllegalStateException("done");
          }
        });
    timer.run();
    assertThat(sender.flush(0)).isTrue();
    assertThat(send(sender, "b").outcome().delivered()).isEqualTo(1);
    assertThat(problems.kind("export_listener_failed").count()).isEqualTo(2);
  }

  @Test
  void flushTellsWhetherAllEnded() {
    Sender sender = sender();
    assertThat(sender.flush(0)).isTrue();
    send(sender, "a");
    assertThat(sender.flush(0)).isFalse();
    transport.answer(ok());
    timer.run();
    assertThat(sender.flush(0)).isTrue();
  }

  @Test
  void afterTheEndNothingIsTakenAndEverythingIsClosed() {
    Sender sender = sender();
    assertThat(sender.shutdown(0)).isTrue();
    assertThat(sender.shutdown(0)).isTrue();
    assertThat(transport.closed).isTrue();
    assertThat(timer.isClosed()).isTrue();
    assertThat(send(sender, "ab").outcome().lost()).isEqualTo(2);
  }
}
