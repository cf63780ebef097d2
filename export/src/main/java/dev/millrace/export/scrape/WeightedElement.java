package dev.millrace.export.scrape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One element of a header that lists preferences, as {@code Accept} and {@code Accept-Encoding} do
 * (RFC 9110, sections 12.4.2 and 5.6): a value, parameters, and a weight.
 *
 * @param value the part before the first semicolon, in lower case
 * @param parameters by their names in lower case, without {@code q}; of two with one name the first
 *     counts
 * @param weightMillis the weight {@code q} in thousandths, from 0 (refused) to 1000
 */
record WeightedElement(String value, Map<String, String> parameters, int weightMillis) {
  /**
   * How much of a header is read. Prometheus sends under 400 characters; what lies behind the bound
   * is as if it were not there, so that nobody can make the parser work for long.
   */
  static final int MAX_HEADER_CHARS = 8 * 1024;

  /** How many elements are read. Prometheus sends five or six. */
  static final int MAX_ELEMENTS = 64;

  /** How many parameters of one element are read. Prometheus sends up to five. */
  static final int MAX_PARAMETERS = 16;

  /** The weight of an element that names none. */
  static final int FULL_WEIGHT_MILLIS = 1000;

  /**
   * Reads a header. Never throws: an element that makes no sense is read as far as it does, and
   * matches nothing.
   *
   * @param header all lines of the header joined by commas, or {@code null} where there is none
   * @return the elements in the header's order
   */
  static List<WeightedElement> parse(@Nullable String header) {
    List<WeightedElement> elements = new ArrayList<>();
    if (header == null) {
      return elements;
    }
    Scanner scanner = new Scanner(header.substring(0, Math.min(header.length(), MAX_HEADER_CHARS)));
    while (scanner.hasMore() && elements.size() < MAX_ELEMENTS) {
      WeightedElement element = scanner.element();
      if (!element.value.isEmpty()) {
        elements.add(element);
      }
    }
    return elements;
  }

  /** Whether a parameter is absent, or present with this value. */
  boolean allows(String parameter, String expected) {
    String found = parameters.get(parameter);
    return found == null || found.equals(expected);
  }

  /** Whether a parameter is present with this value. */
  boolean has(String parameter, String expected) {
    return expected.equals(parameters.get(parameter));
  }

  /**
   * A weight in thousandths. One that is no number from 0 to 1 counts as full: a client that names
   * something wants it.
   */
  private static int weightMillis(String text) {
    if (text.isEmpty() || text.length() > 16) {
      return FULL_WEIGHT_MILLIS;
    }
    int dot = text.indexOf('.');
    String whole = dot < 0 ? text : text.substring(0, dot);
    String fraction = dot < 0 ? "" : text.substring(dot + 1);
    if (!fraction.chars().allMatch(c -> c >= '0' && c <= '9') || !whole.equals("0")) {
      return FULL_WEIGHT_MILLIS;
    }
    return Integer.parseInt((fraction + "000").substring(0, 3));
  }

  /** Reads elements from left to right. */
  private static final class Scanner {
    private final String text;
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    boolean hasMore() {
      return at < text.length();
    }

    /** Reads one element and the comma behind it. */
    WeightedElement element() {
      String value = token(';', ';').toLowerCase(Locale.ROOT);
      Map<String, String> parameters = Map.of();
      int weightMillis = FULL_WEIGHT_MILLIS;
      boolean weighted = false;
      while (takeIf(';')) {
        String name = token(';', '=').toLowerCase(Locale.ROOT);
        String parameter = takeIf('=') ? parameterValue() : "";
        if (name.equals("q")) {
          weightMillis = weighted ? weightMillis : weightMillis(parameter);
          weighted = true;
        } else if (!name.isEmpty() && parameters.size() < MAX_PARAMETERS) {
          if (parameters.isEmpty()) {
            parameters = new HashMap<>(8);
          }
          parameters.putIfAbsent(name, parameter);
        }
      }
      takeIf(',');
      return new WeightedElement(value, parameters, weightMillis);
    }

    private boolean takeIf(char expected) {
      if (at < text.length() && text.charAt(at) == expected) {
        at++;
        return true;
      }
      return false;
    }

    /** Reads up to a comma or one of two other ends, without the space around it. */
    private String token(char end, char otherEnd) {
      int from = at;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == ',' || c == end || c == otherEnd) {
          break;
        }
        at++;
      }
      return text.substring(from, at).strip();
    }

    private String parameterValue() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
      }
      if (!takeIf('"')) {
        return token(';', ';');
      }
      StringBuilder value = new StringBuilder();
      while (at < text.length() && text.charAt(at) != '"') {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        value.append(text.charAt(at++));
      }
      takeIf('"');
      // What stands between the quote and the next separator belongs to no parameter.
      String ignored = token(';', ';');
      return ignored.isEmpty() ? value.toString() : value + ignored;
    }
  }
}
