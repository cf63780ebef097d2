package dev.millrace.agent.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The {@code Date} header (RFC 9110, section 5.6.7), made once a second. Thread-safe; two threads
 * that find it old both make it.
 */
final class HttpDate {
  private record Second(long unixSeconds, String text) {}

  private final DateTimeFormatter format =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private volatile Second last = new Second(Long.MIN_VALUE, "");

  /** The date now. */
  String now() {
    long unixSeconds = System.currentTimeMillis() / 1_000;
    Second second = last;
    if (second.unixSeconds != unixSeconds) {
      second = new Second(unixSeconds, format.format(Instant.ofEpochSecond(unixSeconds)));
      last = second;
    }
    return second.text;
  }
}
