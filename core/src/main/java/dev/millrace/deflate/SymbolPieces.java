package dev.millrace.deflate;

import java.util.Arrays;

/**
 * What can be done with pieces in which symbols stand for themselves, see {@link
 * CodeTable#ofSymbols}: count their symbols, and give them codes.
 *
 * <p>Owned by one thread; allocates nothing after construction.
 */
final class SymbolPieces {
  private static final int SYMBOL_BITS = CodeTable.SYMBOL_BITS;
  private static final int SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;

  private final int[] literalLengthCounts = new int[Rfc1951.LITERAL_LENGTH_SYMBOLS];
  private final int[] distanceCounts = new int[Rfc1951.DISTANCE_SYMBOLS];

  /** How often each symbol was counted; the end of the block once. */
  int[] literalLengthCounts() {
    return literalLengthCounts;
  }

  /** How often each distance symbol was counted. */
  int[] distanceCounts() {
    return distanceCounts;
  }

  /** Counts the symbols of these pieces, and no others. */
  void count(Pieces pieces) {
    Arrays.fill(literalLengthCounts, 0);
    Arrays.fill(distanceCounts, 0);
    literalLengthCounts[Rfc1951.END_OF_BLOCK] = 1;
    for (int i = 0; i < pieces.count; i++) {
      count(pieces.all[i]);
    }
  }

  private void count(long piece) {
    long code = Pieces.code(piece);
    int first = (int) code & SYMBOL_MASK;
    literalLengthCounts[first]++;
    if (first > Rfc1951.END_OF_BLOCK) {
      int distanceAt = SYMBOL_BITS + Rfc1951.extraBitsOfLengthSymbol(first);
      distanceCounts[(int) (code >>> distanceAt) & SYMBOL_MASK]++;
      return;
    }
    for (int at = SYMBOL_BITS; at < Pieces.bits(piece); at += SYMBOL_BITS) {
      literalLengthCounts[(int) (code >>> at) & SYMBOL_MASK]++;
    }
  }

  /** How many bits the counted symbols take in some codes, without a header. */
  long cost(byte[] literalLengthBits, byte[] distanceBits) {
    long bits = extraBits();
    for (int symbol = 0; symbol < literalLengthCounts.length; symbol++) {
      bits += (long) literalLengthCounts[symbol] * literalLengthBits[symbol];
    }
    for (int symbol = 0; symbol < distanceCounts.length; symbol++) {
      bits += (long) distanceCounts[symbol] * distanceBits[symbol];
    }
    return bits;
  }

  /** How many bits the counted symbols take in a block of type 1, with its header. */
  long fixedCost() {
    long bits = 3 + extraBits();
    for (int symbol = 0; symbol < literalLengthCounts.length; symbol++) {
      bits += (long) literalLengthCounts[symbol] * Rfc1951.fixedLiteralLengthBits(symbol);
    }
    for (int count : distanceCounts) {
      bits += (long) count * Rfc1951.FIXED_DISTANCE_BITS;
    }
    return bits;
  }

  private long extraBits() {
    long bits = 0;
    for (int symbol = Rfc1951.END_OF_BLOCK + 1; symbol < literalLengthCounts.length; symbol++) {
      bits += (long) literalLengthCounts[symbol] * Rfc1951.extraBitsOfLengthSymbol(symbol);
    }
    for (int symbol = 0; symbol < distanceCounts.length; symbol++) {
      bits += (long) distanceCounts[symbol] * Rfc1951.extraBitsOfDistanceSymbol(symbol);
    }
    return bits;
  }

  /** Puts codes in the place of the symbols. */
  static void encode(Pieces pieces, CodeTable table) {
    for (int i = 0; i < pieces.count; i++) {
      long piece = pieces.all[i];
      boolean repeat = (piece & SYMBOL_MASK) > Rfc1951.END_OF_BLOCK;
      pieces.all[i] = repeat ? repeat(piece, table) : literals(piece, table);
    }
  }

  private static long literals(long piece, CodeTable table) {
    long code = 0;
    int bits = 0;
    for (int at = 0; at < Pieces.bits(piece); at += SYMBOL_BITS) {
      int literal = (int) (Pieces.code(piece) >>> at) & SYMBOL_MASK;
      code |= (long) table.literalLengthCode(literal) << bits;
      bits += table.literalLengthBits()[literal];
    }
    return Pieces.piece(code, bits);
  }

  private static long repeat(long piece, CodeTable table) {
    long from = Pieces.code(piece);
    int length = (int) from & SYMBOL_MASK;
    int lengthExtraBits = Rfc1951.extraBitsOfLengthSymbol(length);
    long code = table.literalLengthCode(length);
    int bits = table.literalLengthBits()[length];
    from >>>= SYMBOL_BITS;
    code |= (from & ((1 << lengthExtraBits) - 1)) << bits;
    bits += lengthExtraBits;
    from >>>= lengthExtraBits;
    int distance = (int) from & SYMBOL_MASK;
    code |= (long) table.distanceSymbolCode(distance) << bits;
    bits += table.distanceBits()[distance];
    from >>>= SYMBOL_BITS;
    code |= from << bits;
    bits += Rfc1951.extraBitsOfDistanceSymbol(distance);
    return Pieces.piece(code, bits);
  }
}
