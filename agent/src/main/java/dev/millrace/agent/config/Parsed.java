package dev.millrace.agent.config;

import org.jspecify.annotations.Nullable;

/**
 * What came of reading a text: a value, or what was expected and what to do about it. Says nothing
 * of the text itself, which may be a secret.
 *
 * @param value the value; null if the text was not one
 * @param expected what was expected; empty if there is a value
 * @param hint what to do, beginning with {@code "; "}; or empty
 */
record Parsed<T>(@Nullable T value, String expected, String hint) {
  static <T> Parsed<T> of(T value) {
    return new Parsed<>(value, "", "");
  }

  static <T> Parsed<T> not(String expected) {
    return new Parsed<>(null, expected, "");
  }

  static <T> Parsed<T> not(String expected, String hint) {
    return new Parsed<>(null, expected, "; " + hint);
  }
}
