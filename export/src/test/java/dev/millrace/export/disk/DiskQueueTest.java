package dev.millrace.export.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.Spool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class DiskQueueTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path parent;
  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0, log::add);
  private long nowMillis = 1_000;

  private Path directory() {
    return parent.resolve("a/b");
  }

  private DiskQueueOptions options() {
    return DiskQueueOptions.in(directory(), "test/bytes").withProblems(problems);
  }

  private DiskQueue open(DiskQueueOptions options) throws IOException {
    return new DiskQueue(
        options, new SpoolDirectory(options.directory()), chunks.pool(), () -> nowMillis);
  }

  private boolean add(DiskQueue queue, String text) {
    try (Payload payload = Payloads.of(chunks.pool(), text.getBytes(StandardCharsets.UTF_8))) {
      return queue.add(payload, text.length());
    }
  }

  private boolean addFirst(DiskQueue queue, String text) {
    try (Payload payload = Payloads.of(chunks.pool(), text.getBytes(StandardCharsets.UTF_8))) {
      return queue.addFirst(payload, text.length());
    }
  }

  /** Takes the oldest out, as text; nothing where there is none. */
  private static String take(DiskQueue queue) {
    Spool.Stored stored = queue.oldest();
    if (stored == null) {
      return "";
    }
    try (Payload payload = stored.payload()) {
      String text = new String(payload.toByteArray(), StandardCharsets.UTF_8);
      assertThat(stored.items()).isEqualTo(text.length());
      queue.remove(stored);
      return text;
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.filter(file -> !file.endsWith(".lock")).sorted().toList();
    }
  }

  @Test
  void givesBackInOrderAlsoAfterItWasOpenedAgain() throws Exception {
    try (DiskQueue queue = open(options())) {
      assertThat(queue.mayHold()).isFalse();
      assertThat(add(queue, "first")).isTrue();
      assertThat(add(queue, "second")).isTrue();
      assertThat(queue.mayHold()).isTrue();
    }
    nowMillis = 500; // The clock was set back.
    try (DiskQueue queue = open(options())) {
      assertThat(queue.mayHold()).isTrue();
      nowMillis = 2_000;
      assertThat(add(queue, "third")).isTrue();
      assertThat(take(queue)).isEqualTo("first");
      assertThat(take(queue)).isEqualTo("second");
      assertThat(take(queue)).isEqualTo("third");
      assertThat(take(queue)).isEmpty();
      assertThat(queue.mayHold()).isFalse();
    }
    assertThat(files()).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void whatIsPutFirstComesFirst() throws Exception {
    try (DiskQueue queue = open(options())) {
      assertThat(add(queue, "three")).isTrue();
      assertThat(addFirst(queue, "two")).isTrue();
      assertThat(addFirst(queue, "one")).isTrue();
      assertThat(add(queue, "four")).isTrue();
      assertThat(take(queue)).isEqualTo("one");
      assertThat(addFirst(queue, "one again")).isTrue();
    }
    try (DiskQueue queue = open(options())) {
      for (String text : List.of("one again", "two", "three", "four", "")) {
        assertThat(take(queue)).isEqualTo(text);
      }
      assertThat(addFirst(queue, "alone")).isTrue();
      assertThat(take(queue)).isEqualTo("alone");
    }
  }

  @Test
  void whatIsPutFirstCostsNoOtherItsPlace() throws Exception {
    try (DiskQueue queue = open(options().withMaxFiles(2))) {
      add(queue, "b");
      add(queue, "c");
      assertThat(addFirst(queue, "a")).isTrue();
      assertThat(queue.droppedItems()).isZero();
      add(queue, "d");
      assertThat(queue.droppedItems()).isEqualTo(2);
      assertThat(take(queue)).isEqualTo("c");
      assertThat(take(queue)).isEqualTo("d");
    }
  }

  @Test
  void aWriterWhoseClockWasSetBackComesAfterAnotherOne() throws Exception {
    try (DiskQueue queue = open(options())) {
      add(queue, "a");
      add(queue, "b");
    }
    nowMillis = 500;
    try (DiskQueue queue = open(options())) {
      add(queue, "c");
      add(queue, "d");
      for (String text : List.of("a", "b", "c", "d")) {
        assertThat(take(queue)).isEqualTo(text);
      }
    }
  }

  @Test
  void whatOthersDoIsSeenASecondLater() throws Exception {
    try (DiskQueue queue = openLooking(options());
        DiskQueue other = openLooking(options())) {
      add(queue, "a");
      add(queue, "b");
      assertThat(take(queue)).isEqualTo("a");
      add(other, "c");
      assertThat(files()).hasSize(2);
      assertThat(take(queue)).isEqualTo("b");
      // Nothing is left that is known of, so it looks again.
      assertThat(take(queue)).isEqualTo("c");
      add(queue, "d");
      Files.delete(files().get(0));
      add(queue, "e");
      assertThat(take(queue)).isEqualTo("e");
      assertThat(queue.mayHold()).isFalse();
      nowMillis += 1_000;
      add(queue, "f");
      add(other, "g");
      nowMillis += 1_000;
      assertThat(take(queue)).isEqualTo("f");
      assertThat(take(queue)).isEqualTo("g");
    }
  }

  @Test
  void boundsHoldBetweenLooksToo() throws Exception {
    try (DiskQueue queue = openLooking(options().withMaxFiles(3))) {
      for (String text : List.of("a", "b", "c", "d", "e")) {
        assertThat(add(queue, text)).isTrue();
        assertThat(files().size()).isLessThanOrEqualTo(3);
      }
      assertThat(queue.droppedItems()).isEqualTo(2);
      assertThat(take(queue)).isEqualTo("c");
      assertThat(addFirst(queue, "b again")).isTrue();
      for (String text : List.of("b again", "d", "e", "")) {
        assertThat(take(queue)).isEqualTo(text);
      }
    }
  }

  /** As applications open it, on the test's clock. */
  private DiskQueue openLooking(DiskQueueOptions options) throws IOException {
    return new DiskQueue(
        options, new SpoolDirectory(options.directory()), chunks.pool(), () -> nowMillis, 1_000);
  }

  @Test
  void keepsPayloadsOfEverySize() throws Exception {
    try (DiskQueue queue = open(options())) {
      for (int lengthBytes : new int[] {0, 1, 65_536, 65_537, 1_000_000}) {
        byte[] bytes = Payloads.random(lengthBytes, lengthBytes);
        try (Payload payload = Payloads.of(chunks.pool(), bytes)) {
          assertThat(queue.add(payload, 3)).isTrue();
        }
        Spool.Stored stored = Objects.requireNonNull(queue.oldest());
        try (Payload payload = stored.payload()) {
          assertThat(payload.toByteArray()).isEqualTo(bytes);
        }
        queue.remove(stored);
      }
    }
  }

  @Test
  void onlyTheOwnerMayLookInside() throws Exception {
    try (DiskQueue queue = open(options())) {
      add(queue, "secret");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().get(0))))
        .isEqualTo("rw-------");
  }

  @Test
  void theOldestGoWhereThereAreTooManyFiles() throws Exception {
    try (DiskQueue queue = open(options().withMaxFiles(2))) {
      for (String text : List.of("a", "bb", "ccc", "dddd")) {
        assertThat(add(queue, text)).isTrue();
      }
      assertThat(take(queue)).isEqualTo("ccc");
      assertThat(take(queue)).isEqualTo("dddd");
      assertThat(take(queue)).isEmpty();
    }
    assertThat(problems.kind(DiskQueue.DROPPED).count()).isEqualTo(3);
    assertThat(log).hasSize(1);
  }

  @Test
  void theOldestGoWhereThereAreTooManyBytes() throws Exception {
    try (DiskQueue queue = open(options().withMaxBytes(2L * SpoolFile.HEADER_BYTES + 8))) {
      for (String text : List.of("aaaa", "bbbb", "ccccc")) {
        assertThat(add(queue, text)).isTrue();
      }
      assertThat(add(queue, "x".repeat(1_000))).isFalse();
      assertThat(take(queue)).isEqualTo("ccccc");
    }
    assertThat(problems.kind(DiskQueue.DROPPED).count()).isEqualTo(8);
    assertThat(problems.kind(DiskQueue.FAILED).count()).isEqualTo(1_000);
  }

  @Test
  void everyChangedByteIsFoundAndTheFileSetAside() throws Exception {
    try (DiskQueue queue = open(options())) {
      add(queue, "payload");
      Path file = files().get(0);
      byte[] good = Files.readAllBytes(file);
      for (int i = 0; i < good.length; i++) {
        byte[] bad = good.clone();
        bad[i] ^= 0x20;
        Files.write(file, bad);
        assertThat(take(queue)).as("byte %d", i).isEmpty();
        Path aside = file.resolveSibling(file.getFileName() + ".corrupt");
        assertThat(files()).as("byte %d", i).containsExactly(aside);
        Files.delete(aside);
        Files.write(file, good);
      }
      assertThat(take(queue)).isEqualTo("payload");
      assertThat(problems.kind(DiskQueue.CORRUPT).count()).isEqualTo(good.length);
      assertThat(log).hasSize(1);
      assertThat(log.get(0)).contains(file.toString(), ".corrupt");
    }
  }

  @Test
  void aFileOfEveryLengthButItsOwnIsSetAsideAndTheNextOneIsSent() throws Exception {
    try (DiskQueue queue = open(options())) {
      add(queue, "payload");
      Path file = files().get(0);
      byte[] good = Files.readAllBytes(file);
      for (int length = 0; length <= good.length + 1; length += length == good.length - 1 ? 2 : 1) {
        Files.write(
            file, ByteBuffer.allocate(length).put(good, 0, Math.min(length, good.length)).array());
        add(queue, "next");
        assertThat(take(queue)).as("length %d", length).isEqualTo("next");
        Files.delete(file.resolveSibling(file.getFileName() + ".corrupt"));
      }
    }
  }

  @Test
  void aFileOfAnotherKindIsSetAside() throws Exception {
    try (DiskQueue other = open(DiskQueueOptions.in(directory(), "other/bytes"))) {
      add(other, "a");
    }
    try (DiskQueue queue = open(options())) {
      assertThat(take(queue)).isEmpty();
    }
    assertThat(log.get(0)).contains("kind");
  }

  @Test
  void whatIsSomebodyElsesIsLeftAlone() throws Exception {
    Files.createDirectories(directory().resolve("folder.millrace"));
    Path note = Files.writeString(directory().resolve("note.txt"), "mine");
    try (DiskQueue queue = open(options().withMaxFiles(1))) {
      add(queue, "a");
      add(queue, "b");
      assertThat(take(queue)).isEqualTo("b");
      assertThat(take(queue)).isEmpty();
    }
    assertThat(note).hasContent("mine");
    assertThat(directory().resolve("folder.millrace")).isDirectory();
  }

  @Test
  void whatADeadWriterLeftIsRemovedAndWhatALivingOneWritesIsNot() throws Exception {
    try (DiskQueue queue = open(options())) {
      add(queue, "a");
      nowMillis = System.currentTimeMillis();
      Path fresh = directory().resolve("." + SpoolDirectory.name(1, 1, 1) + ".tmp");
      Path old = directory().resolve("." + SpoolDirectory.name(2, 2, 2) + ".tmp");
      Files.write(fresh, new byte[3]);
      Files.write(old, new byte[3]);
      Files.setLastModifiedTime(old, FileTime.fromMillis(nowMillis - 3_700_000));
      assertThat(take(queue)).isEqualTo("a");
      assertThat(fresh).exists();
      assertThat(old).doesNotExist();
    }
  }

  @Test
  void oneQueueOfAProcessSendsAndTheOtherTakesOver() throws Exception {
    DiskQueue first = open(options());
    try (DiskQueue second = open(options())) {
      add(first, "a");
      nowMillis++;
      add(second, "b");
      assertThat(take(first)).isEqualTo("a");
      assertThat(second.oldest()).isNull();
      assertThat(second.mayHold()).isTrue();
      // Having looked, the second must not have taken the kernel's lock from the first.
      assertThat(second.oldest()).isNull();
      first.close();
      assertThat(take(second)).isEqualTo("b");
    }
  }

  @Test
  void aFullDiskIsALossAndNeverAnException() throws Exception {
    long[] leftBytes = {SpoolFile.HEADER_BYTES + 100};
    SpoolDirectory full =
        new SpoolDirectory(directory()) {
          @Override
          OpenFile create(Path file) throws IOException {
            OpenFile real = super.create(file);
            return new OpenFile() {
              @Override
              public void write(ByteBuffer bytes) throws IOException {
                if (bytes.remaining() > leftBytes[0]) {
                  bytes.limit(bytes.position() + (int) leftBytes[0]);
                  real.write(bytes);
                  throw new IOException("No space left on device");
                }
                leftBytes[0] -= bytes.remaining();
                real.write(bytes);
              }

              @Override
              public void force() throws IOException {
                real.force();
              }

              @Override
              public void close() throws IOException {
                real.close();
              }
            };
          }
        };
    try (DiskQueue queue = new DiskQueue(options(), full, chunks.pool(), () -> nowMillis)) {
      assertThat(add(queue, "x".repeat(50))).isTrue();
      assertThat(add(queue, "y".repeat(50))).isFalse();
      assertThat(problems.kind(DiskQueue.FAILED).count()).isEqualTo(50);
      assertThat(log.get(0)).contains("No space left on device");
      assertThat(files()).hasSize(1);
      leftBytes[0] = 1_000;
      assertThat(add(queue, "z")).isTrue();
      assertThat(take(queue)).isEqualTo("x".repeat(50));
      assertThat(take(queue)).isEqualTo("z");
    }
  }

  @Test
  void aDirectoryThatIsGoneIsALossAndNeverAnException() throws Exception {
    try (DiskQueue queue = open(options())) {
      add(queue, "a");
      for (Path file : files()) {
        Files.delete(file);
      }
      Files.delete(directory());
      assertThat(add(queue, "bb")).isFalse();
      assertThat(queue.oldest()).isNull();
      assertThat(problems.kind(DiskQueue.FAILED).count()).isEqualTo(2);
      assertThat(problems.kind(DiskQueue.DISK_ERROR).count()).isEqualTo(1);
    }
  }

  @Test
  void aKindThatDoesNotFitIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DiskQueueOptions.in(parent, "x".repeat(33)))
        .withMessageContaining("contentKind");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DiskQueueOptions.in(parent, "a\u00e4"))
        .withMessageContaining("contentKind");
  }
}
