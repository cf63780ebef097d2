package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChunkWriterTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final ChunkPool pool = chunks.pool();

  @Test
  void randomWritesEqualTheSameWritesToOneArray() throws Exception {
    for (long seed = 1; seed <= 40; seed++) {
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      ByteArrayOutputStream streamed = new ByteArrayOutputStream();
      ChunkSink sink =
          (chunk, owner) -> {
            streamed.write(chunk.bytes(), 0, chunk.lengthBytes());
            owner.giveBack(chunk);
          };
      try (ChunkWriter collecting = new ChunkWriter(pool);
          ChunkWriter streaming = new ChunkWriter(pool, sink)) {
        writeRandomly(new SplittableRandom(seed), expected, collecting, streaming);
        assertThat(collecting.lengthBytes()).as("seed %d", seed).isEqualTo(expected.size());
        streaming.flush();
        try (Payload payload = collecting.finish()) {
          assertThat(payload.lengthBytes()).isEqualTo(expected.size());
          assertThat(payload.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
          ByteArrayOutputStream copied = new ByteArrayOutputStream();
          payload.writeTo(copied);
          assertThat(copied.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
        }
        assertThat(streamed.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
      }
    }
  }

  private static void writeRandomly(
      SplittableRandom random, ByteArrayOutputStream expected, ChunkWriter... writers)
      throws IOException {
    int writes = random.nextInt(1, 400);
    for (int i = 0; i < writes; i++) {
      switch (random.nextInt(5)) {
        case 0 -> {
          int value = random.nextInt();
          expected.write(value);
          for (ChunkWriter writer : writers) {
            writer.writeByte(value);
          }
        }
        case 1 -> {
          byte[] bytes = new byte[random.nextInt(random.nextInt(1, 200_000))];
          random.nextBytes(bytes);
          int from = random.nextInt(bytes.length + 1);
          expected.write(bytes, from, bytes.length - from);
          for (ChunkWriter writer : writers) {
            writer.write(bytes, from, bytes.length - from);
          }
        }
        case 2 -> {
          String text = randomText(random, random.nextInt(2_000));
          expected.write(wellFormed(text).getBytes(StandardCharsets.UTF_8));
          for (ChunkWriter writer : writers) {
            writer.writeUtf8(text);
          }
        }
        case 3 -> {
          long value = random.nextLong() >> random.nextInt(64);
          expected.write(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
          for (ChunkWriter writer : writers) {
            writer.writeLong(value);
          }
        }
        default -> {
          double value = Double.longBitsToDouble(random.nextLong());
          byte[] text = new byte[DoubleText.MAX_BYTES];
          expected.write(text, 0, DoubleText.write(value, text, 0));
          for (ChunkWriter writer : writers) {
            writer.writeDouble(value);
          }
        }
      }
    }
  }

  private static String randomText(SplittableRandom random, int chars) {
    StringBuilder text = new StringBuilder();
    while (text.length() < chars) {
      switch (random.nextInt(4)) {
        case 0 -> text.append((char) random.nextInt(0x80));
        case 1 -> text.append((char) random.nextInt(0x800));
        case 2 -> text.append((char) random.nextInt(0x10000));
        default -> text.appendCodePoint(random.nextInt(0x10000, 0x110000));
      }
    }
    return text.toString();
  }

  /** The text with every unpaired surrogate replaced, code point by code point. */
  private static String wellFormed(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(point -> out.appendCodePoint(point >= 0xd800 && point <= 0xdfff ? 0xfffd : point));
    return out.toString();
  }

  @Test
  void aSurrogatePairOverAStepBorderStaysWhole() {
    String text =
        "a".repeat(ChunkWriter.MAX_RESERVE_BYTES / 3 - 1) + "\ud83d\ude00" + "b".repeat(500);
    try (ChunkWriter out = new ChunkWriter(pool)) {
      out.writeUtf8(text);
      try (Payload payload = out.finish()) {
        assertThat(new String(payload.toByteArray(), StandardCharsets.UTF_8)).isEqualTo(text);
      }
    }
  }

  @Test
  void closingGivesBackWhatWasNotFinished() {
    ChunkWriter out = new ChunkWriter(pool);
    out.write(new byte[3 * Chunk.SIZE_BYTES]);
    assertThat(pool.outstandingChunks()).isEqualTo(3);
    out.close();
    assertThat(pool.outstandingChunks()).isZero();
    assertThat(out.lengthBytes()).isZero();
  }

  @Test
  void aPayloadClosedTwiceOrUsedAfterCloseIsRefused() {
    try (ChunkWriter out = new ChunkWriter(pool)) {
      out.writeByte(1);
      Payload payload = out.finish();
      payload.close();
      assertThatThrownBy(payload::close).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(payload::first).hasMessageContaining("after close");
    }
  }

  @Test
  void anEmptyPayloadHasNoChunks() {
    try (ChunkWriter out = new ChunkWriter(pool);
        Payload payload = out.finish()) {
      assertThat(payload.lengthBytes()).isZero();
      assertThat(payload.toByteArray()).isEmpty();
    }
  }

  @Test
  void aStreamingWriterNeedsOneChunkAndSurvivesASinkThatThrows() {
    ChunkSink sink =
        (chunk, owner) -> {
          owner.giveBack(chunk);
          throw new UncheckedIOException(new IOException("peer is gone"));
        };
    try (ChunkWriter out = new ChunkWriter(pool, sink)) {
      out.write(new byte[Chunk.SIZE_BYTES]);
      assertThat(pool.outstandingChunks()).isEqualTo(1);
      assertThatThrownBy(() -> out.writeByte(1)).isInstanceOf(UncheckedIOException.class);
      assertThat(pool.outstandingChunks()).isZero();
    }
  }

  @Test
  void theWrongEndingIsRefused() {
    try (ChunkWriter collecting = new ChunkWriter(pool);
        ChunkWriter streaming = new ChunkWriter(pool, (chunk, owner) -> owner.giveBack(chunk))) {
      assertThatThrownBy(collecting::flush).hasMessageContaining("finish");
      assertThatThrownBy(streaming::finish).hasMessageContaining("flush");
      assertThatThrownBy(() -> collecting.advanceTo(1)).hasMessageContaining("reserve first");
      assertThatThrownBy(() -> collecting.reserve(ChunkWriter.MAX_RESERVE_BYTES + 1))
          .hasMessageContaining("use write");
    }
  }

  @Test
  void writingAllocatesNothing() throws Exception {
    byte[] line = "http_requests_total{method=\"GET\"} ".getBytes(StandardCharsets.UTF_8);
    try (ChunkWriter out = new ChunkWriter(pool, (chunk, owner) -> owner.giveBack(chunk))) {
      long bytes =
          AllocationMeter.bytesPerOperation(
              20_000,
              10_000,
              () -> {
                out.write(line);
                out.writeLong(1234567);
                out.writeByte('\n');
                out.writeUtf8("gr\u00fc\u00dfe");
                out.writeDouble(0.1 + 0.2);
              });
      assertThat(bytes).isZero();
    }
  }
}
