package dev.millrace.opentelemetry.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one exporter, wherever they stand. They go by the names of the declarative
 * configuration: words in snake case, and a dot between a group and what is in it. Each method
 * gives {@code null} for what is not set, and throws what {@link #invalid} makes for what cannot be
 * read.
 */
abstract class Settings {
  private static final String EXPERIMENTAL = "/development";

  abstract @Nullable String text(String name);

  abstract @Nullable Boolean flag(String name);

  abstract @Nullable Long wholeNumber(String name);

  abstract @Nullable Duration duration(String name);

  /** A list with something in it. */
  abstract @Nullable List<String> texts(String name);

  /**
   * The exception that tells a user of a setting that cannot be used.
   *
   * @param expected what would do
   * @param found what is there
   */
  abstract RuntimeException invalid(String name, String expected, String found);

  /** The exception that tells a user why what is set cannot be used; its message becomes part. */
  abstract RuntimeException unusable(RuntimeException cause);

  /** A whole number within bounds that are themselves allowed. */
  final @Nullable Long wholeNumber(String name, long least, long most) {
    Long number = wholeNumber(name);
    if (number != null && (number < least || number > most)) {
      throw invalid(name, "a whole number from " + least + " to " + most, Long.toString(number));
    }
    return number;
  }

  /**
   * One of a few words: the names of constants, in upper or lower case, with or without
   * underscores, so that what the Collector calls {@code NoTranslation} means the same here; and
   * with or without the suffix by which the schema of the declarative configuration marks those
   * that may still change.
   */
  final <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    String word =
        text.endsWith(EXPERIMENTAL)
            ? text.substring(0, text.length() - EXPERIMENTAL.length())
            : text;
    StringJoiner expected = new StringJoiner(", ", "one of ", "");
    for (E constant : type.getEnumConstants()) {
      if (constant.name().replace("_", "").equalsIgnoreCase(word.replace("_", ""))) {
        return constant;
      }
      expected.add(constant.name().toLowerCase(Locale.ROOT));
    }
    throw invalid(name, expected.toString(), text);
  }
}
