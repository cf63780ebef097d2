package dev.millrace.agent.config;

import java.util.List;
import java.util.Map;

/** Words of which one is to be chosen. */
final class ChoiceSyntax {
  private ChoiceSyntax() {}

  /** What is expected: all words. */
  static String expected(Map<String, ?> choices) {
    return choices.size() <= 2
        ? String.join(" or ", choices.keySet())
        : "one of " + String.join(", ", choices.keySet());
  }

  /** Reads one of the words, as it is written. */
  static <T> Parsed<T> parse(String text, Map<String, T> choices) {
    T chosen = choices.get(text);
    if (chosen != null) {
      return Parsed.of(chosen);
    }
    String nearest = Nearest.of(text, List.copyOf(choices.keySet()));
    String expected = expected(choices);
    return nearest == null
        ? Parsed.not(expected)
        : Parsed.not(expected, "did you mean " + Shown.quoted(nearest) + "?");
  }
}
