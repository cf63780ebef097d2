package dev.millrace.export.push;

import dev.millrace.bytes.Payload;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One export on its way: its payload, or the parts that it was split into, sent one after the
 * other. Owns them and closes each once. Every step holds the lock; there is a step only when the
 * one before has ended, except that the sender may {@link #abandon} at any time.
 */
final class Delivery {
  private record Part(Payload payload, int items) {}

  private final Sender sender;
  private final SendListener listener;
  private final @Nullable Spool spool;
  private final boolean fromSpool;
  private final long deadlineNanos;
  private final ArrayDeque<Part> parts = new ArrayDeque<>(2);
  private int attempts;
  private boolean sending;
  private boolean abandoned;
  private boolean spoolFailed;
  private boolean over;
  private int delivered;
  private int rejected;
  private int stored;
  private int lost;
  private @Nullable SendResult failure;

  /**
   * A delivery that has not begun.
   *
   * @param spool takes what could not be sent
   * @param fromSpool whether it comes from the spool: nobody waits for it
   */
  Delivery(
      Sender sender,
      Payload payload,
      int items,
      SendListener listener,
      @Nullable Spool spool,
      boolean fromSpool) {
    this.fromSpool = fromSpool;
    this.sender = sender;
    this.listener = listener;
    this.spool = spool;
    deadlineNanos =
        sender.timer().nanoTime() + TimeUnit.MILLISECONDS.toNanos(sender.options().timeoutMillis());
    parts.add(new Part(payload, items));
  }

  boolean fromSpool() {
    return fromSpool;
  }

  /** Goes on until a request is under way or nothing is left to do. */
  void proceed() {
    if (proceedWhileLocked()) {
      finish();
    }
  }

  private synchronized boolean proceedWhileLocked() {
    if (over || sending) {
      return false;
    }
    for (Part part = parts.peek(); part != null; part = parts.peek()) {
      if (abandoned) {
        keepOrLose(part);
      } else if (queued(part)) {
        drop(part);
      } else if (part.payload().lengthBytes() > sender.options().maxRequestBytes()) {
        divide(part, SendResult.tooLarge(SendResult.NO_STATUS, "too_large", tooLarge(part)));
      } else {
        sending = true;
        send(part);
        return false;
      }
    }
    over = true;
    return true;
  }

  private void send(Part part) {
    try {
      sender.transport().send(part.payload(), deadlineNanos, this::answered);
    } catch (RuntimeException e) {
      // A transport's mistake costs this payload, and neither the next one nor the application.
      answered(
          SendResult.fatal(
              SendResult.NO_STATUS,
              e.getClass().getSimpleName(),
              sender.transport().name()
                  + ": expected a transport that does not throw, found "
                  + e));
    }
  }

  /** Hands over to the timer's thread: a transport's threads are not for splitting and disks. */
  private void answered(SendResult result) {
    sender.timer().schedule(() -> goOnAfter(result), 0);
  }

  private void goOnAfter(SendResult result) {
    long pauseNanos = afterResult(result);
    if (pauseNanos > 0) {
      sender.timer().schedule(this::proceed, pauseNanos);
    } else {
      proceed();
    }
  }

  /** Returns the pause before the next step. */
  private synchronized long afterResult(SendResult result) {
    sending = false;
    Part part = parts.getFirst();
    if (result.kind() == SendResult.Kind.SUCCESS) {
      accept(part, result);
      return 0;
    }
    failure = result;
    switch (result.kind()) {
      case TOO_LARGE -> divide(part, result);
      case RETRYABLE -> {
        attempts++;
        long pauseNanos = pauseNanos(result);
        if (pauseNanos > 0) {
          return pauseNanos;
        }
        keepOrLose(part);
      }
      default -> {
        if (abandoned) {
          keepOrLose(part);
        } else {
          lose(part, result);
        }
      }
    }
    return 0;
  }

  /** The pause before the next attempt, or 0 where there is to be none. */
  private long pauseNanos(SendResult result) {
    Retry retry = sender.options().retry();
    if (abandoned || attempts >= retry.maxAttempts()) {
      return 0;
    }
    long pauseMillis =
        result.retryAfterMillis() >= 0
            ? result.retryAfterMillis()
            : retry.pauseMillis(attempts, sender.timer().random());
    long pauseNanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(pauseMillis));
    long leftNanos = deadlineNanos - sender.timer().nanoTime();
    return pauseNanos < leftNanos ? pauseNanos : 0;
  }

  private void accept(Part part, SendResult result) {
    int refused = 0;
    try {
      refused = Math.max(0, Math.min(part.items(), listener.accepted(part.items(), result)));
    } catch (RuntimeException e) {
      sender.losses().listenerFailed(e);
    }
    rejected += refused;
    delivered += part.items() - refused;
    drop(part);
  }

  private void divide(Part part, SendResult result) {
    failure = result;
    Splitter splitter = sender.options().splitter();
    Splitter.Halves halves = null;
    if (splitter != null && part.items() > 1) {
      try {
        halves = splitter.split(part.payload(), part.items());
      } catch (RuntimeException e) {
        sender.losses().splitFailed(e);
      }
    }
    if (halves == null) {
      lose(part, result);
      return;
    }
    drop(part);
    parts.addFirst(new Part(halves.second(), halves.secondItems()));
    parts.addFirst(new Part(halves.first(), halves.firstItems()));
  }

  /** Stores a part behind what waits, so that the receiver gets all in order. */
  private boolean queued(Part part) {
    if (spool == null || spoolFailed || !spool.mayHold()) {
      return false;
    }
    return stored(spool, part);
  }

  private boolean stored(Spool to, Part part) {
    if (!to.add(part.payload(), part.items())) {
      // A disk that takes no more costs the order only, where the receiver is there.
      spoolFailed = true;
      return false;
    }
    stored += part.items();
    return true;
  }

  private void keepOrLose(Part part) {
    if (spool != null && stored(spool, part)) {
      drop(part);
    } else {
      lose(part, failure);
    }
  }

  private void lose(Part part, @Nullable SendResult reason) {
    lost += part.items();
    sender.losses().lost(part.items(), reason, sender.transport().name());
    drop(part);
  }

  private void drop(Part part) {
    parts.remove();
    attempts = 0;
    part.payload().close();
  }

  /** Makes an end: no more requests, and no more pauses. */
  void abandon() {
    synchronized (this) {
      abandoned = true;
    }
    proceed();
  }

  private void finish() {
    try {
      listener.done(new Outcome(delivered, rejected, stored, lost, failure));
    } catch (RuntimeException e) {
      sender.losses().listenerFailed(e);
    } finally {
      sender.ended(this);
    }
  }

  private String tooLarge(Part part) {
    return "expected at most "
        + sender.options().maxRequestBytes()
        + " bytes in a request, found "
        + part.payload().lengthBytes();
  }
}
