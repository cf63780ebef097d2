package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.model.Problems;
import dev.millrace.store.file.StoreProblems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small tmpfs that fills up, and one that is read-only. Mounting needs root. */
class FullDiskTest {
  private static final int SIZE_KIB = 512;

  @TempDir Path parent;
  private final Problems problems = new Problems(() -> 0, line -> {});
  private final List<Path> mounts = new ArrayList<>();
  private Path directory = Path.of("");

  @BeforeEach
  void mount() throws Exception {
    directory = Files.createDirectory(parent.resolve("small"));
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + SIZE_KIB + "k", "tmpfs", directory.toString());
    assumeTrue(mounted, "expected to be allowed to mount a tmpfs (root on Linux)");
    mounts.add(directory);
  }

  @AfterEach
  void unmount() throws Exception {
    Collections.reverse(mounts);
    for (Path mount : mounts) {
      // Lazily: what is mapped stays mapped until it is collected.
      assertThat(run("umount", "-l", mount.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private MetricStore open() {
    return MetricStore.open(
        directory,
        StoreOptions.builder()
            .processName("w")
            .problems(problems)
            .retireInterval(Duration.ZERO)
            .build());
  }

  @Test
  void seriesLiveOnInMemoryWhenTheDiskFillsUp() throws IOException {
    try (MetricStore store = open();
        StoreSource source = StoreSource.of(directory)) {
      Counter counter = store.counter("c").labelNames("k").create();
      Histogram histogram = store.histogram("h").labelNames("k").create();
      int series = 10_000;
      for (int i = 0; i < series; i++) {
        counter.labels("label value " + i).add(i);
        histogram.labels("" + i).observe(i);
      }
      assertThat(problems.kind(StoreProblems.DISK_FULL).count()).isPositive();
      Map<String, String> own = Samples.of(store);
      for (int i = 0; i < series; i++) {
        assertThat(own).containsEntry("c{k=label value " + i + "}", "" + i);
        assertThat(own).containsEntry("h_count{k=" + i + "}", "1");
      }
      Map<String, String> shared = Samples.of(source);
      assertThat(shared).containsEntry("c{k=label value 7}", "7");
      assertThat(shared.size()).isLessThan(own.size());
      assertThat(source.problems().kinds()).isEmpty();
      // Every page of what was mapped was written before, so touching it cannot fail.
      for (int i = 0; i < series; i++) {
        counter.labels("label value " + i).increment();
      }
      assertThat(Samples.of(store)).containsEntry("c{k=label value 9}", "10");
    }
  }

  @Test
  void aStoreOpensOnAFullDisk() throws IOException {
    fill();
    try (MetricStore store = open()) {
      store.counter("c").create().increment();
      store.gauge("g").create().set(1);
      assertThat(Samples.of(store)).containsEntry("c", "1").containsEntry("g{pid=w}", "1.0");
      assertThat(problems.kind(StoreProblems.DISK_FULL).count()).isPositive();
    }
  }

  @Test
  void retirementOnAFullDiskChangesNothing() throws IOException {
    try (MetricStore store = open()) {
      store.counter("c").create().add(5);
    }
    Path ballast = fill();
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(source.retire()).isZero();
      assertThat(source.problems().kind(StoreProblems.RETIREMENT_FAILED).count()).isEqualTo(1);
      assertThat(Samples.of(source)).containsEntry("c", "5");
      Files.delete(ballast);
      assertThat(source.retire()).isEqualTo(1);
      assertThat(Samples.of(source)).containsEntry("c", "5");
    }
  }

  /** Takes all space that is left. */
  private Path fill() {
    Path ballast = directory.resolve("ballast");
    try (var out = Files.newOutputStream(ballast)) {
      byte[] block = new byte[1024];
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      return ballast;
    }
  }

  @Test
  void aReadOnlyDirectoryCanBeReadAndNotWritten() throws Exception {
    try (MetricStore store = open()) {
      store.counter("c").create().add(5);
      store.gauge("live").create().set(1);
    }
    // The same directory once more, as a container mounts it that may only read.
    Path writable = directory;
    directory = Files.createDirectory(parent.resolve("read-only"));
    assertThat(run("mount", "--bind", writable.toString(), directory.toString())).isTrue();
    mounts.add(directory);
    assertThat(run("mount", "-o", "remount,bind,ro", directory.toString())).isTrue();
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(Samples.of(source)).containsEntry("c", "5").hasSize(1);
      assertThat(source.retire()).isZero();
      assertThat(source.problems().kind(StoreProblems.RETIREMENT_FAILED).count()).isEqualTo(1);
      assertThat(Samples.of(source)).containsEntry("c", "5");
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("read-only");
  }
}
