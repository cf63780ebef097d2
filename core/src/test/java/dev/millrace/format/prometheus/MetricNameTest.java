package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.format.translation.Naming;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricNameTest {
  private static final Naming NAMING =
      PrometheusFormats.naming(
          TranslationStrategy.UNDERSCORE_ESCAPING_WITH_SUFFIXES, EscapingScheme.UNDERSCORES);

  @ParameterizedTest
  @CsvSource({
    "x, '', x",
    "http.server.duration, s, http_server_duration_seconds",
    "d_seconds, s, d_seconds",
    "d.seconds, s, d_seconds",
    "seconds.since, s, seconds_since_seconds",
    "milliseconds, s, milliseconds_seconds",
    "seconds, s, seconds",
    "load, 1, load",
    "cpu_ratio, 1, cpu_ratio",
    "queue, {request}, queue",
    "throughput, By/s, throughput_bytes_per_second",
    "throughput_bytes_per_second, By/s, throughput_bytes_per_second",
    "a..b--c, '', a_b_c",
    "a__b, '', a_b",
    "_x_, '', x",
    "2xx, '', _2xx",
    "2xx, s, _2xx_seconds",
    "a:b, '', a:b",
    "naïve.größe, By, na_ve_gr_e_bytes",
    "x_total, '', x_total"
  })
  void gauges(String name, String unit, String expected) {
    MetricName named = named(name, unit, FamilyType.GAUGE);
    assertThat(named.base()).isEqualTo(expected);
    assertThat(named.sample()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "x, '', x_total",
    "x_total, '', x_total",
    "x.total, '', x_total",
    "x_total, s, x_seconds_total",
    "x_seconds_total, s, x_seconds_total",
    "x_total_seconds, s, x_total_seconds_total",
    "a_total_b, '', a_total_b_total",
    "items, 1, items_total",
    "total, '', total_total",
    "2, '', _2_total"
  })
  void counters(String name, String unit, String expected) {
    assertThat(named(name, unit, FamilyType.COUNTER).sample()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"build, s, build_info", "build_info, '', build_info", "build.info, By, build_info"})
  void infosHaveNoUnit(String name, String unit, String expected) {
    MetricName named = named(name, unit, FamilyType.INFO);
    assertThat(named.sample()).isEqualTo(expected);
    assertThat(named.unit()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "x, s, seconds",
    "x_seconds, s, seconds",
    "seconds, s, ''",
    "x, '', ''",
    "x, By/s, bytes_per_second"
  })
  void theUnitIsKnownOnlyWhereTheNameEndsInIt(String name, String unit, String expected) {
    assertThat(named(name, unit, FamilyType.GAUGE).unit()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "_", "...", "請求", "\uD83D\uDE00"})
  void aNameWithoutLettersIsNone(String name) {
    assertThat(NAMING.metric(descriptor(name, "s"), FamilyType.COUNTER)).isNull();
  }

  private static MetricName named(String name, String unit, FamilyType type) {
    MetricName named = NAMING.metric(descriptor(name, unit), type);
    if (named == null) {
      throw new AssertionError("expected a name for " + name + ", found none");
    }
    return named;
  }

  private static MetricDescriptor descriptor(String name, String unit) {
    return new MetricDescriptor(name, "", unit, MetricKind.GAUGE, false, Temporality.UNSPECIFIED);
  }
}
