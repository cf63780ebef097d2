package dev.millrace.deflate;

import static dev.millrace.deflate.Window.getLong;

/**
 * Encoded pieces of text in order, each ready to be written: one repeat, or up to four literals.
 *
 * <pre>
 * bit   0 to 55   the codes and their extra bits, first bit lowest
 * bit  56 to 63   how many bits that is
 * </pre>
 *
 * <p>Codes are looked up while repeats are searched, and put together bit by bit only afterwards:
 * the search waits for memory and for branches that nobody can foretell, so the look-ups cost next
 * to nothing there, and what is left to do afterwards has no branch at all.
 */
final class Pieces {
  private static final int BITS_SHIFT = 56;
  private static final long CODE_MASK = (1L << BITS_SHIFT) - 1;
  private static final int LITERALS = 4;

  /**
   * Most pieces for their bytes come from a single literal before the shortest repeat that is
   * found, each a piece: two for six bytes. A repeat over 258 bytes is more than one, but they are
   * long.
   */
  private static final int MIN_BYTES_OF_TWO_PIECES = 1 + RepeatSearch.MIN_REPEAT_BYTES;

  private static final int SLACK_PIECES = 16;

  final long[] all;
  int count;

  /** Room for the pieces of that many bytes. */
  Pieces(int maxBytes) {
    all = new long[2 * (maxBytes / MIN_BYTES_OF_TWO_PIECES) + SLACK_PIECES];
  }

  static long piece(long code, int bits) {
    return code | ((long) bits << BITS_SHIFT);
  }

  static long code(long piece) {
    return piece & CODE_MASK;
  }

  static int bits(long piece) {
    return (int) (piece >>> BITS_SHIFT);
  }

  /**
   * Appends literals.
   *
   * @param all the array of the pieces
   * @param count how many there are
   * @param codes a table as {@link CodeTable} has it
   * @return how many there are now
   */
  static int addLiterals(long[] all, int count, int[] codes, byte[] window, int from, int to) {
    int n = count;
    int p = from;
    for (; p <= to - LITERALS; p += LITERALS) {
      int bytes = (int) getLong(window, p);
      int first = codes[bytes & 0xff];
      int second = codes[(bytes >>> 8) & 0xff];
      int third = codes[(bytes >>> 16) & 0xff];
      int fourth = codes[bytes >>> 24];
      int oneBits = CodeTable.bits(first);
      int twoBits = oneBits + CodeTable.bits(second);
      int threeBits = twoBits + CodeTable.bits(third);
      all[n++] =
          piece(
              CodeTable.code(first)
                  | (CodeTable.code(second) << oneBits)
                  | (CodeTable.code(third) << twoBits)
                  | (CodeTable.code(fourth) << threeBits),
              threeBits + CodeTable.bits(fourth));
    }
    if (p < to) {
      all[n++] = upToThreeLiterals(codes, (int) getLong(window, p), to - p);
    }
    return n;
  }

  /** Without a branch on the number: it is as good as random. */
  private static long upToThreeLiterals(int[] codes, int bytes, int number) {
    int first = codes[bytes & 0xff];
    int second = codes[(bytes >>> 8) & 0xff];
    int third = codes[(bytes >>> 16) & 0xff];
    int oneBits = CodeTable.bits(first);
    int twoBits = oneBits + CodeTable.bits(second);
    int threeBits = twoBits + CodeTable.bits(third);
    int bits = (((oneBits << 8) | (twoBits << 16) | (threeBits << 24)) >>> (8 * number)) & 0xff;
    long code =
        CodeTable.code(first)
            | (CodeTable.code(second) << oneBits)
            | (CodeTable.code(third) << twoBits);
    return piece(code & ((1L << bits) - 1), bits);
  }

  /**
   * Appends a repeat, in several pieces where it is too long for one; the parameters are those of
   * {@link #addLiterals}.
   *
   * @param length at least {@link Rfc1951#MIN_MATCH_BYTES}
   * @return how many pieces there are now
   */
  static int addRepeat(long[] all, int count, int[] codes, int length, int distance) {
    int n = count;
    int left = length;
    int index = distance - 1;
    int entry = codes[CodeTable.distanceIndex(index)];
    int codeBits = CodeTable.bits(entry);
    int extraBits = CodeTable.extraBits(entry);
    long extra = index & ((1 << extraBits) - 1);
    long code = CodeTable.distanceCode(entry) | (extra << codeBits);
    int bits = codeBits + extraBits;
    while (left > Rfc1951.MAX_MATCH_BYTES) {
      // What is left must not be too short for a repeat.
      int step = Math.min(left - Rfc1951.MIN_MATCH_BYTES, Rfc1951.MAX_MATCH_BYTES);
      all[n++] = repeat(codes[CodeTable.lengthIndex(step)], code, bits);
      left -= step;
    }
    all[n++] = repeat(codes[CodeTable.lengthIndex(left)], code, bits);
    return n;
  }

  private static long repeat(int lengthEntry, long distanceCode, int distanceBits) {
    int lengthBits = CodeTable.bits(lengthEntry);
    return piece(
        CodeTable.code(lengthEntry) | (distanceCode << lengthBits), lengthBits + distanceBits);
  }
}
