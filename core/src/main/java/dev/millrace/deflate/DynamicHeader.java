package dev.millrace.deflate;

import java.util.Arrays;

/**
 * The description of a block's codes, RFC 1951 section 3.2.7: the code lengths of both alphabets in
 * one row, runs shortened, in a code of their own.
 *
 * <p>{@link #prepare} finds it and says how long it is; {@link #write} writes it. Owned by one
 * thread; allocates nothing after construction.
 */
final class DynamicHeader {
  private static final int COPY_PREVIOUS = 16;
  private static final int ZEROS_SHORT = 17;
  private static final int ZEROS_LONG = 18;

  /** In this order the lengths of the code length code are written; the last are often unused. */
  private static final byte[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private static final int MIN_LITERAL_LENGTHS = 257;
  private static final int MIN_ORDERED = 4;
  private static final int MAX_LENGTHS = Rfc1951.LITERAL_LENGTH_SYMBOLS + Rfc1951.DISTANCE_SYMBOLS;

  private final CodeLengths builder;
  private final byte[] row = new byte[MAX_LENGTHS];
  private final byte[] symbols = new byte[MAX_LENGTHS];
  private final byte[] extras = new byte[MAX_LENGTHS];
  private final int[] counts = new int[Rfc1951.CODE_LENGTH_SYMBOLS];
  private final byte[] lengths = new byte[Rfc1951.CODE_LENGTH_SYMBOLS];
  private final int[] codes = new int[Rfc1951.CODE_LENGTH_SYMBOLS];
  private final int[] nextCode = new int[Rfc1951.MAX_CODE_BITS + 1];
  private int literalLengths;
  private int distances;
  private int entries;
  private int ordered;

  DynamicHeader(CodeLengths builder) {
    this.builder = builder;
  }

  /**
   * Prepares the description of these code lengths.
   *
   * @return its length in bits, with the three bits that every block begins with
   */
  long prepare(byte[] literalLengthBits, byte[] distanceBits) {
    literalLengths = used(literalLengthBits, Rfc1951.LITERAL_LENGTH_SYMBOLS, MIN_LITERAL_LENGTHS);
    distances = used(distanceBits, Rfc1951.DISTANCE_SYMBOLS, 1);
    System.arraycopy(literalLengthBits, 0, row, 0, literalLengths);
    System.arraycopy(distanceBits, 0, row, literalLengths, distances);
    shortenRuns(literalLengths + distances);
    Arrays.fill(counts, 0);
    for (int i = 0; i < entries; i++) {
      counts[symbols[i]]++;
    }
    builder.build(counts, Rfc1951.CODE_LENGTH_SYMBOLS, Rfc1951.MAX_CODE_LENGTH_BITS, lengths);
    CodeTable.assign(lengths, Rfc1951.CODE_LENGTH_SYMBOLS, nextCode, codes);
    ordered = ORDER.length;
    while (ordered > MIN_ORDERED && lengths[ORDER[ordered - 1]] == 0) {
      ordered--;
    }
    long bits = 3 + 5 + 5 + 4 + 3L * ordered;
    for (int i = 0; i < entries; i++) {
      bits += lengths[symbols[i]] + extraBits(symbols[i]);
    }
    return bits;
  }

  /** Writes what was prepared last, with the start of its block. */
  void write(BitOutput out, boolean last) {
    out.put(last ? 1 : 0, 1);
    out.put(Rfc1951.DYNAMIC, 2);
    out.put(literalLengths - MIN_LITERAL_LENGTHS, 5);
    out.put(distances - 1, 5);
    out.put(ordered - MIN_ORDERED, 4);
    for (int i = 0; i < ordered; i++) {
      out.put(lengths[ORDER[i]], 3);
    }
    for (int i = 0; i < entries; i++) {
      int symbol = symbols[i];
      out.put(codes[symbol], lengths[symbol]);
      out.put(extras[i], extraBits(symbol));
    }
  }

  private static int used(byte[] bits, int symbols, int least) {
    int used = symbols;
    while (used > least && bits[used - 1] == 0) {
      used--;
    }
    return used;
  }

  private static int extraBits(int symbol) {
    if (symbol < COPY_PREVIOUS) {
      return 0;
    }
    if (symbol == COPY_PREVIOUS) {
      return 2;
    }
    return symbol == ZEROS_SHORT ? 3 : 7;
  }

  private void shortenRuns(int rowLength) {
    entries = 0;
    int from = 0;
    while (from < rowLength) {
      int value = row[from];
      int to = from + 1;
      while (to < rowLength && row[to] == value) {
        to++;
      }
      if (value == 0) {
        zeros(to - from);
      } else {
        add(value, 0);
        repeats(value, to - from - 1);
      }
      from = to;
    }
  }

  private void zeros(int run) {
    int left = run;
    while (left >= 11) {
      int step = Math.min(left, 138);
      add(ZEROS_LONG, step - 11);
      left -= step;
    }
    if (left >= 3) {
      add(ZEROS_SHORT, left - 3);
      left = 0;
    }
    for (; left > 0; left--) {
      add(0, 0);
    }
  }

  private void repeats(int value, int run) {
    int left = run;
    while (left >= 3) {
      int step = Math.min(left, 6);
      add(COPY_PREVIOUS, step - 3);
      left -= step;
    }
    for (; left > 0; left--) {
      add(value, 0);
    }
  }

  private void add(int symbol, int extra) {
    symbols[entries] = (byte) symbol;
    extras[entries] = (byte) extra;
    entries++;
  }
}
