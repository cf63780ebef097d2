package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.ExpositionText;
import dev.millrace.testkit.GeneratedBytes;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipEncoderTest {
  private static final Path GZIP = Path.of("/usr/bin/gzip");

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final ChunkPool pool = chunks.pool();
  private final GzipEncoder encoder = new GzipEncoder();

  @Test
  void headerAndTrailerAreTheStandards() {
    byte[] text = ExpositionText.generate(200, ExpositionText.Style.SORTED, 1);
    byte[] gzip = Gzip.encode(encoder, pool, text);
    // RFC 1952: magic, deflate, no flags, no time, fastest, unknown system.
    assertThat(gzip).startsWith(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff);
    CRC32 crc = new CRC32();
    crc.update(text);
    ByteBuffer trailer = ByteBuffer.wrap(gzip, gzip.length - 8, 8).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(trailer.getInt()).isEqualTo((int) crc.getValue());
    assertThat(trailer.getInt()).isEqualTo(text.length);
  }

  @Test
  void nothingIsAnEmptyStream() throws IOException {
    byte[] gzip = Gzip.encode(encoder, pool, new byte[0]);
    assertThat(Gzip.decode(gzip)).isEmpty();
    assertThat(gzip).hasSize(GzipEncoder.WRAPPER_BYTES + 2);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 7, 8, 9, 23, 24, 25, 64, 1_000, 16_383, 16_384, 16_385, 65_535, 65_536})
  void everyShortLengthDecodes(int lengthBytes) throws IOException {
    for (GeneratedBytes kind : GeneratedBytes.values()) {
      byte[] bytes = kind.generate(lengthBytes, lengthBytes);
      assertThat(Gzip.decode(Gzip.encode(encoder, pool, bytes)))
          .as("%s of %d bytes", kind, lengthBytes)
          .isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfBytesDecodesHoweverItIsWritten(GeneratedBytes kind) throws IOException {
    byte[] bytes = kind.generate(400_000, 3);
    byte[] gzip = Gzip.encode(encoder, pool, bytes);
    assertThat(Gzip.decode(gzip)).isEqualTo(bytes);
    for (int writeBytes : new int[] {1, 2, 7, 4_096, 65_535, 65_536, 65_537}) {
      assertThat(Gzip.encode(new GzipEncoder(), pool, bytes, writeBytes))
          .as("in writes of %d bytes", writeBytes)
          .isEqualTo(gzip);
    }
  }

  @Test
  void everyPeriodDecodes() throws IOException {
    for (int period = 1; period <= 70_000; period += 1 + period / 16) {
      byte[] bytes = periodic(period, 150_000);
      byte[] gzip = Gzip.encode(encoder, pool, bytes);
      assertThat(Gzip.decode(gzip)).as("period %d", period).isEqualTo(bytes);
      if (period <= 1_000) {
        assertThat(gzip.length).as("period %d", period).isLessThan(6_000);
      }
    }
  }

  /** Words come again, but each time the one place in the table that all need has the last one. */
  @Test
  void wordsThatAllFallIntoOneSlotDecode() throws IOException {
    ByteBuffer words = ByteBuffer.allocate(400_000).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; words.hasRemaining(); i++) {
      int word = (i << Byte.SIZE) | ',';
      if (RepeatSearch.slotOf(word & 0xffffffffL) == 0) {
        words.putInt(word);
      }
    }
    byte[] bytes = words.array();
    byte[] gzip = Gzip.encode(encoder, pool, bytes);
    assertThat(Gzip.decode(gzip)).isEqualTo(bytes);
    assertThat(gzip.length).isLessThanOrEqualTo(bytes.length);
  }

  @ParameterizedTest
  @EnumSource
  void nothingGrowsByMoreThanAFewBytes(GeneratedBytes kind) {
    for (int lengthBytes : new int[] {0, 1, 100, 10_000, 65_536, 300_000, 2_000_000}) {
      byte[] bytes = kind.generate(lengthBytes, 5);
      int most = lengthBytes + GzipEncoder.WRAPPER_BYTES + 16 + 14 * (lengthBytes / 16_384);
      assertThat(Gzip.encode(encoder, pool, bytes).length)
          .as("%s of %d bytes", kind, lengthBytes)
          .isLessThanOrEqualTo(most);
    }
  }

  @ParameterizedTest
  @EnumSource
  void textIsNoLargerThanFromTheFastestZlib(ExpositionText.Style style) throws IOException {
    byte[] text = ExpositionText.generate(10_000, style, 1);
    byte[] gzip = Gzip.encode(encoder, pool, text);
    assertThat(Gzip.decode(gzip)).isEqualTo(text);
    assertThat(gzip.length - GzipEncoder.WRAPPER_BYTES)
        .isLessThanOrEqualTo(Gzip.zlibBytes(text, 1));
  }

  @Test
  void whatWasLearnedOfOneTextServesTheNext() throws IOException {
    byte[] text = ExpositionText.generate(1_000, ExpositionText.Style.SORTED, 1);
    int first = Gzip.encode(encoder, pool, text).length;
    for (int scrape = 2; scrape < 300; scrape++) {
      byte[] next = ExpositionText.generate(1_000, ExpositionText.Style.SORTED, scrape);
      byte[] gzip = Gzip.encode(encoder, pool, next);
      assertThat(Gzip.decode(gzip)).isEqualTo(next);
      assertThat(gzip.length).as("scrape %d", scrape).isBetween(first / 20 * 19, first / 20 * 21);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whateverCameBeforeTextIsNoLargerThanFromTheFastestZlib(GeneratedBytes before)
      throws IOException {
    byte[] text = ExpositionText.generate(10_000, ExpositionText.Style.SORTED, 1);
    int most = Gzip.zlibBytes(text, 1) + GzipEncoder.WRAPPER_BYTES;
    for (int lengthBytes : new int[] {10, 10_000, 1_000_000}) {
      byte[] other = before.generate(lengthBytes, 9);
      Gzip.encode(encoder, pool, other);
      byte[] gzip = Gzip.encode(encoder, pool, text);
      assertThat(Gzip.decode(gzip)).isEqualTo(text);
      assertThat(gzip.length).as("after %d bytes", lengthBytes).isLessThanOrEqualTo(most);
    }
  }

  @Test
  void aStreamThatWasGivenUpLeavesNothingBehind() throws IOException {
    byte[] text = ExpositionText.generate(1_000, ExpositionText.Style.SORTED, 1);
    for (int lengthBytes = 0; lengthBytes < text.length; lengthBytes += 13_007) {
      try (ChunkWriter abandoned = new ChunkWriter(pool)) {
        encoder.begin(abandoned);
        encoder.write(text, 0, lengthBytes);
        encoder.reset();
      }
      assertThat(Gzip.decode(Gzip.encode(encoder, pool, text))).isEqualTo(text);
    }
  }

  @Test
  void theOutputMayHoldSomethingAlreadyAndMayStream() throws IOException {
    byte[] text = ExpositionText.generate(3_000, ExpositionText.Style.SCOPED, 1);
    ByteArrayOutputStream reply = new ByteArrayOutputStream();
    ChunkSink collect =
        (chunk, owner) -> {
          reply.write(chunk.bytes(), 0, chunk.lengthBytes());
          owner.giveBack(chunk);
        };
    try (ChunkWriter out = new ChunkWriter(pool, collect)) {
      out.writeUtf8("before ");
      encoder.begin(out);
      encoder.write(text, 0, text.length);
      encoder.finish();
      out.flush();
    }
    byte[] gzip = reply.toByteArray();
    int before = "before ".length();
    assertThat(Gzip.decode(Arrays.copyOfRange(gzip, before, gzip.length))).isEqualTo(text);
  }

  @Test
  void afterAPeerIsGoneTheEncoderWorksAgain() throws IOException {
    byte[] random = GeneratedBytes.RANDOM.generate(400_000, 1);
    ChunkSink gone =
        (chunk, owner) -> {
          owner.giveBack(chunk);
          throw new UncheckedIOException(new IOException("peer gone"));
        };
    try (ChunkWriter out = new ChunkWriter(pool, gone)) {
      encoder.begin(out);
      assertThatThrownBy(() -> encoder.write(random, 0, random.length))
          .isInstanceOf(UncheckedIOException.class);
      encoder.reset();
    }
    assertThat(Gzip.decode(Gzip.encode(encoder, pool, random))).isEqualTo(random);
  }

  @Test
  void theWrongOrderOfCallsIsRejected() {
    try (ChunkWriter out = new ChunkWriter(pool)) {
      assertThatThrownBy(() -> encoder.write(new byte[1], 0, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call begin first");
      assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
      encoder.begin(out);
      assertThatThrownBy(() -> encoder.begin(out))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("finish or reset");
      assertThatThrownBy(() -> encoder.write(new byte[4], 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      encoder.finish();
      assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void inSteadyStateNothingIsAllocated() throws Exception {
    byte[] text = ExpositionText.generate(2_000, ExpositionText.Style.SHUFFLED, 1);
    byte[] random = GeneratedBytes.RANDOM.generate(100_000, 1);
    byte[] json = GeneratedBytes.JSON.generate(100_000, 1);
    ChunkWriter out = new ChunkWriter(pool, (chunk, owner) -> owner.giveBack(chunk));
    long bytes =
        AllocationMeter.bytesPerOperation(
            20,
            20,
            () -> {
              encoder.begin(out);
              encoder.write(text, 0, text.length);
              encoder.write(random, 0, random.length);
              encoder.write(json, 0, json.length);
              encoder.finish();
              out.flush();
            });
    assertThat(bytes).isZero();
  }

  @Test
  void anEncoderHoldsBoundedMemory() throws Exception {
    assertThat(AllocationMeter.bytesPerOperation(3, 3, GzipEncoder::new))
        .isLessThanOrEqualTo(256 * 1024);
  }

  private static byte[] periodic(int period, int lengthBytes) {
    byte[] bytes = GeneratedBytes.RANDOM.generate(lengthBytes, period);
    for (int i = period; i < lengthBytes; i++) {
      bytes[i] = bytes[i - period];
    }
    return bytes;
  }

  @Test
  void gzipItselfAcceptsTheOutput(@TempDir Path folder) throws Exception {
    assumeThat(Files.isExecutable(GZIP)).as("gzip is installed").isTrue();
    for (GeneratedBytes kind : GeneratedBytes.values()) {
      Path file = folder.resolve(kind + ".gz");
      Files.write(file, Gzip.encode(encoder, pool, kind.generate(300_000, 2)));
      Process process =
          new ProcessBuilder(GZIP.toString(), "-tv", file.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }
  }
}
