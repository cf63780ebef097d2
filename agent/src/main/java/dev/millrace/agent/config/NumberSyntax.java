package dev.millrace.agent.config;

import org.jspecify.annotations.Nullable;

/** Whole numbers in decimal digits. */
final class NumberSyntax {
  static final String EXPECTED = "a whole number";

  /** As many digits as always fit a long. */
  private static final int MAX_DIGITS = 18;

  private NumberSyntax() {}

  /** Reads a number from {@code min} (0 or more) to {@code max}, both within it. */
  static Parsed<Integer> parse(Value value, int min, int max) {
    String text = value.text();
    boolean negative = text.startsWith("-");
    String magnitude = negative ? text.substring(1) : text;
    if (magnitude.isEmpty() || !isDigits(magnitude)) {
      return Parsed.not(EXPECTED, "write it in digits alone");
    }
    if (!value.plain()) {
      return Parsed.not(EXPECTED, "remove the quotes");
    }
    Long number = digits(magnitude);
    if (number == null || negative || number < min || number > max) {
      return Parsed.not("a whole number from " + min + " to " + max);
    }
    return Parsed.of(number.intValue());
  }

  /** The value of a text of digits; null if it may be too large for a long. */
  static @Nullable Long digits(String text) {
    int start = 0;
    while (start < text.length() - 1 && text.charAt(start) == '0') {
      start++;
    }
    if (text.length() - start > MAX_DIGITS) {
      return null;
    }
    long number = 0;
    for (int i = start; i < text.length(); i++) {
      number = number * 10 + (text.charAt(i) - '0');
    }
    return number;
  }

  static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
