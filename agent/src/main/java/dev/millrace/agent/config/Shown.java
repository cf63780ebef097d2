package dev.millrace.agent.config;

import java.util.Collection;

/**
 * Texts of the file and names as they stand in a message: on one line, short, and harmless to a
 * terminal.
 */
final class Shown {
  /** Enough to recognise a value by. */
  private static final int MAX_TEXT_CHARS = 60;

  /** More names than this are a list that nobody reads. */
  private static final int MAX_NAMES = 12;

  private Shown() {}

  /** The text in quotes, cut if it is long. */
  static String quoted(String text) {
    return '"' + clean(text) + '"';
  }

  /**
   * The text without control, format and unpaired surrogate characters, which are escaped; cut if
   * it is long.
   */
  static String clean(String text) {
    return clean(text, MAX_TEXT_CHARS);
  }

  /** Like {@link #clean(String)}, cut after {@code maxChars}. */
  static String clean(String text, int maxChars) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      if (shown.length() >= maxChars) {
        return shown.append("...").toString();
      }
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      appendClean(shown, codePoint);
    }
    return shown.toString();
  }

  /** {@code expected: a} or {@code expected one of: a, b}. */
  static String expected(Collection<String> names) {
    StringBuilder text = new StringBuilder(names.size() == 1 ? "expected: " : "expected one of: ");
    int count = 0;
    for (String name : names) {
      if (count == MAX_NAMES) {
        return text.append(" and ").append(names.size() - MAX_NAMES).append(" more").toString();
      }
      text.append(count == 0 ? "" : ", ").append(clean(name));
      count++;
    }
    return text.toString();
  }

  /** {@code unknown WHAT "found"; expected one of: a, b; did you mean "a"?}. */
  static String unknown(String what, String found, Collection<String> known) {
    return "unknown "
        + what
        + " "
        + quoted(found)
        + "; "
        + expected(known)
        + Nearest.suggestion(found, known);
  }

  private static void appendClean(StringBuilder shown, int codePoint) {
    switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          appendEscaped(shown, codePoint);
      default -> shown.appendCodePoint(codePoint);
    }
  }

  private static void appendEscaped(StringBuilder shown, int codePoint) {
    switch (codePoint) {
      case '\n' -> shown.append("\\n");
      case '\r' -> shown.append("\\r");
      case '\t' -> shown.append("\\t");
      default -> shown.append("U+").append(hex(codePoint));
    }
  }

  /** The code point in at least four upper-case hexadecimal digits. */
  static String hex(int codePoint) {
    StringBuilder digits = new StringBuilder(6);
    for (int shift = 20; shift >= 0; shift -= 4) {
      int digit = (codePoint >> shift) & 0xF;
      if (digit != 0 || shift <= 12 || !digits.isEmpty()) {
        digits.append(Character.toUpperCase(Character.forDigit(digit, 16)));
      }
    }
    return digits.toString();
  }
}
