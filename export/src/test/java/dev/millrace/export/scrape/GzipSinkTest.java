package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GzipSinkTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @Test
  void whatGoesInComesOutOfTheJdksOwnReader() throws Exception {
    long seed = 417;
    SplittableRandom random = new SplittableRandom(seed);
    try (GzipSink gzip = new GzipSink()) {
      for (int round = 0; round < 60; round++) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        byte[] compressed = compress(gzip, random, written, round);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
          assertThat(in.readAllBytes())
              .as("seed %d, round %d", seed, round)
              .isEqualTo(written.toByteArray());
        }
      }
    }
  }

  /** Writes random pieces: noise in odd rounds, text that repeats in even ones. */
  private byte[] compress(
      GzipSink gzip, SplittableRandom random, ByteArrayOutputStream written, int round) {
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
