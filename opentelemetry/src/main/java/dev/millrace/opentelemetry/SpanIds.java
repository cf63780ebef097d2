package dev.millrace.opentelemetry;

/**
 * Reads the ids of the SDK's span contexts, which are hexadecimal text of a fixed length, as
 * numbers. Stateless; nothing is allocated.
 */
final class SpanIds {
  private static final int DIGITS = 16;

  private SpanIds() {}

  /** The first half of a trace id; 0 for text that is no id. */
  static long traceIdHigh(String traceId) {
    return traceId.length() == 2 * DIGITS ? parse(traceId, 0) : 0;
  }

  /** The second half of a trace id; 0 for text that is no id. */
  static long traceIdLow(String traceId) {
    return traceId.length() == 2 * DIGITS ? parse(traceId, DIGITS) : 0;
  }

  /** A span id; 0 for text that is no id. */
  static long spanId(String spanId) {
    return spanId.length() == DIGITS ? parse(spanId, 0) : 0;
  }

  private static long parse(String hex, int from) {
    long bits = 0;
    for (int i = from; i < from + DIGITS; i++) {
      char c = hex.charAt(i);
      int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
      bits = bits << 4 | (digit & 0xf);
    }
    return bits;
  }
}
