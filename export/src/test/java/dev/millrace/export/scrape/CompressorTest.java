package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.ExpositionText;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every compressor has to do. */
class CompressorTest {
  private static final int FIRST_BYTES = 2_000_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @ParameterizedTest
  @EnumSource
  void whatGoesInComesOutOfTheJdksOwnReader(Compression compression) throws IOException {
    long seed = 417;
    SplittableRandom random = new SplittableRandom(seed);
    try (Compressor gzip = create(compression)) {
      for (int round = 0; round < 60; round++) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        byte[] compressed = compress(gzip, random, written, round);
        assertThat(decompress(compressed))
            .as("seed %d, round %d", seed, round)
            .isEqualTo(written.toByteArray());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatWasNotFinishedLeavesNothingBehind(Compression compression) throws IOException {
    byte[] text = ExpositionText.generate(3_000, ExpositionText.Style.SHUFFLED, 2);
    try (Compressor gzip = create(compression);
        ChunkWriter in = new ChunkWriter(chunks.pool(), gzip)) {
      for (long failedBytes = 0; failedBytes < 2 * FIRST_BYTES; ) {
        failedBytes += failWriting(gzip, in, text);
        assertThat(decompress(compress(gzip, text))).isEqualTo(text);
      }
    }
  }

  /** Writes to a peer that is gone, and returns how many bytes were written at least. */
  private long failWriting(Compressor gzip, ChunkWriter in, byte[] text) {
    try (ChunkWriter out =
        new ChunkWriter(
            chunks.pool(),
            (chunk, pool) -> {
              pool.giveBack(chunk);
              throw new UncheckedIOException(new IOException("peer gone"));
            })) {
      gzip.begin(out);
      for (int writes = 0; writes < 100; writes++) {
        try {
          in.write(text);
        } catch (UncheckedIOException e) {
          assertThat(e).hasMessageContaining("peer gone");
          in.close();
          return (long) writes * text.length;
        }
      }
    }
    throw new AssertionError("expected a write to fail, found that none does");
  }

  @Test
  void fastBeginsWithZlib() throws IOException {
    byte[] text = ExpositionText.generate(3_000, ExpositionText.Style.SHUFFLED, 2);
    try (Compressor fast = create(Compression.FAST);
        Compressor zlib = create(Compression.ZLIB)) {
      int bodies = FIRST_BYTES / text.length + 1;
      byte[] first = compress(zlib, text);
      for (int body = 0; body < bodies; body++) {
        assertThat(compress(fast, text)).as("body %d", body).isEqualTo(first);
      }
      byte[] next = compress(fast, text);
      assertThat(next.length).isLessThan(first.length);
      assertThat(decompress(next)).isEqualTo(text);
    }
  }

  /** One whose change from zlib to the other encoder comes within the tests. */
  private static Compressor create(Compression compression) {
    return compression == Compression.FAST
        ? new FastGzip(FIRST_BYTES)
        : Compressor.create(compression);
  }

  private static byte[] decompress(byte[] compressed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    }
  }

  private byte[] compress(Compressor gzip, byte[] text) {
    try (ChunkWriter out = new ChunkWriter(chunks.pool());
        ChunkWriter in = new ChunkWriter(chunks.pool(), gzip)) {
      gzip.begin(out);
      in.write(text);
      in.flush();
      gzip.finish();
      try (Payload payload = out.finish()) {
        return payload.toByteArray();
      }
    }
  }

  /** Writes random pieces: noise in odd rounds, text that repeats in even ones. */
  private byte[] compress(
      Compressor gzip, SplittableRandom random, ByteArrayOutputStream written, int round) {
    try (ChunkWriter out = new ChunkWriter(chunks.pool());
        ChunkWriter in = new ChunkWriter(chunks.pool(), gzip)) {
      gzip.begin(out);
      int pieces = random.nextInt(40);
      for (int i = 0; i < pieces; i++) {
        byte[] piece = new byte[random.nextInt(20_000)];
        for (int j = 0; j < piece.length; j++) {
          piece[j] =
              (byte)
                  (round % 2 == 0
                      ? "http_requests_total{a=\"b\"} 1\n".charAt(j % 29)
                      : random.nextInt());
        }
        in.write(piece);
        written.writeBytes(piece);
      }
      in.flush();
      gzip.finish();
      try (Payload payload = out.finish()) {
        return payload.toByteArray();
      }
    }
  }
}
