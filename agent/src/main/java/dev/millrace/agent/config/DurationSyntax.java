package dev.millrace.agent.config;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Durations as Go, and so the OpenTelemetry Collector, writes them: 500ms, 90s, 5m, 1h30m, 1.5h.
 */
final class DurationSyntax {
  static final String EXPECTED = "a duration such as 500ms, 90s, 5m or 1h30m";

  /** Longer than any duration that a person writes; keeps the arithmetic short. */
  private static final int MAX_CHARS = 64;

  private static final String[] UNITS = {"h", "m", "s", "ms", "us", "ns"};
  private static final long[] UNIT_NANOS = {
    3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L, 1L
  };

  private DurationSyntax() {}

  /**
   * Reads a duration from {@code min} to {@code max}, both within it; a part of a nanosecond is
   * dropped.
   */
  static Parsed<Duration> parse(String text, Duration min, Duration max) {
    String magnitude = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    BigDecimal nanos =
        magnitude.equals("0")
            ? BigDecimal.ZERO
            : magnitude.length() > MAX_CHARS ? null : sum(magnitude);
    if (nanos == null) {
      return !magnitude.isEmpty() && NumberSyntax.isDigits(magnitude)
          ? Parsed.not(EXPECTED, "add a unit, such as s for seconds")
          : Parsed.not(EXPECTED, "the units are h, m, s, ms, us and ns");
    }
    BigDecimal signed = text.startsWith("-") ? nanos.negate() : nanos;
    if (signed.compareTo(BigDecimal.valueOf(min.toNanos())) < 0
        || signed.compareTo(BigDecimal.valueOf(max.toNanos())) > 0) {
      return Parsed.not("a duration from " + show(min) + " to " + show(max));
    }
    return Parsed.of(Duration.ofNanos(signed.longValue()));
  }

  /** The duration in the syntax that this class reads; {@code 0s} for zero. */
  static String show(Duration duration) {
    long rest = duration.toNanos();
    StringBuilder text = new StringBuilder();
    for (int unit = 0; unit < UNITS.length; unit++) {
      long count = rest / UNIT_NANOS[unit];
      rest -= count * UNIT_NANOS[unit];
      if (count != 0) {
        text.append(count).append(UNITS[unit]);
      }
    }
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static @Nullable BigDecimal sum(String text) {
    BigDecimal sum = BigDecimal.ZERO;
    int i = 0;
    do {
      int numberEnd = skip(text, i, true);
      int unitEnd = skip(text, numberEnd, false);
      BigDecimal number = number(text.substring(i, numberEnd));
      long unitNanos = unitNanos(text.substring(numberEnd, unitEnd));
      if (number == null || unitNanos == 0) {
        return null;
      }
      sum = sum.add(number.multiply(BigDecimal.valueOf(unitNanos)));
      i = unitEnd;
    } while (i < text.length());
    return sum;
  }

  private static int skip(String text, int from, boolean overNumber) {
    int i = from;
    while (i < text.length() && isNumberChar(text.charAt(i)) == overNumber) {
      i++;
    }
    return i;
  }

  private static boolean isNumberChar(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }

  /** Go takes 1., .5 and 1.5 for numbers, and a point alone for none. */
  private static @Nullable BigDecimal number(String text) {
    if (text.isEmpty() || text.equals(".") || text.indexOf('.') != text.lastIndexOf('.')) {
      return null;
    }
    return new BigDecimal(text);
  }

  private static long unitNanos(String text) {
    // Go takes the micro sign and the Greek letter mu.
    String unit = text.equals("\u00B5s") || text.equals("\u03BCs") ? "us" : text;
    for (int i = 0; i < UNITS.length; i++) {
      if (UNITS[i].equals(unit)) {
        return UNIT_NANOS[i];
      }
    }
    return 0;
  }
}
