package dev.millrace.export.http;

import dev.millrace.export.push.SendResult;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The header {@code Retry-After} of RFC 9110, section 10.2.3: seconds, or a date. */
final class RetryAfter {
  /** Longer ones would overflow sums of times; ten years is never. */
  static final long MAX_MILLIS = TimeUnit.DAYS.toMillis(3_650);

  private static final int MAX_DIGITS = 10;

  /** The three forms of a date that RFC 9110 (section 5.6.7) has a recipient take. */
  private static final List<DateTimeFormatter> DATES =
      List.of(
          DateTimeFormatter.RFC_1123_DATE_TIME,
          new DateTimeFormatterBuilder()
              .appendPattern("EEEE, dd-MMM-")
              .appendValueReduced(ChronoField.YEAR, 2, 2, 2000)
              .appendPattern(" HH:mm:ss 'GMT'")
              .toFormatter(Locale.US),
          DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US));

  private RetryAfter() {}

  /**
   * How long to wait.
   *
   * @param value the header's value
   * @param nowMillis the time of day in milliseconds since 1970
   * @return milliseconds, 0 or more, or {@link SendResult#NOT_SAID} where the value is neither form
   */
  static long millis(String value, long nowMillis) {
    String text = value.strip();
    if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return text.length() > MAX_DIGITS
          ? MAX_MILLIS
          : Math.min(MAX_MILLIS, Long.parseLong(text) * 1_000);
    }
    for (DateTimeFormatter form : DATES) {
      try {
        long at = LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC).toEpochMilli();
        return Math.max(0, Math.min(MAX_MILLIS, at - nowMillis));
      } catch (DateTimeException e) {
        // The next form.
      }
    }
    return SendResult.NOT_SAID;
  }
}
