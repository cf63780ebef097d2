package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.GivenBack;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Headers of random codes, each followed by every literal there is a code for. */
class DynamicHeaderTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(4), ChunkPool::outstandingChunks);

  private final BitOutput out = new BitOutput(2_000);
  private final CodeTable codes = new CodeTable();
  private final CodeLengths builder = new CodeLengths();
  private final DynamicHeader header = new DynamicHeader(builder);

  @Test
  void theJdkReadsTheCodesThatWereMeant() throws DataFormatException {
    for (long seed = 1; seed <= 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] counts = new int[Rfc1951.LITERAL_LENGTH_SYMBOLS];
      fillInRuns(counts, random);
      counts[Rfc1951.END_OF_BLOCK] = 1;
      byte[] literalLengths = lengths(counts);
      int[] distanceCounts = new int[Rfc1951.DISTANCE_SYMBOLS];
      fillInRuns(distanceCounts, random);
      byte[] distances = lengths(distanceCounts);

      out.clear();
      out.mark();
      long bits = header.prepare(literalLengths, distances);
      header.write(out, true);
      assertThat(out.bitsSinceMark()).as("seed %d", seed).isEqualTo(bits);
      codes.load(literalLengths, distances);
      byte[] expected = new byte[256];
      int literals = 0;
      for (int literal = 0; literal < 256; literal++) {
        if (literalLengths[literal] != 0) {
          expected[literals++] = (byte) literal;
          int entry = codes.entries()[literal];
          out.put(CodeTable.code(entry), CodeTable.bits(entry));
        }
      }
      out.put(
          codes.literalLengthCode(Rfc1951.END_OF_BLOCK),
          codes.literalLengthBits()[Rfc1951.END_OF_BLOCK]);
      out.alignToByte();
      assertThat(Deflated.inflate(out, chunks.pool(), 1_000))
          .as("seed %d", seed)
          .isEqualTo(Arrays.copyOf(expected, literals));
    }
  }

  private byte[] lengths(int[] counts) {
    byte[] lengths = new byte[counts.length];
    builder.build(counts, counts.length, Rfc1951.MAX_CODE_BITS, lengths);
    return lengths;
  }

  /** Runs of equal counts, so that runs of equal lengths of every size come up. */
  private static void fillInRuns(int[] counts, SplittableRandom random) {
    int at = 0;
    while (at < counts.length) {
      int to = Math.min(counts.length, at + random.nextInt(1, 1 << random.nextInt(1, 9)));
      Arrays.fill(counts, at, to, random.nextBoolean() ? 0 : 1 << random.nextInt(20));
      at = to;
    }
  }
}
