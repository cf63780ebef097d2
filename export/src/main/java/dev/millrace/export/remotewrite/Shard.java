package dev.millrace.export.remotewrite;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Retry;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendTimer;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.format.remotewrite.RequestContent;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one shard in order, one at a time; the first one again until it is
 * delivered or given up. Its steps run on the writer's timer, one after the other, so that neither
 * those who write nor the transport's threads wait for a disk.
 */
final class Shard {
  /**
   * What the shards of one writer share.
   *
   * @param timeOfDayMillis the time of day, which samples have
   * @param earlier those that are sent before all others
   * @param wakeAll wakes all shards
   */
  record Shared(
      RemoteWriterOptions options,
      RequestTransport transport,
      Receiver receiver,
      SendTimer timer,
      LongSupplier timeOfDayMillis,
      WriteCounters counters,
      Drops drops,
      EarlierShards earlier,
      Runnable wakeAll) {}

  private final Shared shared;
  private final Backlog backlog;
  private final boolean isEarlier;
  private final SendTimer timer;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable Head head;
  private int attempts;
  private boolean sending;
  private boolean paused;
  private long pausedUntilNanos;
  private boolean earlierDone;
  private volatile boolean abandoned;

  /**
   * A shard.
   *
   * @param isEarlier whether it is one of {@link EarlierShards}
   */
  Shard(Shared shared, Backlog backlog, boolean isEarlier) {
    this.shared = shared;
    this.backlog = backlog;
    this.isEarlier = isEarlier;
    timer = shared.timer();
  }

  /** Begins to look at a disk, if there is one. */
  void start() {
    if (backlog.hasDisk()) {
      wake();
      timer.schedule(this::look, Backlog.LOOK_NANOS);
    }
  }

  private void look() {
    if (!abandoned) {
      proceed();
      timer.schedule(this::look, Backlog.LOOK_NANOS);
    }
  }

  /** Something was added. */
  void wake() {
    if (woken.compareAndSet(false, true)) {
      timer.schedule(this::proceedOnceWoken, 0);
    }
  }

  private void proceedOnceWoken() {
    woken.set(false);
    proceed();
  }

  /** Goes on until a request is under way or nothing is left to do. */
  private synchronized void proceed() {
    if (abandoned) {
      return;
    }
    backlog.spill();
    if (sending || isPaused() || !(isEarlier || shared.earlier().areDone())) {
      return;
    }
    for (Head front = front(); front != null; front = front()) {
      QueuedRequest part = front.first();
      if (part == null) {
        backlog.done(front);
        head = null;
      } else if (isReady(front, part)) {
        return;
      }
    }
    if (isEarlier && !earlierDone) {
      earlierDone = true;
      if (shared.earlier().endOne()) {
        shared.wakeAll().run();
      }
    }
  }

  private boolean isPaused() {
    paused = paused && timer.nanoTime() - pausedUntilNanos < 0;
    return paused;
  }

  private @Nullable Head front() {
    if (head == null) {
      head = backlog.next();
    }
    return head;
  }

  /** Sends a part, if it can be sent as it is; otherwise drops or changes it. */
  private boolean isReady(Head front, QueuedRequest part) {
    long newestMillis = part.content().newestUnixMillis();
    long maxAgeMillis = shared.options().encoding().limits().maxAgeMillis();
    if (maxAgeMillis > 0
        && newestMillis > 0
        && shared.timeOfDayMillis().getAsLong() - newestMillis > maxAgeMillis) {
      drop(front, part, null, DropReason.TOO_OLD, "older than " + maxAgeMillis + " milliseconds");
      return false;
    }
    RemoteWriteVersion version;
    try {
      version = RequestCodec.versionOf(part.payload());
      if (version == RemoteWriteVersion.V2
          && shared.receiver().version() == RemoteWriteVersion.V1) {
        front.replaceFirst(part.with(RequestCodec.asVersion1(part.payload())));
        return false;
      }
    } catch (MalformedProtobufException | RuntimeException e) {
      // Whatever a disk made of it costs this request, and not the shard.
      drop(front, part, null, DropReason.UNREADABLE, "expected a request, found " + e.getMessage());
      return false;
    }
    send(part, version);
    return true;
  }

  private void send(QueuedRequest part, RemoteWriteVersion version) {
    sending = true;
    long begunNanos = timer.nanoTime();
    long deadlineNanos =
        begunNanos + TimeUnit.MILLISECONDS.toNanos(shared.options().delivery().timeoutMillis());
    try {
      shared
          .transport()
          .send(
              part.payload(),
              version,
              deadlineNanos,
              result -> answered(version, begunNanos, result));
    } catch (RuntimeException e) {
      // A transport's mistake costs this request, and neither the next one nor the application.
      answered(
          version,
          begunNanos,
          SendResult.fatal(
              SendResult.NO_STATUS,
              e.getClass().getSimpleName(),
              "expected a transport that does not throw, found " + e));
    }
  }

  /** Hands over to the timer's thread, unless that is about to end. */
  private void answered(RemoteWriteVersion version, long begunNanos, SendResult result) {
    long tookNanos = timer.nanoTime() - begunNanos;
    if (abandoned) {
      goOnAfter(version, tookNanos, result);
    } else {
      timer.schedule(() -> goOnAfter(version, tookNanos, result), 0);
    }
  }

  private synchronized void goOnAfter(
      RemoteWriteVersion version, long tookNanos, SendResult result) {
    Head front = head;
    QueuedRequest part = front == null ? null : front.first();
    if (front == null || part == null || !sending) {
      throw new IllegalStateException("expected a request under way, found none");
    }
    sending = false;
    shared
        .counters()
        .requestEnded(
            part.payload().lengthBytes(), tookNanos, result.kind() == SendResult.Kind.SUCCESS);
    Verdict verdict = shared.receiver().judge(version, part.content(), result);
    boolean cutOff = abandoned && result.statusCode() == SendResult.NO_STATUS;
    if (!cutOff) {
      apply(verdict, front, part, result);
    }
    if (abandoned) {
      end();
    } else {
      proceed();
    }
  }

  private void apply(Verdict verdict, Head front, QueuedRequest part, SendResult result) {
    switch (verdict.kind()) {
      case DELIVERED -> deliver(verdict, front, part);
      case REFUSED -> drop(front, part, verdict.written(), verdict.reason(), reasonOf(result));
      case RETRY -> retry(front, part, result);
      case SPLIT -> split(front, part, result);
      case FALL_BACK -> {
        // The part is made anew before it is sent again.
        if (shared.receiver().fallBack()) {
          shared.drops().fellBack(result.reason());
        }
        shared.counters().retried(part.content());
      }
    }
  }

  private static String reasonOf(SendResult result) {
    return result.reason().isEmpty()
        ? "expected the counts of what was written that 2.0 asks for, found none"
        : result.reason();
  }

  private void deliver(Verdict verdict, Head front, QueuedRequest part) {
    Written written = verdict.written();
    if (written == null || written.covers(part.content())) {
      shared.counters().delivered(part.content());
      attempts = 0;
      front.endFirst();
    } else {
      drop(
          front,
          part,
          written,
          verdict.reason(),
          "expected " + part.content() + " to be written, found " + written);
    }
  }

  private void drop(
      Head front, QueuedRequest part, @Nullable Written written, DropReason reason, String detail) {
    shared.drops().add(part.content(), written, reason, () -> detail);
    attempts = 0;
    front.endFirst();
  }

  private void retry(Head front, QueuedRequest part, SendResult result) {
    Retry retry = shared.options().delivery().retry();
    attempts++;
    if (attempts >= retry.maxAttempts()) {
      drop(front, part, null, DropReason.ATTEMPTS_USED_UP, result.reason());
      return;
    }
    shared.counters().retried(part.content());
    shared.drops().attemptFailed(result.reason());
    long pauseNanos =
        TimeUnit.MILLISECONDS.toNanos(retry.pauseMillis(attempts, timer.random(), result));
    paused = true;
    pausedUntilNanos = timer.nanoTime() + pauseNanos;
    timer.schedule(this::proceed, pauseNanos);
  }

  private void split(Head front, QueuedRequest part, SendResult result) {
    List<Payload> halves = List.of();
    try {
      halves = RequestCodec.halvesOf(part.payload());
      if (halves.isEmpty()) {
        drop(front, part, null, DropReason.TOO_LARGE, result.reason());
        return;
      }
      RequestContent first = RequestCodec.contentOf(halves.get(0));
      RequestContent second = RequestCodec.contentOf(halves.get(1));
      attempts = 0;
      shared.counters().retried(part.content());
      front.replaceFirst(part.part(halves.get(0), first), part.part(halves.get(1), second));
    } catch (MalformedProtobufException | RuntimeException e) {
      halves.forEach(Payload::close);
      drop(front, part, null, DropReason.UNREADABLE, "expected a request, found " + e.getMessage());
    }
  }

  /** Makes an end, as soon as what is under way has come back: the rest is kept or lost. */
  void abandon() {
    abandoned = true;
    synchronized (this) {
      if (!sending) {
        end();
      }
    }
  }

  private void end() {
    if (ended.getCount() > 0) {
      backlog.keepAll(head);
      head = null;
      ended.countDown();
    }
  }

  /**
   * Waits for the end after {@link #abandon}.
   *
   * @return whether it has come
   */
  boolean awaitEnd(long timeoutMillis) throws InterruptedException {
    return ended.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }
}
