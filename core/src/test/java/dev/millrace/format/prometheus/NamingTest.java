package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names by strategy and scheme. */
class NamingTest {
  /** The table of the specification, and the schemes that it does not show. */
  @ParameterizedTest
  @CsvSource({
    "UNDERSCORE_ESCAPING_WITH_SUFFIXES, UNDERSCORES, foo_bar_bytes_total",
    "UNDERSCORE_ESCAPING_WITH_SUFFIXES, ALLOW_UTF_8, foo_bar_bytes_total",
    "UNDERSCORE_ESCAPING_WITH_SUFFIXES, VALUES, foo_bar_bytes_total",
    "UNDERSCORE_ESCAPING_WITH_SUFFIXES, DOTS, foo__bar__bytes__total",
    "UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES, UNDERSCORES, foo_bar",
    "UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES, ALLOW_UTF_8, foo_bar",
    "UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES, VALUES, foo_bar",
    "UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES, DOTS, foo__bar",
    "NO_UTF8_ESCAPING_WITH_SUFFIXES, UNDERSCORES, foo_bar_bytes_total",
    "NO_UTF8_ESCAPING_WITH_SUFFIXES, ALLOW_UTF_8, foo.bar_bytes_total",
    "NO_UTF8_ESCAPING_WITH_SUFFIXES, VALUES, U__foo_2e_bar__bytes__total",
    "NO_UTF8_ESCAPING_WITH_SUFFIXES, DOTS, foo_dot_bar__bytes__total",
    "NO_TRANSLATION, UNDERSCORES, foo_bar",
    "NO_TRANSLATION, ALLOW_UTF_8, foo.bar",
    "NO_TRANSLATION, VALUES, U__foo_2e_bar",
    "NO_TRANSLATION, DOTS, foo_dot_bar"
  })
  void aCounterInBytes(TranslationStrategy strategy, EscapingScheme escaping, String expected) {
    assertThat(named("foo.bar", "By", FamilyType.COUNTER, strategy, escaping).sample())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "foo_total, '', COUNTER, foo_total",
    "foo.total, '', COUNTER, foo_total",
    "foo.total, By, COUNTER, foo_bytes_total",
    "subtotal, '', COUNTER, subtotal_total",
    "a:total, '', COUNTER, a:total_total",
    "_total, '', COUNTER, _total",
    "total, '', COUNTER, total_total",
    "foo.bytes, By, GAUGE, foo.bytes",
    "foo_bytes, By, GAUGE, foo_bytes",
    "megabytes, By, GAUGE, megabytes_bytes",
    "größebytes, By, GAUGE, größebytes_bytes",
    "größe, By, GAUGE, größe_bytes",
    "bytes, By, GAUGE, bytes",
    "a..b--c, '', GAUGE, a..b--c",
    "2xx, '', GAUGE, 2xx",
    "請求, '', COUNTER, 請求_total",
    "latency, µs, GAUGE, latency_µs",
    "rate, By/s, GAUGE, rate_bytes_per_second",
    "queue, {request}, GAUGE, queue",
    "build.info, s, INFO, build_info",
    "feature.flag, s, STATESET, feature.flag",
    "foo, s, HISTOGRAM, foo_seconds"
  })
  void suffixesComeAfterNamesThatAreNotEscaped(
      String name, String unit, FamilyType type, String expected) {
    TranslationStrategy strategy = TranslationStrategy.NO_UTF8_ESCAPING_WITH_SUFFIXES;
    assertThat(named(name, unit, type, strategy, EscapingScheme.ALLOW_UTF_8).sample())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "foo.bar, foo_bar, foo.bar",
    "a..b--c, a_b_c, a..b--c",
    "foo_total, foo_total, foo_total",
    "2xx, _2xx, 2xx",
    "a__b_, a_b, a__b_"
  })
  void withoutSuffixesNamesAreAsTheyAre(String name, String underscores, String utf8) {
    assertThat(
            named(
                    name,
                    "s",
                    FamilyType.COUNTER,
                    TranslationStrategy.UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES,
                    EscapingScheme.ALLOW_UTF_8)
                .sample())
        .isEqualTo(underscores);
    assertThat(
            named(
                    name,
                    "s",
                    FamilyType.COUNTER,
                    TranslationStrategy.NO_TRANSLATION,
                    EscapingScheme.ALLOW_UTF_8)
                .sample())
        .isEqualTo(utf8);
  }

  @ParameterizedTest
  @CsvSource({
    "foo_total, COUNTER, foo, _total",
    "foo, COUNTER, foo, ''",
    "_total, COUNTER, _total, ''",
    "foo_total, GAUGE, foo_total, ''",
    "build_info, INFO, build, _info",
    "build, INFO, build, ''",
    "h, HISTOGRAM, h, ''"
  })
  void aSuffixIsOneWhereTheNameHasIt(String name, FamilyType type, String base, String suffix) {
    MetricName named =
        named(name, "", type, TranslationStrategy.NO_TRANSLATION, EscapingScheme.ALLOW_UTF_8);
    assertThat(named).isEqualTo(new MetricName(base, suffix, ""));
  }

  @ParameterizedTest
  @CsvSource({
    "foo, s, ALLOW_UTF_8, seconds",
    "foo.seconds, s, ALLOW_UTF_8, ''",
    "foo.seconds, s, UNDERSCORES, seconds",
    "foo, µs, ALLOW_UTF_8, ''",
    "foo, s, DOTS, ''",
    "my.foo, s, VALUES, ''",
    "foo, s, VALUES, seconds"
  })
  void theUnitIsShownWhereTheFamilysNameEndsInIt(
      String name, String unit, EscapingScheme escaping, String expected) {
    TranslationStrategy strategy = TranslationStrategy.NO_UTF8_ESCAPING_WITH_SUFFIXES;
    assertThat(named(name, unit, FamilyType.COUNTER, strategy, escaping).unit())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "NO_TRANSLATION, ALLOW_UTF_8, my.key, my.key",
    "NO_TRANSLATION, UNDERSCORES, my.key, my_key",
    "NO_TRANSLATION, DOTS, my.key, my_dot_key",
    "NO_TRANSLATION, VALUES, my.key, U__my_2e_key",
    "NO_UTF8_ESCAPING_WITH_SUFFIXES, ALLOW_UTF_8, my..key, my..key",
    "NO_TRANSLATION, ALLOW_UTF_8, a:b, a:b",
    "NO_TRANSLATION, UNDERSCORES, a:b, a_b",
    "NO_TRANSLATION, ALLOW_UTF_8, '', key",
    "NO_TRANSLATION, ALLOW_UTF_8, __x, __x",
    "NO_TRANSLATION, ALLOW_UTF_8, __name__, key__name__",
    "NO_TRANSLATION, UNDERSCORES, ..name--, key__name__",
    "NO_TRANSLATION, VALUES, __name__, key__name__",
    "NO_TRANSLATION, DOTS, __name__, ____name____",
    "NO_TRANSLATION, UNDERSCORES, 2xx, _xx",
    "UNDERSCORE_ESCAPING_WITH_SUFFIXES, DOTS, my.key, my__key",
    "UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES, VALUES, my.key, my_key",
    "UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES, ALLOW_UTF_8, __name__, key_name_"
  })
  void labels(TranslationStrategy strategy, EscapingScheme escaping, String key, String expected) {
    assertThat(PrometheusFormats.naming(strategy, escaping).label(key.getBytes(UTF_8)))
        .isEqualTo(expected);
  }

  private static MetricName named(
      String name,
      String unit,
      FamilyType type,
      TranslationStrategy strategy,
      EscapingScheme escaping) {
    MetricDescriptor descriptor =
        new MetricDescriptor(name, "", unit, MetricKind.GAUGE, false, Temporality.UNSPECIFIED);
    MetricName named = PrometheusFormats.naming(strategy, escaping).metric(descriptor, type);
    if (named == null) {
      throw new AssertionError("expected a name for " + name + ", found none");
    }
    return named;
  }
}
