package dev.millrace.export.remotewrite;

import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A receiver whose answers a test writes down before, or gives afterwards. */
final class FakeRequestTransport implements RequestTransport {
  /** One request as the receiver reads it. */
  record Sent(
      RemoteWriteVersion version,
      ReadRequest request,
      long deadlineNanos,
      Transport.Completion done) {}

  final List<Sent> sent = new ArrayList<>();
  final ArrayDeque<SendResult> answers = new ArrayDeque<>();
  private final List<Sent> open = new ArrayList<>();

  /** The answer where none is written down; {@code null} for none yet. */
  @Nullable SendResult otherwise;

  /** Answers as a receiver of 2.0 does, with the counts of what was written. */
  boolean counts;

  boolean closed;

  static SendResult ok() {
    return SendResult.success(204, new byte[0]);
  }

  static SendResult written(int samples) {
    return ok().withHeaders(Map.of(Written.SAMPLES, Integer.toString(samples)));
  }

  static SendResult unavailable() {
    return SendResult.retryable(503, "503", "HTTP 503: busy");
  }

  static SendResult badRequest() {
    return SendResult.fatal(400, "400", "HTTP 400: out of order sample");
  }

  static SendResult tooLarge() {
    return SendResult.tooLarge(413, "413", "HTTP 413: too large");
  }

  @Override
  public synchronized void send(
      Payload request, RemoteWriteVersion version, long deadlineNanos, Transport.Completion done) {
    if (closed) {
      done.done(SendResult.fatal(SendResult.NO_STATUS, "closed", "closed"));
      return;
    }
    ReadRequest read = ReadRequest.of(request.toByteArray(), version == RemoteWriteVersion.V2);
    Sent one = new Sent(version, read, deadlineNanos, done);
    sent.add(one);
    SendResult answer = answers.isEmpty() ? otherwise : answers.poll();
    if (answer == null) {
      open.add(one);
    } else {
      done.done(counted(answer, read));
    }
  }

  private SendResult counted(SendResult answer, ReadRequest read) {
    if (!counts
        || answer.kind() != SendResult.Kind.SUCCESS
        || answer.header(Written.SAMPLES) != null) {
      return answer;
    }
    Map<String, String> headers = new HashMap<>();
    headers.put(Written.SAMPLES, Integer.toString(read.sampleCount()));
    return answer.withHeaders(headers);
  }

  /** Answers the oldest request that has no answer. */
  void answer(SendResult result) {
    Sent oldest;
    synchronized (this) {
      oldest = open.remove(0);
    }
    oldest.done().done(counted(result, oldest.request()));
  }

  /** How many requests have no answer. */
  synchronized int unanswered() {
    return open.size();
  }

  /** The values of each request, in order. */
  synchronized List<List<Double>> values() {
    return sent.stream().map(each -> each.request().values()).toList();
  }

  @Override
  public String name() {
    return "fake://receiver:1";
  }

  @Override
  public void close() {
    List<Sent> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(open);
      open.clear();
    }
    for (Sent each : left) {
      each.done().done(SendResult.fatal(SendResult.NO_STATUS, "closed", "closed"));
    }
  }
}
