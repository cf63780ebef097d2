package dev.millrace.deflate;

/**
 * The codes that fit the symbols that were counted.
 *
 * <p>Owned by one thread; allocates nothing after construction.
 */
final class FittedCodes {
  /**
   * What a counted symbol weighs beside one that did not occur. So rare a symbol gets the longest
   * code there is, and all of them together, some 200, take no more than a hundredth of the room.
   */
  private static final int COUNTED_WEIGHT = 64;

  private final SymbolPieces symbols;
  private final CodeLengths builder;
  private final DynamicHeader header;
  private final int[] weights = new int[Rfc1951.LITERAL_LENGTH_SYMBOLS];
  private final byte[] literalLengthBits = new byte[Rfc1951.LITERAL_LENGTH_SYMBOLS];
  private final byte[] distanceBits = new byte[Rfc1951.DISTANCE_SYMBOLS];

  FittedCodes(SymbolPieces symbols, CodeLengths builder) {
    this.symbols = symbols;
    this.builder = builder;
    header = new DynamicHeader(builder);
  }

  /**
   * Finds the codes for what was counted. Symbols that did not occur get a code too, as what comes
   * next may need them.
   *
   * @return how many bits the counted symbols take in them, with header and end of block
   */
  long fit() {
    weigh(symbols.literalLengthCounts());
    builder.build(
        weights,
        Rfc1951.LITERAL_LENGTH_SYMBOLS,
        CodeTable.MAX_LITERAL_LENGTH_BITS,
        literalLengthBits);
    weigh(symbols.distanceCounts());
    builder.build(weights, Rfc1951.DISTANCE_SYMBOLS, Rfc1951.MAX_CODE_BITS, distanceBits);
    return header.prepare(literalLengthBits, distanceBits)
        + symbols.cost(literalLengthBits, distanceBits);
  }

  /** Begins a block with the codes that were found last. */
  void writeHeader(BitOutput out, boolean last) {
    header.write(out, last);
  }

  /** Lays out the codes that were found last. */
  void load(CodeTable codes) {
    codes.load(literalLengthBits, distanceBits);
  }

  private void weigh(int[] counts) {
    for (int symbol = 0; symbol < counts.length; symbol++) {
      weights[symbol] = counts[symbol] * COUNTED_WEIGHT + 1;
    }
  }
}
