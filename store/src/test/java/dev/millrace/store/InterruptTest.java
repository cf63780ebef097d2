package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JDK closes a file's channel under a thread that is interrupted. A cancelled task must cost
 * neither the writer its file nor a reader its values, and the thread stays interrupted.
 */
class InterruptTest {
  private static final int SERIES = 2000;

  @TempDir Path directory;

  @AfterEach
  void clear() {
    boolean unused = Thread.interrupted();
  }

  private MetricStore open() {
    return MetricStore.open(
        directory, StoreOptions.builder().processName("w").retireInterval(Duration.ZERO).build());
  }

  private static void assertInterrupted() {
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anInterruptedScrapeReadsAndThoseAfterItReadOn() {
    try (MetricStore store = open();
        StoreSource source = StoreSource.of(directory)) {
      Counter counter = store.counter("c").create();
      counter.increment();
      assertThat(Samples.of(source)).containsEntry("c", "1");
      counter.increment();
      Thread.currentThread().interrupt();
      assertThat(Samples.of(source)).containsEntry("c", "2");
      assertInterrupted();
      counter.increment();
      assertThat(Samples.of(source)).containsEntry("c", "3");
      assertThat(Samples.of(store)).containsEntry("c", "3");
      assertThat(source.problems().kinds().stream().map(Problem::name)).isEmpty();
    }
  }

  @Test
  void anInterruptedThreadsNewSeriesAreShared() {
    try (MetricStore store = open();
        StoreSource source = StoreSource.of(directory)) {
      Counter counter = store.counter("c").labelNames("k").create();
      Thread.currentThread().interrupt();
      for (int i = 0; i < SERIES; i++) {
        counter.labels("" + i).increment();
      }
      assertInterrupted();
      for (int i = SERIES; i < 2 * SERIES; i++) {
        counter.labels("" + i).increment();
      }
      assertThat(Samples.of(source)).hasSize(2 * SERIES);
      assertThat(store.problems().kinds().stream().map(Problem::name)).isEmpty();
    }
  }

  @Test
  void anInterruptedThreadOpensAStore() {
    Thread.currentThread().interrupt();
    try (MetricStore store = open();
        StoreSource source = StoreSource.of(directory)) {
      assertInterrupted();
      store.gauge("live").liveOnly().create().set(1);
      store.counter("c").create().increment();
      assertThat(source.retire()).isZero();
      assertThat(Samples.of(source)).containsEntry("c", "1").hasSize(2);
    }
  }

  @Test
  void deathIsSeenAfterAnInterruptedLook() {
    try (StoreSource source = StoreSource.of(directory)) {
      try (MetricStore store = open()) {
        store.gauge("live").liveOnly().create().set(1);
        assertThat(Samples.of(source)).hasSize(1);
        Thread.currentThread().interrupt();
        assertThat(Samples.of(source)).hasSize(1);
        assertInterrupted();
      }
      Thread.currentThread().interrupt();
      Map<String, String> unused = Samples.of(source);
      assertInterrupted();
      assertThat(Samples.of(source)).isEmpty();
    }
  }
}
