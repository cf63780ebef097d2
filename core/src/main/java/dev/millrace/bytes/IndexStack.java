package dev.millrace.bytes;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lock-free stack of the integers from 0 to a fixed bound, each in it at most once. Neither
 * operation allocates or waits.
 *
 * <p>The head holds the top index in its low half and a count of changes in its high half, so that
 * an index which left and came back between a read and a swap does not pass for unchanged.
 */
final class IndexStack {
  static final int EMPTY = -1;

  private static final long INDEX_MASK = 0xffff_ffffL;

  private final AtomicIntegerArray below;
  private final AtomicLong head = new AtomicLong(EMPTY & INDEX_MASK);

  IndexStack(int bound) {
    below = new AtomicIntegerArray(bound);
  }

  void push(int index) {
    while (true) {
      long seen = head.get();
      below.set(index, (int) seen);
      if (head.compareAndSet(seen, pack(seen, index))) {
        return;
      }
    }
  }

  /** Takes the top index, or {@link #EMPTY}. */
  int pop() {
    while (true) {
      long seen = head.get();
      int index = (int) seen;
      if (index == EMPTY) {
        return EMPTY;
      }
      if (head.compareAndSet(seen, pack(seen, below.get(index)))) {
        return index;
      }
    }
  }

  private static long pack(long seen, int index) {
    return ((seen >>> 32) + 1) << 32 | (index & INDEX_MASK);
  }
}
