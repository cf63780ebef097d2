package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.translation.NameEscaping;
import dev.millrace.format.translation.NameText;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NameEscapingTest {
  @ParameterizedTest
  @CsvSource({
    "metric.name/with/slashes, metric_name_with_slashes,"
        + " metric_dot_name__with__slashes, U__metric_2e_name_2f_with_2f_slashes",
    "metric.name.with.dots, metric_name_with_dots,"
        + " metric_dot_name_dot_with_dot_dots, U__metric_2e_name_2e_with_2e_dots",
    "metric.name, metric_name, metric_dot_name, U__metric_2e_name",
    "job:rate_5m, job:rate_5m, job:rate__5m, job:rate_5m",
    "plain, plain, plain, plain",
    "a.b_total, a_b_total, a_dot_b__total, U__a_2e_b__total",
    "a.b:c, a_b:c, a_dot_b:c, U__a_2e_b:c",
    "2xx, _xx, __xx, U___32_xx",
    "x2, x2, x2, x2",
    "_, _, __, _",
    "花火, __, ____, U___82b1__706b_",
    "queue 😱, queue__, queue____, U__queue_20__1f631_",
    "Ā, _, __, U___100_",
    "\uFFFD, _, __, U___fffd_",
    "_dot_, _dot_, __dot__, _dot_",
    "U__x, U__x, U____x, U__x"
  })
  void namesOfMetrics(String name, String underscores, String dots, String values) {
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.UNDERSCORES, true))
        .isEqualTo(underscores);
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.DOTS, true)).isEqualTo(dots);
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.VALUES, true)).isEqualTo(values);
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.ALLOW_UTF_8, true)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "a:b, a_b, a__b, U__a_3a_b",
    "a.b, a_b, a_dot_b, U__a_2e_b",
    "a_b, a_b, a__b, a_b",
  })
  void aColonInALabelIsACharacterLikeAnyOther(
      String name, String underscores, String dots, String values) {
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.UNDERSCORES, false))
        .isEqualTo(underscores);
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.DOTS, false)).isEqualTo(dots);
    assertThat(NameEscaping.escape(name, NameEscaping.Scheme.VALUES, false)).isEqualTo(values);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ALLOW_UTF_8")
  void anyNameBecomesOneThatAllScrapersRead(NameEscaping.Scheme scheme) {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50_000; i++) {
      String name = generated(random);
      assertThat(NameEscaping.escape(name, scheme, true)).matches("[a-zA-Z_:][a-zA-Z0-9_:]*");
      assertThat(NameEscaping.escape(name, scheme, false)).matches("[a-zA-Z_][a-zA-Z0-9_]*");
    }
  }

  @Test
  void valuesCanBeReadBack() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 50_000; i++) {
      String name = generated(random);
      String escaped = NameEscaping.escape(name, NameEscaping.Scheme.VALUES, true);
      if (!name.startsWith("U__")) {
        assertThat(unescaped(escaped)).as("case %d: %s", i, escaped).isEqualTo(name);
      }
    }
  }

  @Test
  void everyCharacterCanBeReadBack() {
    for (int character = 0; character <= Character.MAX_CODE_POINT; character++) {
      if (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE) {
        String name = "x" + Character.toString(character);
        String escaped = NameEscaping.escape(name, NameEscaping.Scheme.VALUES, false);
        if (!unescaped(escaped).equals(name)) {
          throw new AssertionError(escaped + " does not give U+" + Integer.toHexString(character));
        }
      }
    }
  }

  @Test
  void namesInQuotesCanBeReadBack() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 50_000; i++) {
      String name = generated(random);
      String written = new String(NameText.label(name), UTF_8);
      if (written.startsWith("\"")) {
        assertThat(written).matches("(?s)\"([^\"\\\\\n]|\\\\[\"\\\\n])*\"");
        String plain =
            Pattern.compile("\\\\(.)")
                .matcher(written.substring(1, written.length() - 1))
                .replaceAll(
                    found ->
                        found.group(1).equals("n") ? "\n" : found.group(1).replace("\\", "\\\\"));
        assertThat(plain).as("case %d", i).isEqualTo(name);
      } else {
        assertThat(written).isEqualTo(name).matches("[a-zA-Z_][a-zA-Z0-9_]*");
      }
    }
  }

  private static String unescaped(String escaped) {
    if (!escaped.startsWith("U__")) {
      return escaped;
    }
    return Pattern.compile("__|_([0-9a-f]+)_")
        .matcher(escaped.substring("U__".length()))
        .replaceAll(
            found ->
                found.group(1) == null
                    ? "_"
                    : java.util.regex.Matcher.quoteReplacement(
                        Character.toString(Integer.parseInt(found.group(1), 16))));
  }

  /** A name of a few characters, most of them such as mean something in one scheme or another. */
  private static String generated(SplittableRandom random) {
    String hostile = "ab_.:2U\"\\\n {},=é花";
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      int character = random.nextInt(Character.MAX_CODE_POINT + 1);
      boolean surrogate =
          character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
      if (surrogate || random.nextInt(4) > 0) {
        name.append(hostile.charAt(random.nextInt(hostile.length())));
      } else {
        name.appendCodePoint(character);
      }
    }
    return name.toString();
  }
}
