package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.export.push.SendResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  /** 1994-11-06 08:49:37 GMT, the date of RFC 9110's examples. */
  private static final long EXAMPLE_MILLIS = 784_111_777_000L;

  @Test
  void seconds() {
    assertThat(RetryAfter.millis("0", 5)).isZero();
    assertThat(RetryAfter.millis(" 120 ", 5)).isEqualTo(120_000);
    assertThat(RetryAfter.millis("9999999999", 5)).isEqualTo(RetryAfter.MAX_MILLIS);
    assertThat(RetryAfter.millis("99999999999999999999", 5)).isEqualTo(RetryAfter.MAX_MILLIS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"})
  void dates(String text) {
    assertThat(RetryAfter.millis(text, EXAMPLE_MILLIS - 7_000)).isEqualTo(7_000);
    assertThat(RetryAfter.millis(text, EXAMPLE_MILLIS + 7_000)).isZero();
  }

  @Test
  void aDateWithTwoDigitsOfTheYear() {
    long at = EXAMPLE_MILLIS + 1_009_843_200_000L; // 32 years of 365.25 days: the same weekday.
    assertThat(RetryAfter.millis("Friday, 06-Nov-26 08:49:37 GMT", at - 9_000)).isEqualTo(9_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5", "soon", "Sun, 06 Nov", "\u0661"})
  void anythingElseIsNotSaid(String text) {
    assertThat(RetryAfter.millis(text, 5)).isEqualTo(SendResult.NOT_SAID);
  }
}
