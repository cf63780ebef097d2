package dev.millrace.format.prometheus;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of names that have other characters than the letters, digits and underscores that
 * every Prometheus knows (Prometheus documentation, "UTF-8 metric and label name escaping
 * schemes"). The scraper chooses; one that says nothing gets {@link #UNDERSCORES}.
 */
public enum EscapingScheme {
  /** Names stay as they are, in quotes where they need them. */
  ALLOW_UTF_8("allow-utf-8"),

  /** Each other character becomes {@code _}. */
  UNDERSCORES("underscores"),

  /** A dot becomes {@code _dot_}, an underscore and each other character {@code __}. */
  DOTS("dots"),

  /**
   * A name with other characters begins with {@code U__}, and each of them becomes its code point
   * in hexadecimal between underscores; an underscore in it becomes {@code __}.
   */
  VALUES("values");

  private final String headerValue;

  EscapingScheme(String headerValue) {
    this.headerValue = headerValue;
  }

  /** The value of the parameter {@code escaping} in the headers of requests and replies. */
  public String headerValue() {
    return headerValue;
  }

  /**
   * The scheme that a header names.
   *
   * @param value the value of the parameter {@code escaping}
   * @return {@code null} where the value names none
   */
  public static @Nullable EscapingScheme ofHeaderValue(String value) {
    for (EscapingScheme scheme : values()) {
      if (scheme.headerValue.equals(value)) {
        return scheme;
      }
    }
    return null;
  }
}
