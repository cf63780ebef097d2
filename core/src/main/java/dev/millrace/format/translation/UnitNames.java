package dev.millrace.format.translation;

import java.util.Map;

/**
 * UCUM units as the words that Prometheus names use (OpenTelemetry specification, Prometheus
 * compatibility, "Metric Metadata"). Units that are not in the specification's table keep their own
 * letters, as Prometheus' own translation does it, as far as a strategy leaves them.
 */
public final class UnitNames {
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("d", "days"),
          Map.entry("h", "hours"),
          Map.entry("min", "minutes"),
          Map.entry("s", "seconds"),
          Map.entry("ms", "milliseconds"),
          Map.entry("us", "microseconds"),
          Map.entry("ns", "nanoseconds"),
          Map.entry("By", "bytes"),
          Map.entry("KiBy", "kibibytes"),
          Map.entry("MiBy", "mebibytes"),
          Map.entry("GiBy", "gibibytes"),
          Map.entry("TiBy", "tebibytes"),
          Map.entry("kBy", "kilobytes"),
          // No UCUM unit, but the one that Prometheus' translation knows instead of kBy.
          Map.entry("KBy", "kilobytes"),
          Map.entry("MBy", "megabytes"),
          Map.entry("GBy", "gigabytes"),
          Map.entry("TBy", "terabytes"),
          Map.entry("m", "meters"),
          Map.entry("V", "volts"),
          Map.entry("A", "amperes"),
          Map.entry("J", "joules"),
          Map.entry("W", "watts"),
          Map.entry("g", "grams"),
          Map.entry("Cel", "celsius"),
          Map.entry("Hz", "hertz"),
          Map.entry("%", "percent"),
          Map.entry("1", ""));

  /** Units after a slash, which are times in nearly all cases: there {@code m} is the minute. */
  private static final Map<String, String> PER_WORDS =
      Map.ofEntries(
          Map.entry("ns", "nanosecond"),
          Map.entry("us", "microsecond"),
          Map.entry("ms", "millisecond"),
          Map.entry("s", "second"),
          Map.entry("m", "minute"),
          Map.entry("min", "minute"),
          Map.entry("h", "hour"),
          Map.entry("d", "day"),
          Map.entry("w", "week"),
          Map.entry("wk", "week"),
          Map.entry("mo", "month"),
          Map.entry("y", "year"),
          Map.entry("a", "year"),
          Map.entry("1", ""));

  private UnitNames() {}

  /**
   * The unit in words, such as {@code seconds} or {@code bytes_per_second}; empty for a unit that
   * adds nothing to a name: none, {@code 1}, or an annotation alone such as <code>{request}</code>.
   */
  public static String of(String unit, NamingStrategy strategy) {
    String bare = withoutAnnotations(unit);
    int slash = bare.indexOf('/');
    if (slash < 0) {
      return word(WORDS, bare, strategy);
    }
    String main = word(WORDS, bare.substring(0, slash), strategy);
    String per = word(PER_WORDS, bare.substring(slash + 1), strategy);
    if (per.isEmpty()) {
      return main;
    }
    return main.isEmpty() ? "per_" + per : main + "_per_" + per;
  }

  private static String word(Map<String, String> words, String unit, NamingStrategy strategy) {
    String stripped = unit.strip();
    String word = words.get(stripped);
    return word != null ? word : MetricTranslation.translated(stripped, strategy);
  }

  private static String withoutAnnotations(String unit) {
    if (unit.indexOf('{') < 0) {
      return unit;
    }
    StringBuilder bare = new StringBuilder(unit.length());
    int from = 0;
    while (from < unit.length()) {
      int open = unit.indexOf('{', from);
      if (open < 0) {
        bare.append(unit, from, unit.length());
        break;
      }
      bare.append(unit, from, open);
      int close = unit.indexOf('}', open);
      from = close < 0 ? unit.length() : close + 1;
    }
    return bare.toString();
  }
}
