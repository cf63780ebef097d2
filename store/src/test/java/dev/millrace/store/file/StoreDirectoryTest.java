package dev.millrace.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Problems;
import dev.millrace.store.MetricStore;
import dev.millrace.store.Samples;
import dev.millrace.store.StoreBounds;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names, locks and bounds of a directory. */
class StoreDirectoryTest {
  @TempDir Path directory;
  private final Problems problems = new Problems(() -> 0, line -> {});

  @Test
  void networkFileSystemsAreRefusedWithAReason() {
    for (String type : new String[] {"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "NFS"}) {
      assertThat(StoreDirectory.refusal(type))
          .contains("expected a local file system, found " + type)
          .contains("tmpfs");
    }
    for (String type : new String[] {"ext4", "xfs", "btrfs", "tmpfs", "overlay", "zfs", "apfs"}) {
      assertThat(StoreDirectory.refusal(type)).isNull();
    }
  }

  @Test
  void aFileThatIsRemovedUnderItsProcessIsToldOnce() throws IOException {
    try (MetricStore store = MetricStore.open(directory)) {
      store.counter("c").create().increment();
      assertThat(store.retire()).isZero();
      assertThat(store.problems().kinds()).isEmpty();
      for (Path file : StoreDirectory.forReading(directory).files(StoreDirectory.DATA_SUFFIX)) {
        Files.delete(file);
      }
      assertThat(store.retire()).isZero();
      assertThat(store.retire()).isZero();
      assertThat(store.problems().kind(StoreProblems.FILE_GONE).count()).isEqualTo(1);
    }
  }

  @Test
  void whatIsNoDirectoryIsRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> StoreSource.of(file)).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> MetricStore.open(file)).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> StoreSource.of(directory.resolve("nowhere")))
        .hasMessageContaining("expected a store directory");
  }

  private StoreOptions options(StoreBounds bounds) {
    return StoreOptions.builder()
        .processName("w")
        .problems(problems)
        .bounds(bounds)
        .retireInterval(Duration.ZERO)
        .build();
  }

  @Test
  void aDirectoryAtItsBoundRefusesNewSeriesAndServesTheOld() {
    StoreBounds bounds = new StoreBounds(1_000_000, 128 * 1024, 10);
    try (MetricStore store = MetricStore.open(directory, options(bounds));
        StoreSource source = StoreSource.of(directory)) {
      var counter = store.counter("c").labelNames("k").create();
      for (int i = 0; i < 5000; i++) {
        counter.labels("" + i).increment();
      }
      counter.labels("0").increment();
      assertThat(problems.kind(StoreProblems.SERIES_REFUSED).count()).isPositive();
      assertThat(Samples.of(source))
          .isEqualTo(Samples.of(store))
          .containsEntry("c{k=0}", "2")
          .hasSizeBetween(100, 2000);
    }
  }

  @Test
  void moreProcessesThanFilesKeepTheirValuesInMemory() {
    StoreBounds bounds = new StoreBounds(100, 1 << 20, 2);
    try (MetricStore one = MetricStore.open(directory, options(bounds));
        MetricStore two = MetricStore.open(directory, options(bounds));
        MetricStore three = MetricStore.open(directory, options(bounds))) {
      for (MetricStore store : new MetricStore[] {one, two, three}) {
        store.counter("c").create().increment();
      }
      assertThat(problems.kind(StoreProblems.FILES_OVER_BOUND).count()).isEqualTo(1);
      assertThat(Samples.of(one)).containsEntry("c", "2");
      assertThat(Samples.of(three)).containsEntry("c", "3");
    }
    // The dead make room.
    try (MetricStore four = MetricStore.open(directory, options(bounds))) {
      four.counter("c").create().increment();
      assertThat(Samples.of(four)).containsEntry("c", "3");
    }
  }

  @Test
  void aReaderWithABoundLeavesTheRestUnread() {
    try (MetricStore one = MetricStore.open(directory, options(StoreBounds.DEFAULT));
        MetricStore two = MetricStore.open(directory, options(StoreBounds.DEFAULT));
        StoreSource source = StoreSource.of(directory, options(new StoreBounds(100, 1 << 20, 1)))) {
      one.counter("c").create().increment();
      two.counter("c").create().increment();
      assertThat(Samples.of(source)).containsEntry("c", "1");
      assertThat(problems.kind(StoreProblems.FILES_OVER_BOUND).count()).isPositive();
    }
  }

  /** A lock file that a container left behind when it was restarted has no holder. */
  @Test
  void aLockFileWithoutAHolderIsDead() throws IOException {
    Path lock = directory.resolve("0123456789abcdef0123456789abcdef.lock");
    InstanceId instance = new InstanceId(0x0123456789abcdefL, 0x0123456789abcdefL);
    Files.createFile(lock);
    try (ProcessLock.Probe probe = new ProcessLock.Probe(lock, instance)) {
      assertThat(probe.isAlive()).isFalse();
    }
    try (ProcessLock held = ProcessLock.take(lock, instance);
        ProcessLock.Probe probe = new ProcessLock.Probe(lock, instance)) {
      assertThat(held).isNotNull();
      assertThat(probe.isAlive()).isTrue();
    }
    try (ProcessLock.Probe probe = new ProcessLock.Probe(lock, instance)) {
      assertThat(probe.isAlive()).isFalse();
      Files.delete(lock);
    }
    try (ProcessLock.Probe probe = new ProcessLock.Probe(lock, instance)) {
      assertThat(probe.isAlive()).isFalse();
    }
  }

  @Test
  void processesThatBeginAtOneMomentGetDistinctNames() throws Exception {
    List<MetricStore> stores = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    CountDownLatch begin = new CountDownLatch(1);
    int count = 12;
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  begin.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                MetricStore store = MetricStore.open(directory, options(StoreBounds.DEFAULT));
                store.gauge("g").create().set(1);
                stores.add(store);
              });
      threads.add(thread);
      thread.start();
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(Samples.of(source)).hasSize(count).containsKey("g{pid=w}");
      assertThat(source.problems().kinds()).isEmpty();
    }
    stores.forEach(MetricStore::close);
  }

  @Test
  void instanceIds() {
    assertThat(InstanceId.parse("00000000000000010000000000000002"))
        .isEqualTo(new InstanceId(1, 2))
        .hasToString("00000000000000010000000000000002");
    assertThat(InstanceId.parse("0000000000000001000000000000000G")).isNull();
    assertThat(InstanceId.parse("1")).isNull();
    InstanceId random = InstanceId.random();
    assertThat(InstanceId.parse(random.toString())).isEqualTo(random);
  }
}
