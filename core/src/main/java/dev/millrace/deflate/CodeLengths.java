package dev.millrace.deflate;

import java.util.Arrays;

/**
 * Finds how many bits each symbol's code has: a Huffman code, with no code longer than a limit.
 *
 * <p>Without a code over the limit the result is Huffman's and so the shortest there is. Otherwise
 * the codes that are too long are cut to the limit, and the code room that this takes is won back
 * from the rarest symbols that are shorter; this costs under one bit in a hundred against the best
 * limited code on every input that was tried, and needs neither lists nor passes for each bit.
 *
 * <p>Owned by one thread; allocates nothing after construction.
 */
final class CodeLengths {
  /** Counts are below this, so that count and symbol fit in one long, and sums in an int. */
  static final int MAX_TOTAL = 1 << 30;

  private static final int SYMBOL_BITS = 9;
  private static final int SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;
  private static final int MAX_SYMBOLS = Rfc1951.LITERAL_LENGTH_SYMBOLS;

  /** Ciura's, which are the best that are known for so few values. */
  private static final int[] SHELL_SORT_GAPS = {132, 57, 23, 10, 4, 1};

  private final long[] sorted = new long[MAX_SYMBOLS];
  private final int[] weights = new int[2 * MAX_SYMBOLS];
  private final int[] parents = new int[2 * MAX_SYMBOLS];
  private final int[] symbolsOfLength = new int[MAX_SYMBOLS + 1];

  /**
   * Fills in the code lengths.
   *
   * @param counts how often each symbol occurs, not negative; together less than {@link #MAX_TOTAL}
   * @param symbols how many symbols there are, 2 to 286
   * @param maxBits the limit, at most 15 and large enough for so many symbols
   * @param lengths takes the length of each symbol's code, 0 for a symbol that does not occur. At
   *     least two symbols get a code, as some decoders take no code with fewer; the lowest that do
   *     not occur fill in
   */
  void build(int[] counts, int symbols, int maxBits, byte[] lengths) {
    int used = sort(counts, symbols);
    Arrays.fill(lengths, 0, symbols, (byte) 0);
    if (used <= 2) {
      assignTwo(used, lengths);
      return;
    }
    join(used);
    countLengths(used, maxBits);
    fitInto(maxBits);
    int at = 0;
    for (int length = maxBits; length > 0; length--) {
      for (int i = symbolsOfLength[length]; i > 0; i--) {
        lengths[(int) sorted[at++] & SYMBOL_MASK] = (byte) length;
      }
    }
  }

  /** Sorts the symbols that occur, rarest first, and returns how many there are. */
  private int sort(int[] counts, int symbols) {
    int used = 0;
    for (int symbol = 0; symbol < symbols; symbol++) {
      if (counts[symbol] != 0) {
        sorted[used++] = ((long) counts[symbol] << SYMBOL_BITS) | symbol;
      }
    }
    shellSort(sorted, used);
    return used;
  }

  /** {@code Arrays.sort} allocates when it finds runs. */
  private static void shellSort(long[] values, int length) {
    for (int gap : SHELL_SORT_GAPS) {
      for (int i = gap; i < length; i++) {
        long value = values[i];
        int to = i;
        while (to >= gap && values[to - gap] > value) {
          values[to] = values[to - gap];
          to -= gap;
        }
        values[to] = value;
      }
    }
  }

  private void assignTwo(int used, byte[] lengths) {
    for (int i = 0; i < used; i++) {
      lengths[(int) sorted[i] & SYMBOL_MASK] = 1;
    }
    int missing = 2 - used;
    for (int symbol = 0; missing > 0; symbol++) {
      if (lengths[symbol] == 0) {
        lengths[symbol] = 1;
        missing--;
      }
    }
  }

  /**
   * Joins the two lightest nodes until one is left. The leaves are sorted and the joined nodes come
   * out in order, so that the lightest is always the first of one of two queues.
   */
  private void join(int used) {
    for (int i = 0; i < used; i++) {
      weights[i] = (int) (sorted[i] >>> SYMBOL_BITS);
    }
    int leaf = 0;
    int joined = used;
    for (int node = used; node < 2 * used - 1; node++) {
      int weight = 0;
      for (int child = 0; child < 2; child++) {
        int lightest;
        if (leaf < used && (joined == node || weights[leaf] <= weights[joined])) {
          lightest = leaf++;
        } else {
          lightest = joined++;
        }
        weight += weights[lightest];
        parents[lightest] = node;
      }
      weights[node] = weight;
    }
  }

  /** Counts the leaves at each depth; those below the limit count as at the limit. */
  private void countLengths(int used, int maxBits) {
    Arrays.fill(symbolsOfLength, 0);
    int root = 2 * used - 2;
    int[] depths = weights;
    depths[root] = 0;
    for (int node = root - 1; node >= 0; node--) {
      depths[node] = depths[parents[node]] + 1;
      if (node < used) {
        symbolsOfLength[Math.min(depths[node], maxBits)]++;
      }
    }
  }

  /**
   * Makes the lengths a code again after long ones were cut. The room of a code of {@code n} bits
   * is {@code 2^-n}; all together must take exactly 1. Each step moves one code of the limit up
   * beside the longest code that is shorter, which grows by a bit: together they free the room of
   * one code of the limit.
   */
  private void fitInto(int maxBits) {
    int room = 0;
    for (int length = 1; length <= maxBits; length++) {
      room += symbolsOfLength[length] << (maxBits - length);
    }
    for (int excess = room - (1 << maxBits); excess > 0; excess--) {
      int length = maxBits - 1;
      while (symbolsOfLength[length] == 0) {
        length--;
      }
      symbolsOfLength[length]--;
      symbolsOfLength[length + 1] += 2;
      symbolsOfLength[maxBits]--;
    }
  }
}
