package dev.millrace.store.foreign;

import java.util.Set;

/** The bounds of buckets as the clients write them. Stateless. */
final class Bound {
  /** Longer than any double; parsing takes time that grows with the length. */
  private static final int MAX_CHARS = 64;

  private static final Set<String> INFINITE = Set.of("+Inf", "Inf", "inf", "Infinity", "+Infinity");

  private Bound() {}

  /**
   * The number that a label {@code le} stands for.
   *
   * @return NaN where it is none
   */
  static double parse(String text) {
    if (INFINITE.contains(text)) {
      return Double.POSITIVE_INFINITY;
    }
    if (text.isEmpty() || text.length() > MAX_CHARS || !isNumber(text)) {
      return Double.NaN;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Leaves out what Java alone takes for numbers, such as {@code 1f} and hexadecimal ones. */
  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }
}
