package dev.millrace.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One series of a metric: its labels, and their bytes in the formats that it was written in. The
 * source that owns the series keeps one object for as long as the series lives, and calls {@link
 * #end} when it goes.
 *
 * <p>Thread-safe: several encoders may read and keep encoded labels at once.
 */
public class Series {
  /**
   * What keeping one encoding costs beside its bytes: the array's header and the entry, rounded to
   * 8 bytes.
   */
  static final int ENTRY_OVERHEAD_BYTES = 48;

  private static final VarHandle ENCODED;

  static {
    try {
      ENCODED = MethodHandles.lookup().findVarHandle(Series.class, "encoded", Encoded.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** One encoding's bytes, in a list of the few encodings that a series is written in. */
  private static final class Encoded {
    final Object encoding;
    final byte[] bytes;
    final @Nullable Encoded next;

    Encoded(Object encoding, byte[] bytes, @Nullable Encoded next) {
      this.encoding = encoding;
      this.bytes = bytes;
      this.next = next;
    }

    long costBytes() {
      return (long) bytes.length + ENTRY_OVERHEAD_BYTES;
    }
  }

  private static final Encoded ENDED = new Encoded(new Object(), new byte[0], null);

  private final Labels labels;

  @SuppressWarnings("unused") // Read and written through ENCODED.
  private volatile @Nullable Encoded encoded;

  /** A series of the source that makes it. */
  public Series(Labels labels) {
    this.labels = labels;
  }

  /** The labels: the attributes of the series' points. */
  public final Labels labels() {
    return labels;
  }

  /**
   * The bytes kept for one encoding.
   *
   * @param encoding names the encoding by identity: an encoder's format and all of its options that
   *     shape labels
   * @return bytes that nobody may change, or {@code null} where none are kept
   */
  public final byte @Nullable [] encodedLabels(Object encoding) {
    for (Encoded e = (Encoded) ENCODED.getAcquire(this); e != null; e = e.next) {
      if (e.encoding == encoding) {
        return e.bytes;
      }
    }
    return null;
  }

  /**
   * Whether {@link #keepEncodedLabels} would find room for so many bytes now. An encoder asks
   * before it copies what it has made, so that past the budget nothing is copied in vain.
   */
  public static boolean hasRoom(int lengthBytes, EncodedLabelsBudget budget) {
    return (long) lengthBytes + ENTRY_OVERHEAD_BYTES <= budget.limitBytes() - budget.usedBytes();
  }

  /**
   * Keeps the bytes of one encoding, if the budget allows it and the series has not ended.
   *
   * @param bytes owned by the series from here on
   */
  public final void keepEncodedLabels(Object encoding, byte[] bytes, EncodedLabelsBudget budget) {
    long cost = (long) bytes.length + ENTRY_OVERHEAD_BYTES;
    if (!budget.tryUse(cost)) {
      return;
    }
    while (true) {
      Encoded head = (Encoded) ENCODED.getAcquire(this);
      if (head == ENDED || encodedLabels(encoding) != null) {
        budget.release(cost);
        return;
      }
      if (ENCODED.compareAndSet(this, head, new Encoded(encoding, bytes, head))) {
        return;
      }
    }
  }

  /**
   * Lets go of all encoded labels, for good. The source calls it when the series leaves; more than
   * once does no harm.
   */
  public final void end(EncodedLabelsBudget budget) {
    Encoded head = (Encoded) ENCODED.getAndSet(this, ENDED);
    for (Encoded e = head; e != null && e != ENDED; e = e.next) {
      budget.release(e.costBytes());
    }
  }
}
