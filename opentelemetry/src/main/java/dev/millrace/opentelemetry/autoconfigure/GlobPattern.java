package dev.millrace.opentelemetry.autoconfigure;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists of names with wildcards, as the schema of the declarative configuration has them: {@code *}
 * stands for any number of characters, none included, and {@code ?} for one.
 */
final class GlobPattern {
  private GlobPattern() {}

  /**
   * Selects names.
   *
   * @param included patterns of what is selected; {@code null} for everything
   * @param excluded patterns of what is not, even where it is included; {@code null} for none
   */
  static Predicate<String> selecting(
      @Nullable List<String> included, @Nullable List<String> excluded) {
    Predicate<String> in = included == null ? name -> true : anyOf(included);
    return excluded == null ? in : in.and(anyOf(excluded).negate());
  }

  private static Predicate<String> anyOf(List<String> globs) {
    return globs.stream()
        .map(GlobPattern::matching)
        .reduce(Predicate::or)
        .orElseThrow(() -> new IllegalArgumentException("expected patterns, found an empty list"));
  }

  private static Predicate<String> matching(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).asMatchPredicate();
  }
}
