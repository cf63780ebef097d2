package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The name of a component or a pipeline: {@code type} or {@code type/name}, as in the OpenTelemetry
 * Collector. Immutable.
 *
 * @param type an ASCII letter, then at most 62 letters, digits and underscores
 * @param name tells components of one type apart; empty for the one without a name, otherwise at
 *     most 1024 characters, none of them white space, a control character or a symbol
 */
public record ComponentId(String type, String name) {
  private static final char SEPARATOR = '/';

  /** As in the OpenTelemetry Collector. */
  private static final int MAX_TYPE_CHARS = 63;

  /** As in the OpenTelemetry Collector. */
  private static final int MAX_NAME_CHARS = 1024;

  /**
   * Makes an id.
   *
   * @throws IllegalArgumentException if the type or the name is not of the form above
   */
  public ComponentId {
    requireNonNull(type, "type");
    requireNonNull(name, "name");
    if (!isType(type) || !(name.isEmpty() || isName(name))) {
      throw new IllegalArgumentException(
          "expected type or type/name, found " + Shown.quoted(type + SEPARATOR + name));
    }
  }

  /** The id in the text; null if the text is not one. */
  static @Nullable ComponentId parse(String text) {
    int separator = text.indexOf(SEPARATOR);
    String type = separator < 0 ? text : text.substring(0, separator);
    String name = separator < 0 ? "" : text.substring(separator + 1);
    return isType(type) && (separator < 0 || isName(name)) ? new ComponentId(type, name) : null;
  }

  private static boolean isType(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (i == 0 || (c != '_' && (c < '0' || c > '9')))) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MAX_TYPE_CHARS;
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.codePointCount(0, text.length()) <= MAX_NAME_CHARS
        && text.codePoints().allMatch(ComponentId::isNameChar);
  }

  /** Not of the Unicode categories Z, C and S. */
  private static boolean isNameChar(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL,
          Character.MODIFIER_SYMBOL,
          Character.OTHER_SYMBOL ->
          false;
      default -> true;
    };
  }

  // Written out because ids are the keys of the first maps that the agent makes: what a record has
  // by itself is linked
  // at run time, which takes longer than all the rest of reading a configuration.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ComponentId that && type.equals(that.type) && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + name.hashCode();
  }

  /** The id as a configuration file has it. */
  @Override
  public String toString() {
    return name.isEmpty() ? type : type + SEPARATOR + name;
  }
}
