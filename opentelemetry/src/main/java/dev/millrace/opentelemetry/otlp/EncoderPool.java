package dev.millrace.opentelemetry.otlp;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encoders that wait for the next export. Never blocks: where none waits, one is made; where enough
 * wait, one that comes back is left to the garbage collector, and only what it remembered of
 * resources, scopes and keys is lost with it. Thread-safe.
 *
 * @param <E> the kind of encoder
 */
final class EncoderPool<E> {
  /** A batch processor exports one batch at a time; a few run at once only in unusual set-ups. */
  private static final int MAX_IDLE = 4;

  private final AtomicReferenceArray<@Nullable E> idle = new AtomicReferenceArray<>(MAX_IDLE);
  private final Supplier<E> make;

  EncoderPool(Supplier<E> make) {
    this.make = make;
  }

  /** An encoder, which is the caller's until {@link #giveBack}. */
  E take() {
    for (int i = 0; i < MAX_IDLE; i++) {
      E encoder = idle.getAndSet(i, null);
      if (encoder != null) {
        return encoder;
      }
    }
    return make.get();
  }

  void giveBack(E encoder) {
    for (int i = 0; i < MAX_IDLE; i++) {
      if (idle.compareAndSet(i, null, encoder)) {
        return;
      }
    }
  }

  /** Lets go of those that wait. */
  void clear() {
    for (int i = 0; i < MAX_IDLE; i++) {
      idle.set(i, null);
    }
  }
}
