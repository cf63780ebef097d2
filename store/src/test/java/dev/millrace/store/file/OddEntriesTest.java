package dev.millrace.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import dev.millrace.store.MetricStore;
import dev.millrace.store.Samples;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import dev.millrace.store.tool.StoreTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is no regular file has a name of a store's files: it is left alone, never waited for, and
 * costs nothing else.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OddEntriesTest {
  private static final String INSTANCE = "0123456789abcdef0123456789abcdef";

  @TempDir Path directory;

  @BeforeEach
  void write() {
    try (MetricStore store = open()) {
      store.counter("c").create().add(5);
    }
  }

  private MetricStore open() {
    return MetricStore.open(
        directory, StoreOptions.builder().processName("w").retireInterval(Duration.ZERO).build());
  }

  private Path pipe(String name) throws Exception {
    Path pipe = directory.resolve(name);
    boolean made;
    try {
      Process process = new ProcessBuilder("mkfifo", pipe.toString()).start();
      made = process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      made = false;
    }
    assumeTrue(made, "expected the command mkfifo");
    return pipe;
  }

  private void assertServedAndRetired() throws IOException {
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(Samples.of(source)).containsEntry("c", "5");
      try (MetricStore another = open()) {
        another.counter("c").create().increment();
        assertThat(Samples.of(another)).containsEntry("c", "6");
      }
      assertThat(new StoreTool(directory, new StringBuilder()).check()).isZero();
      assertThat(source.retire()).isEqualTo(2);
      assertThat(Samples.of(source)).containsEntry("c", "6");
      assertThat(source.problems().kinds().stream().map(Problem::name)).isEmpty();
    }
  }

  @Test
  void pipes() throws Exception {
    Path data = pipe("x." + INSTANCE + ".mill");
    Path lock = pipe(INSTANCE + ".lock");
    Path unfinished = pipe(".x." + INSTANCE + ".new");
    assertServedAndRetired();
    assertThat(data).exists();
    assertThat(lock).exists();
    assertThat(unfinished).exists();
  }

  @Test
  void directories() throws IOException {
    Files.createDirectories(directory.resolve("x." + INSTANCE + ".mill").resolve("inner"));
    Files.createDirectories(directory.resolve(".x." + INSTANCE + ".new").resolve("inner"));
    Files.createDirectories(directory.resolve(INSTANCE + ".lock").resolve("inner"));
    Files.createDirectories(directory.resolve("x.mill.damaged").resolve("inner"));
    assertServedAndRetired();
  }

  @Test
  void links() throws IOException {
    Path loop = directory.resolve("x." + INSTANCE + ".mill");
    Files.createSymbolicLink(loop, loop);
    Files.createSymbolicLink(directory.resolve("y.mill"), directory.resolve("nowhere"));
    Files.createSymbolicLink(directory.resolve("z." + INSTANCE + ".mill"), Path.of("/dev/zero"));
    assertServedAndRetired();
    assertThat(Files.isSymbolicLink(loop)).isTrue();
  }

  @Test
  void totalsThatAreAPipeAreRefusedAndNothingIsRetired() throws Exception {
    pipe(StoreDirectory.TOTALS_NAME);
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(Samples.of(source)).containsEntry("c", "5");
      assertThat(source.problems().kind(StoreProblems.FILE_REFUSED).count()).isEqualTo(1);
      assertThat(source.retire()).isZero();
      assertThat(source.problems().kind(StoreProblems.RETIREMENT_FAILED).count()).isEqualTo(1);
      assertThat(Samples.of(source)).containsEntry("c", "5");
      StringBuilder report = new StringBuilder();
      assertThat(new StoreTool(directory, report).check()).isEqualTo(1);
      assertThat(report).contains("totals.mill: expected a regular file");
    }
  }

  @Test
  void locksThatArePipesAreErrorsAndNotWaitedFor() throws Exception {
    pipe(StoreDirectory.RETIRE_LOCK_NAME);
    Files.delete(directory.resolve(StoreDirectory.NAME_LOCK_NAME));
    pipe(StoreDirectory.NAME_LOCK_NAME);
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(source.retire()).isZero();
      assertThat(source.problems().kind(StoreProblems.RETIREMENT_FAILED).count()).isEqualTo(1);
    }
    assertThatThrownBy(this::open).hasMessageContaining("name.lock: expected a lock file");
  }

  @Test
  void aFileThatCannotBeReadIsNotTakenForOneWithoutValues() {
    Problems problems = new Problems(() -> 0, line -> {});
    MergedView view = new MergedView(new EncodedLabelsBudget(0), problems);
    FileHeader header = new FileHeader(InstanceId.random(), 1, 1, FileLayout.ROLE_PROCESS);
    Image image = new Image(new FailingBytes(), header, "x", "x.mill");
    view.add(image);
    assertThat(view.read(image)).isFalse();
    assertThat(problems.kind(StoreProblems.FILE_UNREADABLE).count()).isEqualTo(1);
    view.close();
  }

  /** A disk with a fault. */
  private static final class FailingBytes implements StoreBytes {
    @Override
    public int read(long position, byte[] target, int offset, int lengthBytes) throws IOException {
      throw new IOException("Input/output error");
    }

    @Override
    public int readCells(long position, long[] target, int offset, int count) throws IOException {
      throw new IOException("Input/output error");
    }

    @Override
    public long sizeBytes() {
      return 1 << 20;
    }

    @Override
    public void close() {}
  }

  @Test
  void retiringADirectoryThatIsNotThereDoesNotMakeIt() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> new StoreTool(missing, new StringBuilder()).retire())
        .isInstanceOf(IOException.class);
    assertThat(missing).doesNotExist();
  }
}
