package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random bytes of random structure, written in random pieces, read back by the JDK. */
class GzipRandomTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final GzipEncoder encoder = new GzipEncoder();

  @Test
  void everythingDecodesHoweverItIsWritten() throws IOException {
    for (long seed = 1; seed <= 1_500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = bytes(random);
      byte[] gzip = Gzip.encode(encoder, chunks.pool(), bytes, random);
      assertThat(Gzip.decode(gzip)).as("seed %d", seed).isEqualTo(bytes);
    }
  }

  /** Literals of a small or a large alphabet, runs, and copies from any distance, near and far. */
  private static byte[] bytes(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(1 << random.nextInt(1, 20))];
    int alphabet = 1 << random.nextInt(9);
    int first = random.nextInt(256);
    int maxLength = 1 << random.nextInt(2, 12);
    int maxDistance = 1 << random.nextInt(1, 17);
    int copyPercent = random.nextInt(100);
    int at = 0;
    while (at < bytes.length) {
      int to = Math.min(bytes.length, at + random.nextInt(1, maxLength));
      if (random.nextInt(100) < copyPercent && at > 0) {
        int distance = random.nextInt(1, Math.min(at, maxDistance) + 1);
        for (; at < to; at++) {
          bytes[at] = bytes[at - distance];
        }
      } else {
        for (; at < to; at++) {
          bytes[at] = (byte) (first + random.nextInt(alphabet));
        }
      }
      if (random.nextInt(5_000) == 0) {
        alphabet = 1 << random.nextInt(9);
        first = random.nextInt(256);
        copyPercent = random.nextInt(100);
      }
    }
    return bytes;
  }
}
