package dev.millrace.deflate;

/** The numbers of the deflate format, RFC 1951 section 3.2. */
final class Rfc1951 {
  /** Literals, the end of a block, and the lengths: 0 to 285. */
  static final int LITERAL_LENGTH_SYMBOLS = 286;

  /** As many of them take part in the code of a block of type 1, though 286 and 287 never occur. */
  static final int FIXED_LITERAL_LENGTH_SYMBOLS = 288;

  /** Distances: 0 to 29. */
  static final int DISTANCE_SYMBOLS = 30;

  /** The code of the code lengths: 0 to 18. */
  static final int CODE_LENGTH_SYMBOLS = 19;

  /** The symbol that ends a block. */
  static final int END_OF_BLOCK = 256;

  /** The longest code of a literal, a length or a distance. */
  static final int MAX_CODE_BITS = 15;

  /** The longest code of a code length: its length is written in three bits. */
  static final int MAX_CODE_LENGTH_BITS = 7;

  static final int MIN_MATCH_BYTES = 3;
  static final int MAX_MATCH_BYTES = 258;

  /** How far back a match may reach. */
  static final int MAX_DISTANCE_BYTES = 32 * 1024;

  /** The most bytes of one stored block: its length is written in 16 bits. */
  static final int MAX_STORED_BYTES = 65_535;

  /** The code length of every distance symbol in a block of type 1. */
  static final int FIXED_DISTANCE_BITS = 5;

  static final int STORED = 0;
  static final int FIXED = 1;
  static final int DYNAMIC = 2;

  private static final int FIRST_LENGTH_SYMBOL = 257;

  /** Length 258 has a symbol of its own, without extra bits. */
  private static final int LONGEST_LENGTH_SYMBOL = 285;

  private Rfc1951() {}

  /** How many extra bits follow a symbol of the literal and length alphabet. */
  static int extraBitsOfLengthSymbol(int symbol) {
    if (symbol < FIRST_LENGTH_SYMBOL + 8 || symbol == LONGEST_LENGTH_SYMBOL) {
      return 0;
    }
    return (symbol - FIRST_LENGTH_SYMBOL) / 4 - 1;
  }

  /** How many extra bits follow a symbol of the distance alphabet. */
  static int extraBitsOfDistanceSymbol(int symbol) {
    return Math.max(0, symbol / 2 - 1);
  }

  /** The code length of a literal or length symbol, 0 to 287, in a block of type 1. */
  static int fixedLiteralLengthBits(int symbol) {
    if (symbol < 144) {
      return 8;
    }
    if (symbol < 256) {
      return 9;
    }
    return symbol < 280 ? 7 : 8;
  }
}
