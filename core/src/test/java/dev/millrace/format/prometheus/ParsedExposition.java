package dev.millrace.format.prometheus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An exposition read back: strict about what must hold for every exposition, and slow. It fails on
 * comments that come twice, on a family in two places, on a label that stands twice in a line, and
 * on a series that comes twice.
 *
 * @param families the families' comments by family name, in order
 * @param samples all samples, in order
 */
public record ParsedExposition(Map<String, Comments> families, List<Sample> samples) {
  /** A family's comments, empty where there are none. */
  public record Comments(String type, String unit, String help) {}

  /**
   * A sample line.
   *
   * @param value the number's text
   */
  public record Sample(
      String name, SortedMap<String, String> labels, String value, @Nullable Exemplar exemplar) {}

  /**
   * An exemplar.
   *
   * @param value the number's text
   * @param time the text of the time, or nothing
   */
  public record Exemplar(SortedMap<String, String> labels, String value, String time) {}

  private static final String METRIC_NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL_NAME = "[a-zA-Z_][a-zA-Z0-9_]*";

  /**
   * A name in a line.
   *
   * @param end where it ends, with its quotes
   */
  private record Name(String text, boolean quoted, int end) {
    /** Only a name that is not plain is in quotes. */
    static Name at(String line, int start, String endCharacters, String plain) {
      if (line.charAt(start) == '"') {
        int end = quoteEnd(line, start + 1);
        String text = unescaped(line.substring(start + 1, end), true);
        check(!text.matches(plain) && !text.isEmpty(), "a name that needs no quotes", line);
        return new Name(text, true, end + 1);
      }
      int end = start;
      while (endCharacters.indexOf(line.charAt(end)) < 0) {
        end++;
      }
      String text = line.substring(start, end);
      check(text.matches(plain), "a bad name", line);
      return new Name(text, false, end);
    }
  }

  /** Reads an exposition. */
  public static ParsedExposition parse(String exposition, boolean openMetrics) {
    Map<String, Comments> families = new LinkedHashMap<>();
    List<Sample> samples = new ArrayList<>();
    Set<List<Object>> series = new HashSet<>();
    String body = exposition;
    if (openMetrics) {
      check(body.endsWith("# EOF\n"), "no # EOF at the end", body);
      body = body.substring(0, body.length() - "# EOF\n".length());
    }
    check(body.isEmpty() || body.endsWith("\n"), "no line feed at the end", body);
    String family = "";
    // Not lines(): a carriage return is a character like any other.
    for (String line : body.isEmpty() ? List.<String>of() : List.of(body.split("\n", 0))) {
      if (line.startsWith("# ")) {
        check(line.matches("(?s)# (HELP|TYPE|UNIT) .*"), "a comment expected", line);
        Name name = Name.at(line, 7, " ", METRIC_NAME);
        check(line.charAt(name.end()) == ' ', "a space expected", line);
        if (!name.text().equals(family)) {
          check(!families.containsKey(name.text()), "a family in two places", line);
          family = name.text();
          families.put(family, new Comments("", "", ""));
        }
        Comments before = families.getOrDefault(family, new Comments("", "", ""));
        String text = line.substring(name.end() + 1);
        families.put(family, with(before, line.substring(2, 6), text, line, openMetrics));
      } else {
        Sample sample = sample(line, openMetrics);
        check(sample.name().startsWith(family), "a sample of another family", line);
        SortedMap<String, String> identity = new TreeMap<>(sample.labels());
        identity.values().removeIf(String::isEmpty);
        check(series.add(List.of(sample.name(), identity)), "a series that comes twice", line);
        samples.add(sample);
      }
    }
    return new ParsedExposition(families, samples);
  }

  private static Comments with(
      Comments before, String keyword, String text, String line, boolean openMetrics) {
    switch (keyword) {
      case "TYPE" -> {
        check(before.type().isEmpty(), "TYPE comes twice", line);
        return new Comments(text, before.unit(), before.help());
      }
      case "UNIT" -> {
        check(before.unit().isEmpty() && openMetrics, "UNIT comes twice or in text", line);
        return new Comments(before.type(), text, before.help());
      }
      case "HELP" -> {
        check(before.help().isEmpty(), "HELP comes twice", line);
        return new Comments(before.type(), before.unit(), unescaped(text, openMetrics));
      }
      default -> throw new AssertionError("unknown comment: " + line);
    }
  }

  private static Sample sample(String line, boolean openMetrics) {
    SortedMap<String, String> labels = new TreeMap<>();
    boolean inBraces = line.startsWith("{");
    Name name = Name.at(line, inBraces ? 1 : 0, " {", METRIC_NAME);
    check(name.quoted() == inBraces, "a quoted name in braces expected, or one before them", line);
    int at = labels(line, name.end(), inBraces, labels);
    check(line.charAt(at) == ' ', "a space expected", line);
    int hash = line.indexOf(" # ", at);
    check(hash < 0 || openMetrics, "an exemplar in text", line);
    String value = number(line.substring(at + 1, hash < 0 ? line.length() : hash));
    return new Sample(name.text(), labels, value, hash < 0 ? null : exemplar(line, hash + 3));
  }

  private static Exemplar exemplar(String line, int start) {
    SortedMap<String, String> labels = new TreeMap<>();
    int at = start + 2;
    if (!line.startsWith("{}", start)) {
      at = labels(line, start, false, labels);
    }
    check(at > start && line.charAt(at) == ' ', "labels and a space expected", line);
    String[] parts = line.substring(at + 1).split(" ", -1);
    check(parts.length <= 2, "a value and a time expected", line);
    return new Exemplar(labels, number(parts[0]), parts.length == 1 ? "" : number(parts[1]));
  }

  /**
   * Reads labels, if there are any, and gives where they end.
   *
   * @param open whether a name stands in the braces before them
   */
  private static int labels(
      String line, int start, boolean open, SortedMap<String, String> labels) {
    boolean inBraces = open;
    int at = start;
    if (line.charAt(at) == (open ? ',' : '{')) {
      do {
        Name label = Name.at(line, at + 1, "=", LABEL_NAME);
        check(line.startsWith("=\"", label.end()), "a quote expected", line);
        int end = quoteEnd(line, label.end() + 2);
        String value = unescaped(line.substring(label.end() + 2, end), true);
        check(labels.put(label.text(), value) == null, "a label that stands twice", line);
        at = end + 1;
      } while (line.charAt(at) == ',');
      inBraces = true;
    }
    if (inBraces) {
      check(line.charAt(at) == '}', "a brace expected", line);
      at++;
    }
    return at;
  }

  private static String number(String text) {
    check(text.matches("[+-]?[0-9.]+(e[+-]?[0-9]+)?|NaN|[+-]Inf"), "a bad number", text);
    return text;
  }

  private static int quoteEnd(String line, int start) {
    int end = start;
    while (line.charAt(end) != '"') {
      end += line.charAt(end) == '\\' ? 2 : 1;
    }
    return end;
  }

  private static String unescaped(String text, boolean quotes) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      check(c != '"' || !quotes, "a quote that is not escaped", text);
      if (c == '\\') {
        i++;
        char escaped = text.charAt(i);
        check(escaped == '\\' || escaped == 'n' || (escaped == '"' && quotes), "escape", text);
        plain.append(escaped == 'n' ? '\n' : escaped);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static void check(boolean good, String what, String where) {
    if (!good) {
      throw new AssertionError(what + ": " + where);
    }
  }
}
