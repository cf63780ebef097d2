package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.GivenBack;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BitOutputTest {
  private static final int MAX_BYTES = 4_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(4), ChunkPool::outstandingChunks);

  private final BitOutput out = new BitOutput(MAX_BYTES);

  @Test
  void bitsComeOutAsTheyWentIn() {
    for (long seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BitSet expected = new BitSet();
      int length = 0;
      out.clear();
      Pieces pieces = new Pieces(1_000);
      while (length < 8 * (MAX_BYTES - 1_500)) {
        int bits = random.nextInt(0, 57);
        long value = bits == 0 ? 0 : random.nextLong() >>> (Long.SIZE - bits);
        if (random.nextBoolean()) {
          out.put(value, bits);
        } else {
          pieces.count = 0;
          pieces.all[pieces.count++] = Pieces.piece(value, bits);
          out.put(pieces);
        }
        for (int i = 0; i < bits; i++) {
          expected.set(length++, (value >>> i & 1) != 0);
        }
        if (random.nextInt(4) == 0) {
          out.mark();
          out.put(random.nextLong() >>> 20, 44);
          assertThat(out.bitsSinceMark()).as("seed %d", seed).isEqualTo(44);
          out.rollBack();
        }
      }
      out.alignToByte();
      byte[] bytes = Deflated.bytes(out, chunks.pool());
      assertThat(bytes).as("seed %d", seed).hasSize((length + 7) / 8);
      assertThat(BitSet.valueOf(bytes)).as("seed %d", seed).isEqualTo(expected);
    }
  }
}
