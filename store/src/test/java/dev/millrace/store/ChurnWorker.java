package dev.millrace.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that records in four threads until it is told to end or is killed. After each round
 * that returned, the thread writes its number into its own cell of a progress file, which is no
 * part of the store.
 */
final class ChurnWorker {
  static final int THREADS = 4;

  static final int RECORDINGS_A_ROUND = 5;

  /** Increments between two pauses, so that forty threads leave the machine some air. */
  private static final int ROUNDS_A_BREATH = 200;

  private static final long BREATH_NANOS = 5_000_000;

  static final VarHandle CELLS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ChurnWorker() {}

  public static void main(String[] arguments) throws Exception {
    MetricStore store =
        MetricStore.open(
            Path.of(arguments[0]),
            StoreOptions.builder().retireInterval(Duration.ofSeconds(1)).build());
    MappedByteBuffer progress = progress(Path.of(arguments[1]));
    Counter counter = store.counter("c").labelNames("thread").create();
    Counter fraction = store.counter("f").create();
    Histogram histogram = store.histogram("h").bounds(1, 2, 3).create();
    Histogram exponential = store.histogram("e").exponential().create();
    Counter own = store.counter("own").labelNames("instance").create();
    store.gauge("g").create().set(1);
    boolean[] end = new boolean[1];
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int number = t;
      Counter.Series mine = counter.labels("" + t);
      Thread thread =
          new Thread(
              () -> {
                for (long round = 1; !isSet(end); round++) {
                  mine.increment();
                  fraction.add(0.1);
                  histogram.observe(round % 4 + 0.5);
                  exponential.observe((double) round);
                  own.labels(arguments[2]).increment();
                  CELLS.setRelease(progress, number * Long.BYTES, round);
                  if (round % ROUNDS_A_BREATH == 0) {
                    LockSupport.parkNanos(BREATH_NANOS);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    System.out.println("running");
    int unused = System.in.read();
    synchronized (end) {
      end[0] = true;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (arguments[2].hashCode() % 2 == 0) {
      store.close();
    }
  }

  private static boolean isSet(boolean[] end) {
    synchronized (end) {
      return end[0];
    }
  }

  static MappedByteBuffer progress(Path file) throws Exception {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, THREADS * Long.BYTES);
    }
  }
}
