package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChunkPoolTest {
  private final AtomicLong nanos = new AtomicLong();

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(4, nanos::get), ChunkPool::outstandingChunks);

  private final ChunkPool pool = chunks.pool();

  @Test
  void anIdleChunkIsTakenBeforeANewOneIsAllocated() {
    Chunk first = pool.take();
    pool.giveBack(first);

    Chunk again = pool.take();
    Chunk another = pool.take();
    assertThat(again).isSameAs(first);
    assertThat(another).isNotSameAs(first);
    assertThat(pool.allocatedChunks()).isEqualTo(2);

    pool.giveBack(again);
    pool.giveBack(another);
  }

  @Test
  void keepsAtMostTheBound() {
    List<Chunk> taken = take(10);
    taken.forEach(pool::giveBack);
    assertThat(pool.idleChunks()).isEqualTo(4);
    assertThat(pool.outstandingChunks()).isZero();
  }

  @Test
  void aChunkGivenBackTwiceIsRefused() {
    Chunk chunk = pool.take();
    pool.giveBack(chunk);
    assertThatThrownBy(() -> pool.giveBack(chunk))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void aSharedChunkIsBackWhenItsLastOwnerGaveItBack() {
    Chunk chunk = pool.take();
    pool.share(chunk);
    pool.share(chunk);
    pool.giveBack(chunk);
    pool.giveBack(chunk);
    assertThat(pool.outstandingChunks()).isEqualTo(1);
    Chunk another = pool.take();
    assertThat(another).isNotSameAs(chunk);
    pool.giveBack(another);

    pool.giveBack(chunk);
    assertThat(pool.outstandingChunks()).isZero();
    Chunk again = pool.take();
    assertThat(again).isSameAs(chunk);
    pool.giveBack(again);
    assertThatThrownBy(() -> pool.giveBack(chunk)).hasMessageContaining("twice");
    assertThatThrownBy(() -> pool.share(chunk)).hasMessageContaining("share before giving back");
  }

  @Test
  void ownersMayGiveAChunkBackFromAnyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 1_000; round++) {
        Chunk chunk = pool.take();
        List<Future<?>> owners = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          pool.share(chunk);
          owners.add(threads.submit(() -> pool.giveBack(chunk)));
        }
        pool.giveBack(chunk);
        for (Future<?> owner : owners) {
          owner.get();
        }
        assertThat(pool.outstandingChunks()).as("round %d", round).isZero();
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aBurstLeavesNothingBehind() {
    nanos.addAndGet(ChunkPool.IDLE_NANOS);
    take(4).forEach(pool::giveBack);
    pool.trim();
    assertThat(pool.idleChunks()).isEqualTo(4);

    // One chunk stays in use through the next period, three are not needed.
    nanos.addAndGet(ChunkPool.IDLE_NANOS);
    pool.trim();
    pool.giveBack(pool.take());
    nanos.addAndGet(ChunkPool.IDLE_NANOS);
    pool.trim();
    assertThat(pool.idleChunks()).isLessThanOrEqualTo(1);

    nanos.addAndGet(ChunkPool.IDLE_NANOS);
    pool.trim();
    nanos.addAndGet(ChunkPool.IDLE_NANOS);
    pool.trim();
    assertThat(pool.idleChunks()).isZero();
  }

  @Test
  void eightThreadsNeverHoldTheSameChunk() throws Exception {
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        byte mark = (byte) (t + 1);
        results.add(executor.submit(markAndCheck(mark)));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get()).as("chunks that another thread wrote to").isZero();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(pool.idleChunks()).isBetween(0, 4);
  }

  private Callable<Integer> markAndCheck(byte mark) {
    return () -> {
      int shared = 0;
      for (int i = 0; i < 20_000; i++) {
        Chunk a = pool.take();
        Chunk b = pool.take();
        a.bytes()[0] = mark;
        b.bytes()[0] = mark;
        Thread.onSpinWait();
        if (a == b || a.bytes()[0] != mark || b.bytes()[0] != mark) {
          shared++;
        }
        pool.giveBack(a);
        pool.giveBack(b);
      }
      return shared;
    };
  }

  @Test
  void takingAndGivingBackAllocatesNothing() throws Exception {
    long bytes =
        AllocationMeter.bytesPerOperation(20_000, 10_000, () -> pool.giveBack(pool.take()));
    assertThat(bytes).isZero();
  }

  @Test
  void boundsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new ChunkPool(0)).hasMessageContaining("1 to 1048576");
    assertThatThrownBy(() -> new ChunkPool((1 << 20) + 1)).hasMessageContaining("found 1048577");
  }

  private List<Chunk> take(int count) {
    List<Chunk> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(pool.take());
    }
    return taken;
  }
}
