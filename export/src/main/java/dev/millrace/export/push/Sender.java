package dev.millrace.export.push;

import dev.millrace.bytes.Payload;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends payloads until they are delivered, stored or lost: retries, splits what is too large, and
 * bounds how much is under way. Knows nothing of what is in them.
 *
 * <p><b>Ownership.</b> {@link #send} takes the payload, whatever becomes of it, and closes it once.
 * The sender closes its transport, its timer and its spool.
 *
 * <p><b>Guarantees.</b> Thread-safe. Nothing blocks but {@link #flush}, {@link #shutdown}, and
 * compression by the transport. Each export's listener hears of its end exactly once. Exports run
 * beside each other; the parts of one go out one after the other. Where a spool holds something,
 * what is new is stored behind it, so that the receiver gets all in order; where the spool takes no
 * more, it is sent directly.
 */
public final class Sender implements AutoCloseable {
  /** The kind of problem that counts items which were lost on their way. */
  public static final String LOST = "export_items_lost";

  /** The kind of problem that counts items which were refused because too much was in flight. */
  public static final String REFUSED = "export_items_refused";

  /** How long the end of what was aborted is waited for at most; nothing in it waits for peers. */
  private static final long ABORT_MILLIS = 5_000;

  private final Transport transport;
  private final SenderOptions options;
  private final SendTimer timer;
  private final Losses losses;
  private final @Nullable SpoolDrain drain;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition someEnded = lock.newCondition();
  private final Set<Delivery> underWay = new HashSet<>();
  private int inFlight;
  private boolean closed;

  /** A sender on the system's clock, with one daemon thread. */
  public Sender(Transport transport, SenderOptions options) {
    this(transport, options, SendTimer.system("millrace-sender " + transport.name()));
  }

  /** A sender on a timer of the caller's, which the sender closes. */
  public Sender(Transport transport, SenderOptions options, SendTimer timer) {
    this.transport = transport;
    this.options = options;
    this.timer = timer;
    losses = new Losses(options.problems());
    Spool spool = options.spool();
    drain = spool == null ? null : new SpoolDrain(this, spool);
    if (drain != null) {
      drain.start();
    }
  }

  /**
   * Sends a payload.
   *
   * @param payload which the sender owns from here on
   * @param items how many items are in it, 1 or more
   * @param listener hears of the end, possibly before this returns, on this thread or the timer's
   */
  public void send(Payload payload, int items, SendListener listener) {
    Spool spool = options.spool();
    Delivery delivery = new Delivery(this, payload, items, listener, spool, false);
    if (!begin(delivery)) {
      refuse(payload, items, listener);
      return;
    }
    if (spool != null && spool.mayHold()) {
      timer.schedule(delivery::proceed, 0);
    } else {
      delivery.proceed();
    }
  }

  /** Counts a delivery in, if there is room for it. */
  boolean begin(Delivery delivery) {
    lock.lock();
    try {
      if (closed || (!delivery.fromSpool() && inFlight >= options.maxInFlight())) {
        return false;
      }
      inFlight += delivery.fromSpool() ? 0 : 1;
      return underWay.add(delivery);
    } finally {
      lock.unlock();
    }
  }

  private void refuse(Payload payload, int items, SendListener listener) {
    payload.close();
    SendResult reason =
        SendResult.fatal(
            SendResult.NO_STATUS,
            "refused",
            transport.name()
                + ": expected at most "
                + options.maxInFlight()
                + " exports in flight and an open sender, found another; the receiver is slow, or"
                + " the sender was shut down");
    losses.refused(items, reason);
    try {
      listener.done(new Outcome(0, 0, 0, items, reason));
    } catch (RuntimeException e) {
      losses.listenerFailed(e);
    }
  }

  /**
   * Waits for the exports that are under way now. What a spool holds is not waited for.
   *
   * @return whether all of them ended within the time
   */
  public boolean flush(long timeoutMillis) {
    lock.lock();
    try {
      return awaitEnd(inFlight(), timeoutMillis);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes no more, waits for what is under way, then aborts what is left (it goes to the spool, or
   * is lost) and closes everything. Later calls do nothing.
   *
   * @return whether everything under way ended within the time
   */
  public boolean shutdown(long timeoutMillis) {
    List<Delivery> left;
    boolean ended;
    lock.lock();
    try {
      if (closed) {
        return underWay.isEmpty();
      }
      closed = true;
      ended = awaitEnd(inFlight(), timeoutMillis);
      left = List.copyOf(underWay);
    } finally {
      lock.unlock();
    }
    if (drain != null) {
      drain.stop();
    }
    for (Delivery delivery : left) {
      delivery.abandon();
    }
    transport.close();
    // An interrupt ends the wait for peers; this one is for our own threads, which owe chunks.
    boolean interrupted = Thread.interrupted();
    lock.lock();
    try {
      awaitEnd(left, ABORT_MILLIS);
    } finally {
      lock.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    timer.close();
    Spool spool = options.spool();
    if (spool != null) {
      spool.close();
    }
    return ended;
  }

  /** {@link #shutdown} with the timeout of an export. */
  @Override
  public void close() {
    shutdown(options.timeoutMillis());
  }

  private List<Delivery> inFlight() {
    return underWay.stream().filter(delivery -> !delivery.fromSpool()).toList();
  }

  /** With the lock held; an interrupt ends the wait and stays set. */
  private boolean awaitEnd(List<Delivery> those, long timeoutMillis) {
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (those.stream().anyMatch(underWay::contains)) {
        if (leftNanos <= 0) {
          return false;
        }
        leftNanos = someEnded.awaitNanos(leftNanos);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Transport transport() {
    return transport;
  }

  SenderOptions options() {
    return options;
  }

  SendTimer timer() {
    return timer;
  }

  Losses losses() {
    return losses;
  }

  /** Counts a delivery out. */
  void ended(Delivery delivery) {
    lock.lock();
    try {
      if (underWay.remove(delivery) && !delivery.fromSpool()) {
        inFlight--;
      }
      someEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
