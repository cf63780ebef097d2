package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Problem;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten processes of four threads record while some of them are killed at random and started again,
 * while the dead are retired, and while two readers scrape: afterwards every increment that
 * returned is there, and no counter ever fell.
 *
 * <p>A longer run: {@code -Dmillrace.churn.seconds=600 -Dmillrace.churn.seed=7}.
 */
class ChurnTest {
  private static final int PROCESSES = 10;
  private static final long SECONDS = Long.getLong("millrace.churn.seconds", 5);
  private static final long RECORDINGS = 3_000_000;
  private static final long MOST_SECONDS = Math.max(60, SECONDS);
  private static final long SEED = Long.getLong("millrace.churn.seed", System.nanoTime());

  @TempDir Path directory;
  @TempDir Path progressDirectory;

  private final Queue falls = new Queue();
  private int started;
  private long killed;
  private final List<Run> over = new ArrayList<>();

  /** What went wrong in other threads. */
  private static final class Queue extends ConcurrentLinkedQueue<String> {
    private static final long serialVersionUID = 1L;
  }

  private record Run(ChildJvm jvm, MappedByteBuffer progress) {
    long rounds(int thread) {
      return (long) ChurnWorker.CELLS.getAcquire(progress, thread * Long.BYTES);
    }
  }

  @Test
  void nothingThatReturnedIsLostAndNothingFalls() throws Exception {
    System.out.println("ChurnTest: seed " + SEED + ", " + SECONDS + " s");
    SplittableRandom random = new SplittableRandom(SEED);
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger scrapes = new AtomicInteger();
    List<Run> running = new ArrayList<>();
    try (StoreSource source = StoreSource.of(directory);
        MetricStore observer = MetricStore.open(directory);
        StoreSource other = StoreSource.of(directory)) {
      for (int i = 0; i < PROCESSES; i++) {
        running.add(start());
      }
      Thread scraper = scraper(source, end, scrapes);
      Thread second = scraper(observer, end, scrapes);
      Thread retirer = retirer(other, end);
      long begin = System.nanoTime();
      while (goesOn(System.nanoTime() - begin, running)) {
        LockSupport.parkNanos(random.nextLong(200_000_000L, 800_000_000L));
        int victim = random.nextInt(PROCESSES);
        Run run = running.get(victim);
        run.jvm.kill();
        killed++;
        over.add(run);
        running.set(victim, start());
      }
      List<Run> ending = new ArrayList<>();
      for (Run run : running) {
        over.add(run);
        if (random.nextBoolean()) {
          run.jvm.kill();
          killed++;
        } else {
          ending.add(run);
          run.jvm.writeLine("end");
        }
      }
      for (Run run : ending) {
        assertThat(run.jvm.waitFor()).isZero();
      }
      end.set(true);
      scraper.join();
      second.join();
      retirer.join();
      check(Samples.of(source));
      check(Samples.of(observer));
      other.retire();
      check(Samples.of(source));
      check(Samples.of(other));
      assertThat(falls).as("seed %d", SEED).isEmpty();
      assertThat(source.problems().kinds().stream().map(Problem::name)).isEmpty();
      System.out.println(
          "ChurnTest: "
              + started
              + " processes, "
              + killed
              + " killed, "
              + rounds(0) * ChurnWorker.THREADS * ChurnWorker.RECORDINGS_A_ROUND
              + " recordings or so, "
              + scrapes
              + " scrapes");
    } finally {
      running.forEach(run -> run.jvm.close());
    }
  }

  /** For the time that was asked for, and on a busy machine longer, until there was enough work. */
  private boolean goesOn(long nanos, List<Run> running) {
    long seconds = nanos / 1_000_000_000L;
    long rounds = 0;
    for (int t = 0; t < ChurnWorker.THREADS; t++) {
      int thread = t;
      rounds += rounds(thread) + running.stream().mapToLong(run -> run.rounds(thread)).sum();
    }
    return seconds < SECONDS
        || (rounds * ChurnWorker.RECORDINGS_A_ROUND < RECORDINGS && seconds < MOST_SECONDS);
  }

  private Run start() throws Exception {
    int number = started++;
    Path file = progressDirectory.resolve("progress-" + number);
    MappedByteBuffer progress = ChurnWorker.progress(file);
    return new Run(
        ChildJvm.start(ChurnWorker.class, directory.toString(), file.toString(), "" + number),
        progress);
  }

  private long rounds(int thread) {
    return over.stream().mapToLong(run -> run.rounds(thread)).sum();
  }

  /** Each thread of a killed process may have been inside one round that did not return. */
  private void check(Map<String, String> samples) {
    long all = 0;
    for (int t = 0; t < ChurnWorker.THREADS; t++) {
      long returned = rounds(t);
      all += returned;
      assertThat(Long.parseLong(samples.get("c{thread=" + t + "}")))
          .as("seed %d, thread %d, %d killed", SEED, t, killed)
          .isBetween(returned, returned + killed);
    }
    long most = all + killed * ChurnWorker.THREADS;
    assertThat(Long.parseLong(samples.get("h_count"))).as("seed %d", SEED).isBetween(all, most);
    assertThat(Long.parseLong(samples.get("e_count"))).as("seed %d", SEED).isBetween(all, most);
    assertThat(Double.parseDouble(samples.get("f")))
        .as("seed %d", SEED)
        .isBetween(all * 0.0999999, most * 0.1000001);
    long own =
        samples.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("own"))
            .mapToLong(entry -> Long.parseLong(entry.getValue()))
            .sum();
    assertThat(own).as("seed %d", SEED).isBetween(all, most);
  }

  private Thread scraper(
      dev.millrace.model.MetricSource source, AtomicBoolean end, AtomicInteger scrapes) {
    Thread thread =
        new Thread(
            () -> {
              Map<String, String> last = Map.of();
              while (!end.get()) {
                Map<String, String> now = Samples.of(source);
                compare(last, now);
                last = now;
                scrapes.incrementAndGet();
                LockSupport.parkNanos(2_000_000);
              }
            });
    thread.setUncaughtExceptionHandler((which, e) -> falls.add("scraper failed: " + e));
    thread.start();
    return thread;
  }

  private void compare(Map<String, String> last, Map<String, String> now) {
    last.forEach(
        (key, value) -> {
          // Exponential buckets join when the scale falls, and gauges may fall.
          boolean compared =
              !key.startsWith("e_p") && !key.startsWith("e_sc") && key.charAt(0) != 'g';
          if (compared) {
            String next = now.get(key);
            if (next == null || Double.parseDouble(next) < Double.parseDouble(value)) {
              falls.add(key + " fell from " + value + " to " + next);
            }
          }
        });
  }

  private Thread retirer(StoreSource source, AtomicBoolean end) {
    Thread thread =
        new Thread(
            () -> {
              while (!end.get()) {
                source.retire();
                LockSupport.parkNanos(20_000_000);
              }
            });
    thread.setUncaughtExceptionHandler((which, e) -> falls.add("retirer failed: " + e));
    thread.start();
    return thread;
  }
}
