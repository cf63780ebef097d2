package dev.millrace.deflate;

import java.util.Arrays;

/**
 * The codes of a block, laid out for the search.
 *
 * <pre>
 * index            entry
 *    0 to   255    literals
 *  256 to   511    lengths from 3 to 258, with their extra bits
 *  512 to   767    distances from 1 to 256
 *  770 to 1,023    distances from 257 on, by steps of 128
 *
 * bit   0 to 23    the code, first bit lowest; that of a distance ends at bit 19
 * bit  20 to 23    of a distance: how many extra bits follow its code
 * bit  24 to 31    how many bits the code has
 * </pre>
 *
 * <p>Owned by one thread; allocates nothing after construction.
 */
final class CodeTable {
  /** So that four literals fit in a piece. */
  static final int MAX_LITERAL_LENGTH_BITS = 14;

  /** Each symbol stands for itself in so many bits in a table {@link #ofSymbols}. */
  static final int SYMBOL_BITS = 9;

  private static final int BITS_SHIFT = 24;
  private static final int CODE_MASK = (1 << BITS_SHIFT) - 1;
  private static final int EXTRA_BITS_SHIFT = 20;
  private static final int DISTANCE_CODE_MASK = (1 << EXTRA_BITS_SHIFT) - 1;
  private static final int LENGTHS = 256;
  private static final int DISTANCES = 512;
  private static final int NEAR_DISTANCES = 256;
  private static final int FAR_SHIFT = 7;
  private static final int FIRST_FAR_SYMBOL = 16;
  private static final int SIZE = DISTANCES + 2 * NEAR_DISTANCES;

  private final int[] entries = new int[SIZE];
  private final byte[] literalLengthBits = new byte[Rfc1951.FIXED_LITERAL_LENGTH_SYMBOLS];
  private final byte[] distanceBits = new byte[Rfc1951.DISTANCE_SYMBOLS];
  private final int[] literalLengthCodes = new int[Rfc1951.FIXED_LITERAL_LENGTH_SYMBOLS];
  private final int[] distanceCodes = new int[Rfc1951.DISTANCE_SYMBOLS];
  private final int[] nextCode = new int[Rfc1951.MAX_CODE_BITS + 1];

  /**
   * A table in which each symbol is its own code, in {@link #SYMBOL_BITS} bits: pieces made with it
   * can be counted and then made again with real codes, see {@link SymbolPieces}.
   */
  static CodeTable ofSymbols() {
    CodeTable table = new CodeTable();
    for (int symbol = 0; symbol < Rfc1951.LITERAL_LENGTH_SYMBOLS; symbol++) {
      table.literalLengthCodes[symbol] = symbol;
    }
    for (int symbol = 0; symbol < Rfc1951.DISTANCE_SYMBOLS; symbol++) {
      table.distanceCodes[symbol] = symbol;
    }
    Arrays.fill(table.literalLengthBits, (byte) SYMBOL_BITS);
    Arrays.fill(table.distanceBits, (byte) SYMBOL_BITS);
    table.layOut();
    return table;
  }

  /** Lays out the codes of a block of type 1. */
  void loadFixed() {
    for (int symbol = 0; symbol < literalLengthBits.length; symbol++) {
      literalLengthBits[symbol] = (byte) Rfc1951.fixedLiteralLengthBits(symbol);
    }
    Arrays.fill(distanceBits, (byte) Rfc1951.FIXED_DISTANCE_BITS);
    assign();
  }

  /** Lays out the codes of these lengths; 286 and 30 of them. */
  void load(byte[] literalLengthBits, byte[] distanceBits) {
    Arrays.fill(this.literalLengthBits, (byte) 0);
    System.arraycopy(literalLengthBits, 0, this.literalLengthBits, 0, literalLengthBits.length);
    System.arraycopy(distanceBits, 0, this.distanceBits, 0, distanceBits.length);
    assign();
  }

  /** The table itself. */
  int[] entries() {
    return entries;
  }

  /** The code length of each of 288 literal and length symbols; the last two are not used. */
  byte[] literalLengthBits() {
    return literalLengthBits;
  }

  /** The code length of each of 30 distance symbols. */
  byte[] distanceBits() {
    return distanceBits;
  }

  /** The code of a literal, length or end-of-block symbol, without extra bits. */
  int literalLengthCode(int symbol) {
    return literalLengthCodes[symbol];
  }

  /** The code of a distance symbol, without extra bits. */
  int distanceSymbolCode(int symbol) {
    return distanceCodes[symbol];
  }

  static int lengthIndex(int length) {
    return LENGTHS - Rfc1951.MIN_MATCH_BYTES + length;
  }

  /** Where a distance stands; the parameter is the distance less 1. */
  static int distanceIndex(int index) {
    return DISTANCES + (index < NEAR_DISTANCES ? index : NEAR_DISTANCES + (index >>> FAR_SHIFT));
  }

  /** How many bits the code of an entry has. */
  static int bits(int entry) {
    return entry >>> BITS_SHIFT;
  }

  /** The code of an entry that is not a distance's. */
  static long code(int entry) {
    return entry & CODE_MASK;
  }

  /** The code of a distance's entry. */
  static long distanceCode(int entry) {
    return entry & DISTANCE_CODE_MASK;
  }

  /** How many extra bits follow the code of a distance's entry. */
  static int extraBits(int entry) {
    return (entry >>> EXTRA_BITS_SHIFT) & 0xf;
  }

  private void assign() {
    assign(literalLengthBits, literalLengthBits.length, nextCode, literalLengthCodes);
    assign(distanceBits, distanceBits.length, nextCode, distanceCodes);
    layOut();
  }

  private void layOut() {
    for (int literal = 0; literal < LENGTHS; literal++) {
      entries[literal] = entry(literalLengthCodes[literal], literalLengthBits[literal]);
    }
    int last = DISTANCES - 1;
    for (int at = LENGTHS, symbol = Rfc1951.END_OF_BLOCK + 1; at < last; symbol++) {
      int bits = literalLengthBits[symbol];
      int extraBits = Rfc1951.extraBitsOfLengthSymbol(symbol);
      int entry = entry(literalLengthCodes[symbol], bits + extraBits);
      for (int extra = 0; extra < 1 << extraBits && at < last; extra++) {
        entries[at++] = entry | (extra << bits);
      }
    }
    // The longest has a symbol of its own, which takes the place of the last extra value before it.
    int longest = Rfc1951.LITERAL_LENGTH_SYMBOLS - 1;
    entries[last] = entry(literalLengthCodes[longest], literalLengthBits[longest]);
    int at = DISTANCES;
    for (int symbol = 0; symbol < distanceCodes.length; symbol++) {
      int extraBits = Rfc1951.extraBitsOfDistanceSymbol(symbol);
      int entry =
          entry(distanceCodes[symbol] | (extraBits << EXTRA_BITS_SHIFT), distanceBits[symbol]);
      // Where the near distances end, the first two places of the far ones are never looked at.
      at = at == DISTANCES + NEAR_DISTANCES ? at + 2 : at;
      int places = symbol < FIRST_FAR_SYMBOL ? 1 << extraBits : 1 << (extraBits - FAR_SHIFT);
      Arrays.fill(entries, at, at + places, entry);
      at += places;
    }
  }

  private static int entry(int code, int bits) {
    return code | (bits << BITS_SHIFT);
  }

  /**
   * Gives each symbol its code by RFC 1951 section 3.2.2, first bit lowest.
   *
   * @param nextCode scratch, 16 ints
   * @param codes takes the codes
   */
  static void assign(byte[] lengths, int symbols, int[] nextCode, int[] codes) {
    Arrays.fill(nextCode, 0);
    for (int symbol = 0; symbol < symbols; symbol++) {
      nextCode[lengths[symbol]]++;
    }
    int code = 0;
    int ofLength = 0;
    for (int length = 1; length < nextCode.length; length++) {
      code = (code + ofLength) << 1;
      ofLength = nextCode[length];
      nextCode[length] = code;
    }
    for (int symbol = 0; symbol < symbols; symbol++) {
      int length = lengths[symbol];
      codes[symbol] =
          length == 0 ? 0 : Integer.reverse(nextCode[length]++) >>> (Integer.SIZE - length);
    }
  }
}
