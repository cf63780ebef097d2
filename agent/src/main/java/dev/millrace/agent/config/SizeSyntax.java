package dev.millrace.agent.config;

/**
 * Sizes in bytes: a number alone, as the OpenTelemetry Collector writes them, or with a binary
 * unit.
 */
final class SizeSyntax {
  static final String EXPECTED = "a size such as 20971520, 512KiB or 64MiB";

  private static final String[] UNITS = {"GiB", "MiB", "KiB", "B"};
  private static final int[] UNIT_SHIFTS = {30, 20, 10, 0};

  private SizeSyntax() {}

  /** Reads a size from {@code minBytes} to {@code maxBytes}, both within it. */
  static Parsed<Long> parse(String text, long minBytes, long maxBytes) {
    int numberEnd = 0;
    while (numberEnd < text.length()
        && text.charAt(numberEnd) >= '0'
        && text.charAt(numberEnd) <= '9') {
      numberEnd++;
    }
    int shift = shift(text.substring(numberEnd).strip());
    if (numberEnd == 0 || shift < 0) {
      return Parsed.not(EXPECTED, "the units are B, KiB, MiB and GiB");
    }
    Long count = NumberSyntax.digits(text.substring(0, numberEnd));
    if (count == null || count > maxBytes >> shift || count << shift < minBytes) {
      return Parsed.not("a size from " + show(minBytes) + " to " + show(maxBytes));
    }
    return Parsed.of(count << shift);
  }

  /** The size in the largest unit that divides it. */
  static String show(long bytes) {
    int unit = 0;
    while (bytes % (1L << UNIT_SHIFTS[unit]) != 0) {
      unit++;
    }
    return (bytes >> UNIT_SHIFTS[unit]) + UNITS[unit];
  }

  private static int shift(String unit) {
    if (unit.isEmpty()) {
      return 0;
    }
    for (int i = 0; i < UNITS.length; i++) {
      if (UNITS[i].equals(unit)) {
        return UNIT_SHIFTS[i];
      }
    }
    return -1;
  }
}
