package dev.millrace.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import dev.millrace.store.Counter;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers that look while a writer is in the middle of something. */
class StressTest {
  private static final int SERIES = 30_000;

  @TempDir Path directory;

  /**
   * Publication order: a series that a reader sees has its declaration, its labels and its cells. A
   * new series' counter is set before the next series is added, so all but the last are seen with
   * their values.
   */
  @Test
  void readersSeeWholeSeriesWhileTheFileGrows() throws Exception {
    Problems problems = new Problems(() -> 0, line -> {});
    StoreOptions options =
        StoreOptions.builder().problems(problems).retireInterval(Duration.ZERO).build();
    AtomicBoolean done = new AtomicBoolean();
    try (MetricStore store = MetricStore.open(directory, options)) {
      Thread writer =
          new Thread(
              () -> {
                Counter counter = store.counter("c").labelNames("number").create();
                Histogram histogram = store.histogram("h").labelNames("number").create();
                for (int i = 0; i < SERIES; i++) {
                  counter.labels("" + i).add(i + 1);
                  if (i % 10 == 0) {
                    histogram.labels("" + i).observe(i);
                  }
                  if (i % 1000 == 0) {
                    store.counter("another " + i).create();
                  }
                }
                done.set(true);
              });
      writer.start();
      boolean last = false;
      int rounds = 0;
      int seen = 0;
      while (!last) {
        last = done.get();
        // A reader that begins anew, and one that has been there all along.
        try (StoreSource source = StoreSource.of(directory, options)) {
          seen = look(source);
          seen = Math.max(seen, look(source));
        }
        assertThat(look(store)).isGreaterThanOrEqualTo(seen);
        rounds++;
      }
      writer.join();
      assertThat(seen).isEqualTo(SERIES);
      assertThat(rounds).isPositive();
      assertThat(problems.kinds().stream().map(Problem::name)).isEmpty();
    }
  }

  private static int look(dev.millrace.model.MetricSource source) {
    int seen = 0;
    try (MetricCursor cursor = source.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        if (cursor.metric().name().equals("c")) {
          long pending = 0;
          while (cursor.nextPoint()) {
            int number = Integer.parseInt(cursor.series().labels().text(0));
            assertThat(number).isEqualTo(seen);
            if (cursor.longValue() != number + 1) {
              assertThat(cursor.longValue()).isZero();
              pending++;
            }
            seen++;
          }
          assertThat(pending).isLessThanOrEqualTo(1);
        }
      }
    }
    return seen;
  }

  /** A cell is read whole, though the reader copies it through the file and not the mapping. */
  @Test
  void readsAreNotTorn() throws Exception {
    int cells = 4096;
    long[] patterns = {0, -1, 0x00000000ffffffffL, 0xffffffff00000000L, 0x00ff00ff00ff00ffL};
    Path file = directory.resolve("cells");
    AtomicBoolean end = new AtomicBoolean();
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer mapped =
          channel
              .map(FileChannel.MapMode.READ_WRITE, 0, (long) cells * Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN);
      Thread writer =
          new Thread(
              () -> {
                for (int round = 0; !end.get(); round++) {
                  for (int i = 0; i < cells; i++) {
                    FileLayout.LONGS.setRelease(
                        mapped, i * Long.BYTES, patterns[(round + i) % patterns.length]);
                  }
                }
              });
      writer.start();
      long[] read = new long[cells];
      try (FileBytes bytes = FileBytes.open(file, FileBytes.newScratch())) {
        for (int round = 0; round < 3000; round++) {
          assertThat(bytes.readCells(0, read, 0, cells)).isEqualTo(cells);
          for (long value : read) {
            if (value != 0
                && value != -1
                && value != patterns[2]
                && value != patterns[3]
                && value != patterns[4]) {
              throw new AssertionError("expected a whole value, found " + Long.toHexString(value));
            }
          }
        }
      } finally {
        end.set(true);
        writer.join();
      }
    }
  }

  /** An exemplar that is read is one that was written, never half of two. */
  @Test
  void exemplarsAreNotTorn() throws Exception {
    AtomicBoolean end = new AtomicBoolean();
    try (MetricStore store = MetricStore.open(directory)) {
      Counter counter = store.counter("c").exemplars().create();
      Thread[] writers = new Thread[2];
      for (int w = 0; w < writers.length; w++) {
        String trace = ("" + (w + 1)).repeat(32);
        String span = ("" + (w + 1)).repeat(16);
        long amount = w + 1L;
        writers[w] =
            new Thread(
                () -> {
                  while (!end.get()) {
                    counter.labels().add(amount, trace, span);
                  }
                });
        writers[w].start();
      }
      int found = 0;
      for (int round = 0; found < 200 && round < 1_000_000; round++) {
        try (MetricCursor cursor = store.open()) {
          cursor.seekMetric(0);
          assertThat(cursor.nextPoint()).isTrue();
          if (cursor.exemplarCount() == 1) {
            found++;
            long digit = (long) cursor.exemplarDoubleValue(0);
            long expected = digit * 0x1111111111111111L;
            assertThat(cursor.exemplarTraceIdHigh(0)).isEqualTo(expected);
            assertThat(cursor.exemplarTraceIdLow(0)).isEqualTo(expected);
            assertThat(cursor.exemplarSpanId(0)).isEqualTo(expected);
          }
        }
      }
      end.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(found).isEqualTo(200);
    }
  }
}
