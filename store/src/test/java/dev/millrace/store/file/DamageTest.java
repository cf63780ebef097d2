package dev.millrace.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import dev.millrace.store.Counter;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import dev.millrace.store.Samples;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One damaged file costs that file's samples from the damage on, is counted and named, and changes
 * nothing else. Two files lie in the directory; the greater one is damaged, the other never is.
 */
class DamageTest {
  private static final int SERIES = 400;

  @TempDir Path directory;

  private final List<String> log = new ArrayList<>();
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    try (MetricStore good = open("good");
        MetricStore bad = open("bad")) {
      record(good, 10);
      record(bad, SERIES);
    }
    try (Stream<Path> files = Files.list(directory)) {
      file = files.filter(path -> name(path).startsWith("bad.")).findFirst().orElseThrow();
    }
  }

  private MetricStore open(String name) {
    return MetricStore.open(
        directory, StoreOptions.builder().processName(name).retireInterval(Duration.ZERO).build());
  }

  private static void record(MetricStore store, int series) {
    Counter counter = store.counter("c").labelNames("k").create();
    Histogram histogram = store.histogram("h").bounds(1, 2).labelNames("k").create();
    for (int i = 0; i < series; i++) {
      counter.labels("" + i).add(5);
      histogram.labels("" + i).observe(1.5);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private interface Change {
    void apply(FileChannel channel) throws IOException;
  }

  private void change(Change change) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      change.apply(channel);
    }
  }

  private static void putLong(FileChannel channel, long position, long value) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    channel.write(bytes.putLong(0, value), position);
  }

  private static void putInt(FileChannel channel, long position, int value) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    channel.write(bytes.putInt(0, value), position);
  }

  /** Where the first segment's payload begins: cells, as a series' cells are taken first. */
  private static final long FIRST_PAYLOAD =
      FileLayout.HEADER_BYTES + FileLayout.SEGMENT_HEADER_BYTES;

  /** Where the records begin. Declarations come before cells, so records are the first segment. */
  private static final long FIRST_RECORD = FIRST_PAYLOAD;

  /** The file offset of the series record with this number, in the first record segment. */
  private long recordAt(FileChannel channel, int number) throws IOException {
    long position = FIRST_RECORD;
    ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < number; i++) {
      channel.read(length.clear(), position);
      position += length.getInt(0);
    }
    return position;
  }

  private Problems problems() {
    return new Problems(() -> 0, log::add);
  }

  /** Reads, checks what always holds, and gives the samples. */
  private Map<String, String> read(String kind) {
    Problems problems = problems();
    try (StoreSource source =
        StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
      Map<String, String> first = Samples.of(source);
      Map<String, String> samples = Samples.of(source);
      assertThat(samples).isEqualTo(first);
      for (int i = 0; i < 10; i++) {
        assertThat(Long.parseLong(samples.get("c{k=" + i + "}"))).isIn(5L, 10L);
        assertThat(Long.parseLong(samples.get("h_count{k=" + i + "}"))).isIn(1L, 2L);
      }
      assertThat(problems.kinds().stream().map(Problem::name)).containsExactly(kind);
      assertThat(problems.kind(kind).count()).isEqualTo(1);
      assertThat(log).hasSize(1);
      assertThat(log.get(0)).contains(name(file));
      log.clear();
      return samples;
    }
  }

  private static int seriesOfBad(Map<String, String> samples) {
    int count = 0;
    for (int i = 0; i < SERIES; i++) {
      String value = samples.get("c{k=" + i + "}");
      count += value != null && (i >= 10 || value.equals("10")) ? 1 : 0;
    }
    return count;
  }

  @Test
  void undamaged() {
    Problems problems = problems();
    try (StoreSource source =
        StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
      assertThat(seriesOfBad(Samples.of(source))).isEqualTo(SERIES);
      assertThat(problems.kinds()).isEmpty();
    }
  }

  @Test
  void noBytesAtAll() throws IOException {
    change(channel -> channel.truncate(0));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isZero();
  }

  @Test
  void twoBytes() throws IOException {
    change(channel -> channel.truncate(2));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isZero();
  }

  @Test
  void aHeaderOfZeros() throws IOException {
    change(channel -> channel.write(ByteBuffer.allocate(FileLayout.HEADER_USED_BYTES), 0));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isZero();
  }

  @Test
  void aHeaderWithAWrongByte() throws IOException {
    change(channel -> putInt(channel, FileLayout.PID_OFFSET, 12345678));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isZero();
  }

  @Test
  void aNewerVersionIsRefusedByName() throws IOException {
    change(channel -> putInt(channel, FileLayout.VERSION_OFFSET, 2));
    Problems problems = problems();
    try (StoreSource source =
        StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
      assertThat(seriesOfBad(Samples.of(source))).isZero();
    }
    assertThat(log.get(0)).contains("version 2").contains(name(file));
    log.clear();
    read(StoreProblems.FILE_REFUSED);
  }

  @Test
  void aForeignFileIsRefusedByNameAndLeftAlone() throws IOException {
    change(channel -> putLong(channel, 0, 0x1234567890L));
    read(StoreProblems.FILE_REFUSED);
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(source.retire()).isEqualTo(1);
      assertThat(file).exists();
      assertThat(Samples.of(source)).containsEntry("c{k=0}", "5");
    }
  }

  @Test
  void theOtherByteOrderIsRefused() throws IOException {
    change(channel -> putInt(channel, FileLayout.BYTE_ORDER_OFFSET, 0x04030201));
    read(StoreProblems.FILE_REFUSED);
  }

  @Test
  void aCopyOfAFileIsRefused() throws IOException {
    Path copy = directory.resolve("copy.00000000000000000000000000000000.mill");
    Files.copy(file, copy);
    file = copy;
    assertThat(seriesOfBad(read(StoreProblems.FILE_REFUSED))).isEqualTo(SERIES);
  }

  @Test
  void cutInsideARecord() throws IOException {
    change(channel -> channel.truncate(recordAt(channel, 100) + 20));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isLessThan(SERIES);
  }

  @Test
  void cutEverywhere() throws IOException {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < 40; i++) {
      int length = random.nextInt(whole.length);
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      Problems problems = problems();
      try (StoreSource source =
          StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
        Map<String, String> samples = Samples.of(source);
        assertThat(samples).as("seed %d, cut at %d", seed, length).containsKey("h_sum{k=9}");
        // A cut behind everything that is in use takes nothing away.
        assertThat(problems.kinds().isEmpty())
            .as("seed %d, cut at %d", seed, length)
            .isEqualTo(seriesOfBad(samples) == SERIES && samples.containsKey("h_sum{k=399}"));
      }
    }
  }

  @Test
  void theLastEightBytesMissing() throws IOException {
    change(channel -> channel.truncate(channel.size() - 8));
    Problems problems = problems();
    try (StoreSource source =
        StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
      // The end of the last segment is not in use.
      assertThat(seriesOfBad(Samples.of(source))).isEqualTo(SERIES);
      assertThat(problems.kinds()).isEmpty();
    }
  }

  @Test
  void recordLengthsThatCannotBe() throws IOException {
    for (int length : new int[] {0x7fffff00, 0, -5, 8, 17}) {
      byte[] whole = Files.readAllBytes(file);
      change(channel -> putInt(channel, recordAt(channel, 50), length));
      assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED)))
          .as("length %d", length)
          .isBetween(1, 60);
      Files.write(file, whole);
    }
  }

  @Test
  void aKeyByteThatIsNotUtf8() throws IOException {
    change(
        channel -> {
          long position = recordAt(channel, 50);
          ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
          channel.read(length, position);
          ByteBuffer record = ByteBuffer.allocate(length.getInt(0)).order(ByteOrder.LITTLE_ENDIAN);
          channel.read(record, position);
          record.put(RecordLayout.SHAPE_OFFSET + 4, (byte) 0xff);
          CRC32C crc = new CRC32C();
          crc.update(
              record.array(),
              RecordLayout.TYPE_OFFSET,
              record.capacity() - RecordLayout.TYPE_OFFSET);
          record.putInt(RecordLayout.CRC_OFFSET, (int) crc.getValue());
          channel.write(record.clear(), position);
        });
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isBetween(1, 60);
  }

  @Test
  void aWrongByteInARecord() throws IOException {
    change(channel -> putInt(channel, recordAt(channel, 50) + 40, 77));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isBetween(1, 60);
  }

  @Test
  void usedLengthTooLarge() throws IOException {
    ByteBuffer used = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    change(
        channel -> {
          channel.read(used, FileLayout.RECORDS_END_OFFSET);
          putLong(channel, FileLayout.RECORDS_END_OFFSET, used.getLong(0) + 24);
        });
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isEqualTo(SERIES);
  }

  @Test
  void usedLengthsThatCannotBe() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (long length : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
      change(channel -> putLong(channel, FileLayout.RECORDS_END_OFFSET, length));
      assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED)))
          .as("length %d", length)
          .isEqualTo(length < 0 ? 0 : SERIES);
      Files.write(file, whole);
      change(channel -> putLong(channel, FileLayout.SEGMENTS_END_OFFSET, length));
      assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED)))
          .as("segments' end %d", length)
          .isEqualTo(length < 0 ? 0 : SERIES);
      Files.write(file, whole);
    }
  }

  @Test
  void aSegmentHeaderThatCannotBe() throws IOException {
    change(channel -> putLong(channel, FileLayout.HEADER_BYTES + 8, -1));
    assertThat(seriesOfBad(read(StoreProblems.FILE_DAMAGED))).isZero();
  }

  @Test
  void randomBytes() throws IOException {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < 60; i++) {
      byte[] bytes = whole.clone();
      int at = random.nextInt(bytes.length - 100);
      for (int b = 0; b < random.nextInt(1, 100); b++) {
        bytes[at + b] = (byte) random.nextInt();
      }
      Files.write(file, bytes);
      try (StoreSource source =
          StoreSource.of(directory, StoreOptions.builder().problems(problems()).build())) {
        Map<String, String> samples = Samples.of(source);
        for (int s = 0; s < 10; s++) {
          // The good file's series are there whatever happened to the other one's values.
          assertThat(samples).as("seed %d, round %d", seed, i).containsKey("c{k=" + s + "}");
        }
      }
    }
  }

  @Test
  void aFileThatShrinksAndGoesWhileItIsRead() throws IOException {
    try (MetricStore living = open("living")) {
      record(living, SERIES);
      Problems problems = problems();
      try (StoreSource source =
          StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
        assertThat(Samples.of(source)).containsEntry("c{k=0}", "15");
        Path shrunk = directory.resolve("living-shrinks");
        try (Stream<Path> files = Files.list(directory)) {
          shrunk = files.filter(path -> name(path).startsWith("living.")).findFirst().orElseThrow();
        }
        try (FileChannel channel = FileChannel.open(shrunk, StandardOpenOption.WRITE)) {
          channel.truncate(FileLayout.HEADER_BYTES + 100);
        }
        // Values that can no longer be read stay as last read.
        assertThat(Samples.of(source)).containsEntry("c{k=0}", "15");
        assertThat(problems.kind(StoreProblems.FILE_DAMAGED).count()).isEqualTo(1);
        Files.delete(shrunk);
        assertThat(Samples.of(source)).containsEntry("c{k=0}", "10");
      }
    }
  }

  @Test
  void aDamagedFileIsRetiredUpToItsDamageAndSetAside() throws IOException {
    change(channel -> putInt(channel, recordAt(channel, 50) + 40, 77));
    try (StoreSource source = StoreSource.of(directory)) {
      Map<String, String> before = Samples.of(source);
      assertThat(source.retire()).isEqualTo(2);
      assertThat(Samples.of(source)).isEqualTo(before);
      assertThat(file).doesNotExist();
      assertThat(directory.resolve(name(file) + ".damaged")).exists();
      assertThat(source.retire()).isZero();
    }
  }

  @Test
  void aDamagedTotalsFileKeepsItsFirstPart() throws IOException {
    try (StoreSource source = StoreSource.of(directory)) {
      source.retire();
    }
    file = directory.resolve("totals.mill");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    Problems problems = problems();
    try (StoreSource source =
        StoreSource.of(directory, StoreOptions.builder().problems(problems).build())) {
      Map<String, String> before = Samples.of(source);
      assertThat(problems.kind(StoreProblems.FILE_DAMAGED).count()).isEqualTo(1);
      try (MetricStore another = open("another")) {
        another.counter("n").create().increment();
      }
      source.retire();
      Map<String, String> after = Samples.of(source);
      assertThat(after).containsAllEntriesOf(before).containsEntry("n", "1");
      assertThat(directory.resolve("totals.mill.damaged")).exists();
    }
  }
}
