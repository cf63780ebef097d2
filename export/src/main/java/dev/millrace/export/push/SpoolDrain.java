package dev.millrace.export.push;

import dev.millrace.bytes.Payload;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a spool holds, oldest first, one at a time, on the sender's timer. A payload stays in
 * the spool until it is delivered or cannot be.
 */
final class SpoolDrain {
  /** How often an empty or foreign spool is looked at. */
  private static final long LOOK_MILLIS = 5_000;

  /** A receiver that was just down is not up at once; also for a sender that does not retry. */
  private static final long FIRST_PAUSE_MILLIS = 1_000;

  /**
   * The longest pause while the receiver is down: as long as it takes the OpenTelemetry Collector
   * to try again.
   */
  private static final long MAX_PAUSE_MILLIS = 30_000;

  private final Sender sender;
  private final Spool spool;
  private final Retry pauses;
  private int failures;
  private @Nullable Delivery current;
  private boolean stopped;

  SpoolDrain(Sender sender, Spool spool) {
    this.sender = sender;
    this.spool = spool;
    Retry retry = sender.options().retry();
    long first = Math.max(FIRST_PAUSE_MILLIS, retry.maxBackoffMillis());
    pauses = new Retry(1, first, Math.max(first, MAX_PAUSE_MILLIS), 1.5, 0.2);
  }

  void start() {
    sender.timer().schedule(this::look, 0);
  }

  /** Takes the next one only after the one before has ended. */
  private void look() {
    Delivery delivery;
    synchronized (this) {
      if (stopped) {
        return;
      }
      Spool.Stored oldest = spool.oldest();
      if (oldest == null) {
        again(LOOK_MILLIS);
        return;
      }
      Redelivery redelivery = new Redelivery(oldest);
      delivery =
          new Delivery(sender, oldest.payload(), oldest.items(), redelivery, redelivery, true);
      if (!sender.begin(delivery)) {
        oldest.payload().close();
        return;
      }
      current = delivery;
    }
    delivery.proceed();
  }

  private void again(long pauseMillis) {
    sender.timer().schedule(this::look, TimeUnit.MILLISECONDS.toNanos(pauseMillis));
  }

  /** Ends what is under way; it stays in the spool. */
  void stop() {
    Delivery last;
    synchronized (this) {
      stopped = true;
      last = current;
    }
    if (last != null) {
      last.abandon();
    }
  }

  /**
   * Hears of one that was sent again, and stands in for the spool meanwhile: what could not be sent
   * at all is in there already, and stays. Where it was split, the parts go different ways (to the
   * receiver, or nowhere), so those that could not be sent are kept anew and the whole goes: the
   * receiver gets nothing twice, and what nobody takes does not come again with the rest.
   */
  private final class Redelivery implements SendListener, Spool {
    private final Stored stored;
    private boolean stays;

    Redelivery(Stored stored) {
      this.stored = stored;
    }

    @Override
    public int accepted(int items, SendResult result) {
      return sender.options().spoolListener().accepted(items, result);
    }

    @Override
    public void done(Outcome outcome) {
      boolean failed = outcome.stored() > 0;
      synchronized (SpoolDrain.this) {
        current = null;
        if (!stays) {
          spool.remove(stored);
        }
        failures = failed ? failures + 1 : 0;
        if (!stopped) {
          again(
              failed
                  ? pauses.pauseMillis(failures, sender.timer().random(), outcome.failure())
                  : 0);
        }
      }
      sender.options().spoolListener().done(outcome);
    }

    @Override
    public boolean mayHold() {
      return false;
    }

    @Override
    public boolean add(Payload payload, int items) {
      if (items == stored.items()) {
        stays = true;
        return true;
      }
      return spool.add(payload, items);
    }

    @Override
    public boolean addFirst(Payload payload, int items) {
      return add(payload, items);
    }

    @Override
    public @Nullable Stored oldest() {
      return null;
    }

    @Override
    public void remove(Stored other) {}

    @Override
    public void close() {}
  }
}
