package dev.millrace.export.push;

import dev.millrace.bytes.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transport whose answers a test writes down before, or gives afterwards. */
final class FakeTransport implements Transport {
  /** One send. */
  record Sent(String text, long deadlineNanos, Completion done) {}

  final List<Sent> sent = new ArrayList<>();
  final ArrayDeque<SendResult> answers = new ArrayDeque<>();
  private final List<Sent> open = new ArrayList<>();

  /** The answer where none is written down; {@code null} for none yet. */
  @Nullable SendResult otherwise;

  boolean throwing;
  boolean closed;

  static SendResult ok() {
    return SendResult.success(200, new byte[0]);
  }

  static SendResult unavailable() {
    return SendResult.retryable(503, "503", "HTTP 503: busy");
  }

  @Override
  public void send(Payload payload, long deadlineNanos, Completion done) {
    if (throwing) {
      throw new IllegalStateException("broken");
    }
    Sent one =
        new Sent(new String(payload.toByteArray(), StandardCharsets.UTF_8), deadlineNanos, done);
    sent.add(one);
    SendResult answer = answers.isEmpty() ? otherwise : answers.poll();
    if (answer == null) {
      open.add(one);
    } else {
      done.done(answer);
    }
  }

  /** Answers the oldest send that has no answer. */
  void answer(SendResult result) {
    open.remove(0).done().done(result);
  }

  /** How many sends have no answer. */
  int unanswered() {
    return open.size();
  }

  /** What was sent, in order. */
  List<String> texts() {
    return sent.stream().map(Sent::text).toList();
  }

  @Override
  public String name() {
    return "fake://receiver:1";
  }

  @Override
  public void close() {
    closed = true;
    while (!open.isEmpty()) {
      answer(SendResult.fatal(SendResult.NO_STATUS, "closed", "closed"));
    }
  }
}
