package dev.millrace.bytes;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps idle {@link Chunk}s for the next writer.
 *
 * <p><b>Guarantees.</b> Safe for any number of threads. {@link #take} never blocks and never fails:
 * with no idle chunk it allocates one, and counts that. {@link #giveBack} keeps at most the bound;
 * what is over it is left to the garbage collector. A thread that loses a race tries again with the
 * next chunk, so a lost race costs one more compare-and-swap and never an allocation. Chunks that
 * nobody needed for a whole {@link #IDLE_NANOS} are let go, so a burst leaves nothing behind.
 *
 * <pre>{@code
 * ChunkPool pool = new ChunkPool(4);
 * Chunk chunk = pool.take();
 * pool.giveBack(chunk);
 * assert pool.outstandingChunks() == 0;
 * assert pool.take() == chunk;
 * }</pre>
 */
public final class ChunkPool {
  /**
   * How long a chunk may lie unneeded before it is let go: longer than the usual scrape interval of
   * 15 to 60 seconds.
   */
  public static final long IDLE_NANOS = 90_000_000_000L;

  private final AtomicReferenceArray<@Nullable Chunk> slots;
  private final IndexStack filled;
  private final IndexStack empty;
  private final AtomicInteger idle = new AtomicInteger();
  private final AtomicInteger leastIdle = new AtomicInteger();
  private final LongAdder taken = new LongAdder();
  private final LongAdder givenBack = new LongAdder();
  private final LongAdder allocated = new LongAdder();
  private final LongSupplier nanoClock;
  private final AtomicLong periodEndNanos;

  /**
   * A pool on the system's monotonic clock.
   *
   * @param maxIdleChunks how many idle chunks are kept at most, from 1 to 1,048,576
   */
  public ChunkPool(int maxIdleChunks) {
    this(maxIdleChunks, System::nanoTime);
  }

  /**
   * A pool on a clock of its own.
   *
   * @param maxIdleChunks how many idle chunks are kept at most, from 1 to 1,048,576
   * @param nanoClock a monotonic clock in nanoseconds
   */
  public ChunkPool(int maxIdleChunks, LongSupplier nanoClock) {
    if (maxIdleChunks < 1 || maxIdleChunks > 1 << 20) {
      throw new IllegalArgumentException(
          "maxIdleChunks: expected 1 to 1048576, found " + maxIdleChunks);
    }
    this.nanoClock = nanoClock;
    slots = new AtomicReferenceArray<>(maxIdleChunks);
    filled = new IndexStack(maxIdleChunks);
    empty = new IndexStack(maxIdleChunks);
    for (int i = maxIdleChunks - 1; i >= 0; i--) {
      empty.push(i);
    }
    periodEndNanos = new AtomicLong(nanoClock.getAsLong() + IDLE_NANOS);
  }

  /** Gives an empty chunk; the caller owns it until it is given back. */
  public Chunk take() {
    taken.increment();
    Chunk chunk = takeIdle();
    if (chunk == null) {
      allocated.increment();
      chunk = new Chunk();
    }
    chunk.leave();
    return chunk;
  }

  /**
   * Adds an owner to a filled chunk, for bytes that go to several places without a copy. Nobody may
   * change the chunk from here on, or link it to others. Each owner gives it back once; the last
   * one returns it to the pool.
   *
   * @param chunk one that the caller owns, or that belongs to an open payload
   * @throws IllegalStateException if the chunk is not out
   */
  public void share(Chunk chunk) {
    chunk.share();
  }

  /**
   * Takes a chunk back; a shared one only from the last of its owners.
   *
   * @throws IllegalStateException if the chunk is not out, which means that it has two owners that
   *     do not know of each other
   */
  public void giveBack(Chunk chunk) {
    if (!chunk.comeBack()) {
      return;
    }
    givenBack.increment();
    int slot = empty.pop();
    if (slot != IndexStack.EMPTY) {
      slots.set(slot, chunk);
      idle.incrementAndGet();
      filled.push(slot);
    }
    trim();
  }

  /** Gives back a chunk and all that follow it. */
  public void giveBackAll(@Nullable Chunk first) {
    Chunk chunk = first;
    while (chunk != null) {
      Chunk next = chunk.next();
      giveBack(chunk);
      chunk = next;
    }
  }

  /**
   * Lets go of the chunks that nobody needed in the period that has ended, if one has. Every {@link
   * #giveBack} does this too; an owner with a timer calls it so that a pool that is not used at all
   * empties as well.
   */
  public void trim() {
    long end = periodEndNanos.get();
    long now = nanoClock.getAsLong();
    if (now - end < 0 || !periodEndNanos.compareAndSet(end, now + IDLE_NANOS)) {
      return;
    }
    int unneeded = leastIdle.get();
    for (int i = 0; i < unneeded && takeIdle() != null; i++) {
      // What takeIdle gave is dropped here.
    }
    leastIdle.set(idle.get());
  }

  /** Chunks that are in somebody's hands. Exact when no other thread is in the pool. */
  public long outstandingChunks() {
    return taken.sum() - givenBack.sum();
  }

  /** Chunks that lie in the pool. */
  public int idleChunks() {
    return idle.get();
  }

  /** How often {@link #take} found no idle chunk and allocated one, since the pool was made. */
  public long allocatedChunks() {
    return allocated.sum();
  }

  private @Nullable Chunk takeIdle() {
    int slot = filled.pop();
    if (slot == IndexStack.EMPTY) {
      leastIdle.set(0);
      return null;
    }
    int left = idle.decrementAndGet();
    if (left < leastIdle.get()) {
      leastIdle.set(left);
    }
    Chunk chunk = slots.getAndSet(slot, null);
    empty.push(slot);
    return chunk;
  }
}
