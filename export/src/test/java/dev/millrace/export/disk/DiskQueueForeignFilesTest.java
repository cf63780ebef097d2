package dev.millrace.export.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.Spool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A directory in which others leave things, and a disk that goes bad. */
class DiskQueueForeignFilesTest {
  private static final String OLDEST = SpoolDirectory.name(1, 0, 0);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path directory;
  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0, log::add);

  private DiskQueueOptions options() {
    return DiskQueueOptions.in(directory, "test/bytes").withProblems(problems);
  }

  private DiskQueue open() throws IOException {
    return open(options(), new SpoolDirectory(directory));
  }

  private DiskQueue open(DiskQueueOptions options, SpoolDirectory files) throws IOException {
    return new DiskQueue(options, files, chunks.pool(), () -> 1_000);
  }

  private boolean add(DiskQueue queue, int lengthBytes) {
    try (Payload payload = Payloads.of(chunks.pool(), new byte[lengthBytes])) {
      return queue.add(payload, 1);
    }
  }

  private static Spool.@Nullable Stored oldest(DiskQueue queue) {
    Spool.Stored stored = queue.oldest();
    if (stored != null) {
      stored.payload().close();
    }
    return stored;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatIsNoPlainFileIsLeftAlone() throws Exception {
    Files.createDirectory(directory.resolve(OLDEST));
    Files.createFile(directory.resolve(OLDEST).resolve("in use"));
    Files.createSymbolicLink(directory.resolve(SpoolDirectory.name(2, 0, 0)), Path.of("/dev/zero"));
    try (DiskQueue queue = open(options().withMaxFiles(1), new SpoolDirectory(directory))) {
      assertThat(queue.mayHold()).isFalse();
      assertThat(add(queue, 10)).isTrue();
      assertThat(add(queue, 20)).isTrue();
      Spool.Stored stored = Objects.requireNonNull(oldest(queue));
      queue.remove(stored);
      assertThat(queue.mayHold()).isFalse();
      assertThat(oldest(queue)).isNull();
    }
    assertThat(names()).contains(OLDEST).hasSize(3);
    assertThat(problems.kind(DiskQueue.DISK_ERROR).count()).isZero();
  }

  @Test
  void aFileThatIsTooLargeIsNotRead() throws Exception {
    ByteBuffer header = ByteBuffer.allocate(SpoolFile.HEADER_BYTES);
    long lengthBytes = 1L << 33;
    header.putLong(0x4d494c4c52414345L).putInt(1).putInt(5).putLong(lengthBytes);
    header.put("test/bytes".getBytes(StandardCharsets.US_ASCII)).rewind();
    try (FileChannel file =
        FileChannel.open(
            directory.resolve(OLDEST), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      assertThat(file.write(header)).isEqualTo(SpoolFile.HEADER_BYTES);
      // Sparse: it takes no room.
      file.write(ByteBuffer.allocate(1), SpoolFile.HEADER_BYTES + lengthBytes - 1);
    }
    try (DiskQueue queue = open()) {
      assertThat(oldest(queue)).isNull();
      assertThat(log).singleElement().asString().contains("expected at most", OLDEST);
      assertThat(problems.kind(DiskQueue.CORRUPT).count()).isEqualTo(1);
      assertThat(add(queue, 10)).isTrue();
    }
    assertThat(names()).doesNotContain(OLDEST + ".corrupt");
  }

  @Test
  void whatWasSetAsideCountsForTheBoundsAndGoesFirst() throws Exception {
    try (DiskQueue queue = open(options().withMaxFiles(5), new SpoolDirectory(directory))) {
      for (int i = 0; i < 20; i++) {
        Files.write(directory.resolve(SpoolDirectory.name(i, i, 7)), new byte[100]);
        assertThat(oldest(queue)).isNull();
        assertThat(add(queue, 10)).isTrue();
        assertThat(names()).as("round %s", i).hasSizeLessThanOrEqualTo(6);
        queue.remove(Objects.requireNonNull(oldest(queue)));
      }
      assertThat(problems.kind(DiskQueue.CORRUPT).count()).isEqualTo(20);
      assertThat(problems.kind(DiskQueue.DROPPED).count()).isZero();
      assertThat(names()).contains(SpoolDirectory.name(19, 19, 7) + ".corrupt");
    }
  }

  @Test
  void aFileThatCannotBeSetAsideHoldsUpNone() throws Exception {
    Files.write(directory.resolve(OLDEST), new byte[100]);
    SpoolDirectory files =
        new SpoolDirectory(directory) {
          @Override
          Path setAside(Entry entry) throws IOException {
            throw new FileSystemException(entry.name(), null, "Operation not permitted");
          }
        };
    try (DiskQueue queue = open(options(), files)) {
      assertThat(add(queue, 10)).isTrue();
      queue.remove(Objects.requireNonNull(oldest(queue)));
      assertThat(oldest(queue)).isNull();
      // What is new may go its direct way.
      assertThat(queue.mayHold()).isFalse();
      assertThat(log).singleElement().asString().contains("Operation not permitted");
    }
  }

  @Test
  void whatWasSentAndCannotBeDeletedIsNotSentAgain() throws Exception {
    boolean[] readOnly = {true};
    SpoolDirectory files =
        new SpoolDirectory(directory) {
          @Override
          boolean delete(Path file) throws IOException {
            if (readOnly[0]) {
              throw new FileSystemException(file.toString(), null, "Read-only file system");
            }
            return super.delete(file);
          }
        };
    try (DiskQueue queue = open(options(), files)) {
      assertThat(add(queue, 10)).isTrue();
      assertThat(add(queue, 20)).isTrue();
      for (int i = 0; i < 2; i++) {
        queue.remove(Objects.requireNonNull(oldest(queue)));
      }
      assertThat(oldest(queue)).isNull();
      assertThat(queue.mayHold()).isFalse();
      assertThat(names()).hasSize(3);
      readOnly[0] = false;
      assertThat(oldest(queue)).isNull();
      assertThat(names()).containsExactly(".lock");
    }
  }

  @Test
  void aHeaderThatClaimsTooMuchIsNotBelieved() throws Exception {
    ByteBuffer header = ByteBuffer.allocate(SpoolFile.HEADER_BYTES);
    header.putLong(0x4d494c4c52414345L).putInt(1).putInt(Integer.MAX_VALUE);
    Files.write(directory.resolve(OLDEST), header.array());
    try (DiskQueue queue = open(options().withMaxFiles(1), new SpoolDirectory(directory))) {
      assertThat(add(queue, 10)).isTrue();
      assertThat(problems.kind(DiskQueue.DROPPED).count()).isEqualTo(SpoolFile.HEADER_BYTES);
    }
  }
}
