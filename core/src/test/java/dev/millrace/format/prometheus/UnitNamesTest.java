package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.translation.NamingStrategy;
import dev.millrace.format.translation.UnitNames;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitNamesTest {
  private static final NamingStrategy NAMES = new NamingStrategy(true, true);

  @ParameterizedTest
  @CsvSource({
    "d, days",
    "h, hours",
    "min, minutes",
    "s, seconds",
    "ms, milliseconds",
    "us, microseconds",
    "ns, nanoseconds",
    "By, bytes",
    "KiBy, kibibytes",
    "MiBy, mebibytes",
    "GiBy, gibibytes",
    "TiBy, tebibytes",
    "kBy, kilobytes",
    "MBy, megabytes",
    "GBy, gigabytes",
    "TBy, terabytes",
    "m, meters",
    "V, volts",
    "A, amperes",
    "J, joules",
    "W, watts",
    "g, grams",
    "Cel, celsius",
    "Hz, hertz",
    "%, percent"
  })
  void unitsOfTheSpecificationsTableBecomeTheirWords(String unit, String word) {
    assertThat(UnitNames.of(unit, NAMES)).isEqualTo(word);
  }

  @ParameterizedTest
  @CsvSource({
    "By/s, bytes_per_second",
    "m/s, meters_per_second",
    "1/s, per_second",
    "{request}/s, per_second",
    "J/m, joules_per_minute",
    "By/min, bytes_per_minute",
    "V/h, volts_per_hour",
    "g/d, grams_per_day",
    "g/wk, grams_per_week",
    "g/mo, grams_per_month",
    "g/a, grams_per_year",
    "By/ms, bytes_per_millisecond",
    "m/s2, meters_per_s2",
    "m/s^2, meters_per_s_2",
    "By/{request}, bytes",
    "By/1, bytes"
  })
  void ratesBecomeWords(String unit, String words) {
    assertThat(UnitNames.of(unit, NAMES)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "By{compressed}, bytes",
    "{a}By, bytes",
    "By{compressed}/s{mean}, bytes_per_second",
    "By{open, bytes",
    "By}, By",
    "' s ', seconds"
  })
  void annotationsAreDropped(String unit, String word) {
    assertThat(UnitNames.of(unit, NAMES)).isEqualTo(word);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "{request}", "{a}{b}", "{", "{a}/{b}", "/", "°", "^^"})
  void unitsThatSayNothingHaveNoWord(String unit) {
    assertThat(UnitNames.of(unit, NAMES)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "requests, requests",
    "custom__unit, custom_unit",
    "°C, C",
    "unit@with#special/chars, unit_with_special_per_chars",
    "a/b/c, a_per_b_c"
  })
  void otherUnitsKeepTheirLetters(String unit, String word) {
    assertThat(UnitNames.of(unit, NAMES)).isEqualTo(word);
  }
}
