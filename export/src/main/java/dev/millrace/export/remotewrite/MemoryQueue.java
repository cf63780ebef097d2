package dev.millrace.export.remotewrite;

import dev.millrace.bytes.Payload;
import dev.millrace.format.remotewrite.RequestContent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of all shards that wait in memory, in order for each shard, under one bound: a shard
 * that has little leaves its room to the others. A request that was {@linkplain #take taken} counts
 * until it is {@linkplain #settled settled}. Thread-safe; nothing but {@link #awaitSettled} waits.
 */
final class MemoryQueue {
  private static final class Lane {
    final ArrayDeque<QueuedRequest> waiting = new ArrayDeque<>();
    final ArrayDeque<QueuedRequest> taken = new ArrayDeque<>(2);

    @Nullable QueuedRequest oldest() {
      QueuedRequest first = taken.peek();
      return first == null ? waiting.peek() : first;
    }
  }

  private final RemoteWriteQueue bounds;
  private final LongSupplier nanoTime;
  private final List<Lane> lanes = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition someSettled = lock.newCondition();
  private long sequence;
  private long heldBytes;
  private long lengthBytes;
  private long items;
  private int requests;
  private int waiting;

  MemoryQueue(RemoteWriteQueue bounds, int shards, LongSupplier nanoTime) {
    this.bounds = bounds;
    this.nanoTime = nanoTime;
    for (int i = 0; i < shards; i++) {
      lanes.add(new Lane());
    }
  }

  /**
   * Adds a request to the end of a shard.
   *
   * @param evicted takes the oldest that wait, for which there is no room any more, and which are
   *     the caller's then; the new one is not among them
   */
  void add(int shard, Payload payload, RequestContent content, List<QueuedRequest> evicted) {
    lock.lock();
    try {
      QueuedRequest request = QueuedRequest.of(payload, content, nanoTime.getAsLong(), ++sequence);
      lanes.get(shard).waiting.add(request);
      count(request, 1);
      waiting++;
      while (isOver(bounds.maxBytes(), bounds.maxRequests()) && waiting > 1) {
        evicted.add(evictOldest());
      }
      if (!evicted.isEmpty()) {
        someSettled.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private QueuedRequest evictOldest() {
    Lane from = null;
    for (Lane lane : lanes) {
      QueuedRequest first = lane.waiting.peek();
      if (first != null && (from == null || first.sequence() < from.waiting.element().sequence())) {
        from = lane;
      }
    }
    QueuedRequest oldest = from == null ? null : from.waiting.poll();
    if (oldest == null) {
      throw new IllegalStateException("expected " + waiting + " requests that wait, found none");
    }
    waiting--;
    count(oldest, -1);
    return oldest;
  }

  private void count(QueuedRequest request, int sign) {
    requests += sign;
    heldBytes += sign * request.heldBytes();
    lengthBytes += sign * request.payload().lengthBytes();
    items += (long) sign * request.items();
  }

  private boolean isOver(long maxBytes, long maxRequests) {
    return heldBytes > maxBytes || requests > maxRequests;
  }

  /** Whether it is time to bring what waits to a disk: while there is room for what comes then. */
  boolean isHalfFull() {
    lock.lock();
    try {
      return isOver(bounds.maxBytes() / 2, bounds.maxRequests() / 2);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the oldest of a shard that nobody has taken; {@code null} where there is none. */
  @Nullable QueuedRequest take(int shard) {
    lock.lock();
    try {
      Lane lane = lanes.get(shard);
      QueuedRequest next = lane.waiting.poll();
      if (next != null) {
        waiting--;
        lane.taken.add(next);
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Puts back the one that was taken last. */
  void putBack(int shard, QueuedRequest request) {
    lock.lock();
    try {
      Lane lane = lanes.get(shard);
      lane.taken.remove(request);
      lane.waiting.addFirst(request);
      waiting++;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets one that was taken: nobody need wait for it. */
  void settled(int shard, QueuedRequest request) {
    lock.lock();
    try {
      lanes.get(shard).taken.remove(request);
      count(request, -1);
      someSettled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all that was added before is settled. An interrupt ends the wait and stays set.
   *
   * @return whether it is
   */
  boolean awaitSettled(long timeoutMillis) {
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      long last = sequence;
      while (oldestSequence() <= last) {
        if (leftNanos <= 0) {
          return false;
        }
        leftNanos = someSettled.awaitNanos(leftNanos);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private long oldestSequence() {
    long oldest = Long.MAX_VALUE;
    for (Lane lane : lanes) {
      QueuedRequest first = lane.oldest();
      if (first != null) {
        oldest = Math.min(oldest, first.sequence());
      }
    }
    return oldest;
  }

  /** What is here now. */
  RemoteWriteStats.Queue stats(long stored) {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      long ageNanos = 0;
      for (Lane lane : lanes) {
        QueuedRequest first = lane.oldest();
        if (first != null) {
          ageNanos = Math.max(ageNanos, now - first.queuedAtNanos());
        }
      }
      return new RemoteWriteStats.Queue(
          requests, items, lengthBytes, TimeUnit.NANOSECONDS.toMillis(ageNanos), stored);
    } finally {
      lock.unlock();
    }
  }
}
