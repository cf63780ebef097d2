package dev.millrace.store;

/** Reads trace and span ids from their hexadecimal text, without allocating. */
final class TraceIds {
  static final int TRACE_CHARS = 32;
  static final int SPAN_CHARS = 16;

  private static final int HALF_CHARS = 16;

  private TraceIds() {}

  /** Whether both are ids as W3C Trace Context writes them. */
  static boolean areValid(CharSequence traceId, CharSequence spanId) {
    return isHex(traceId, TRACE_CHARS) && isHex(spanId, SPAN_CHARS);
  }

  private static boolean isHex(CharSequence text, int length) {
    if (text == null || text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
        return false;
      }
    }
    return true;
  }

  static long high(CharSequence traceId) {
    return Long.parseUnsignedLong(traceId, 0, HALF_CHARS, 16);
  }

  static long low(CharSequence traceId) {
    return Long.parseUnsignedLong(traceId, HALF_CHARS, TRACE_CHARS, 16);
  }

  static long span(CharSequence spanId) {
    return Long.parseUnsignedLong(spanId, 0, SPAN_CHARS, 16);
  }
}
