package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table and its formulas against the two tables of RFC 1951 section 3.2.5. */
class CodeTableTest {
  private static final int[] FIRST_LENGTHS = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258
  };
  private static final int[] LENGTH_EXTRA_BITS = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0
  };
  private static final int[] FIRST_DISTANCES = {
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577
  };
  private static final int[] DISTANCE_EXTRA_BITS = {
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13
  };

  private final CodeTable table = new CodeTable();

  @BeforeEach
  void loadCodesThatAreAllDifferent() {
    SplittableRandom random = new SplittableRandom(7);
    CodeLengths builder = new CodeLengths();
    byte[] literalLengthBits = new byte[Rfc1951.LITERAL_LENGTH_SYMBOLS];
    int[] counts = new int[Rfc1951.LITERAL_LENGTH_SYMBOLS];
    for (int symbol = 0; symbol < counts.length; symbol++) {
      counts[symbol] = 1 << random.nextInt(16);
    }
    builder.build(counts, counts.length, CodeTable.MAX_LITERAL_LENGTH_BITS, literalLengthBits);
    byte[] distanceBits = new byte[Rfc1951.DISTANCE_SYMBOLS];
    builder.build(counts, distanceBits.length, Rfc1951.MAX_CODE_BITS, distanceBits);
    table.load(literalLengthBits, distanceBits);
  }

  @Test
  void literals() {
    for (int literal = 0; literal < 256; literal++) {
      int entry = table.entries()[literal];
      assertThat(CodeTable.code(entry))
          .as("literal %d", literal)
          .isEqualTo(table.literalLengthCode(literal));
      assertThat(CodeTable.bits(entry))
          .as("literal %d", literal)
          .isEqualTo(table.literalLengthBits()[literal]);
      assertThat(Rfc1951.extraBitsOfLengthSymbol(literal)).isZero();
    }
    assertThat(Rfc1951.extraBitsOfLengthSymbol(Rfc1951.END_OF_BLOCK)).isZero();
  }

  @Test
  void lengths() {
    for (int length = 3; length <= 258; length++) {
      int row = row(FIRST_LENGTHS, length);
      int symbol = 257 + row;
      int bits = table.literalLengthBits()[symbol];
      int extra = length - FIRST_LENGTHS[row];
      int entry = table.entries()[CodeTable.lengthIndex(length)];
      assertThat(CodeTable.code(entry))
          .as("length %d", length)
          .isEqualTo(table.literalLengthCode(symbol) | (extra << bits));
      assertThat(CodeTable.bits(entry))
          .as("length %d", length)
          .isEqualTo(bits + LENGTH_EXTRA_BITS[row]);
      assertThat(Rfc1951.extraBitsOfLengthSymbol(symbol)).isEqualTo(LENGTH_EXTRA_BITS[row]);
    }
  }

  @Test
  void distances() {
    for (int distance = 1; distance <= Rfc1951.MAX_DISTANCE_BYTES; distance++) {
      int row = row(FIRST_DISTANCES, distance);
      int entry = table.entries()[CodeTable.distanceIndex(distance - 1)];
      int extraBits = DISTANCE_EXTRA_BITS[row];
      assertThat(CodeTable.distanceCode(entry))
          .as("distance %d", distance)
          .isEqualTo(table.distanceSymbolCode(row));
      assertThat(CodeTable.bits(entry))
          .as("distance %d", distance)
          .isEqualTo(table.distanceBits()[row]);
      assertThat(CodeTable.extraBits(entry)).as("distance %d", distance).isEqualTo(extraBits);
      // What the search takes for the extra bits.
      assertThat((distance - 1) & ((1 << extraBits) - 1))
          .as("distance %d", distance)
          .isEqualTo(distance - FIRST_DISTANCES[row]);
      assertThat(Rfc1951.extraBitsOfDistanceSymbol(row)).isEqualTo(extraBits);
    }
  }

  private static int row(int[] firsts, int value) {
    int row = 0;
    while (row + 1 < firsts.length && firsts[row + 1] <= value) {
      row++;
    }
    return row;
  }
}
