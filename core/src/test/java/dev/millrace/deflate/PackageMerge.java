package dev.millrace.deflate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The best code with a limit on its lengths, by the package-merge algorithm: slow and obvious. */
final class PackageMerge {
  private record Coin(long weight, List<Integer> symbols) {}

  private PackageMerge() {}

  /** The code length of each symbol, 0 for one that does not occur; at least two must. */
  static int[] lengths(int[] counts, int maxBits) {
    List<Coin> leaves = new ArrayList<>();
    for (int symbol = 0; symbol < counts.length; symbol++) {
      if (counts[symbol] > 0) {
        leaves.add(new Coin(counts[symbol], List.of(symbol)));
      }
    }
    List<Coin> row = new ArrayList<>();
    for (int bit = 0; bit < maxBits; bit++) {
      List<Coin> next = new ArrayList<>(leaves);
      for (int i = 0; i + 1 < row.size(); i += 2) {
        List<Integer> symbols = new ArrayList<>(row.get(i).symbols());
        symbols.addAll(row.get(i + 1).symbols());
        next.add(new Coin(row.get(i).weight() + row.get(i + 1).weight(), symbols));
      }
      next.sort(Comparator.comparingLong(Coin::weight));
      row = next;
    }
    int[] lengths = new int[counts.length];
    for (Coin coin : row.subList(0, 2 * leaves.size() - 2)) {
      for (int symbol : coin.symbols()) {
        lengths[symbol]++;
      }
    }
    return lengths;
  }
}
