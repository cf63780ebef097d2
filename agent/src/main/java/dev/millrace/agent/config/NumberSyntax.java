package dev.millrace.agent.config;

import org.jspecify.annotations.Nullable;

/** Numbers in decimal digits. */
final class NumberSyntax {
  static final String EXPECTED = "a whole number";

  /** What is expected of a number that need not be whole. */
  static final String DECIMAL = "a number";

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

  /** Reads a number from {@code min} to {@code max}, both within it. */
  static Parsed<Double> parseDecimal(Value value, double min, double max) {
    if (!value.plain()) {
      return Parsed.not(DECIMAL, "remove the quotes");
    }
    double number;
    try {
      number = Double.parseDouble(value.text());
    } catch (NumberFormatException e) {
      return Parsed.not(DECIMAL, "write it in digits, such as 1.5");
    }
    return number >= min && number <= max
        ? Parsed.of(number)
        : Parsed.not("a number from " + shown(min) + " to " + shown(max));
  }

  private static String shown(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
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
