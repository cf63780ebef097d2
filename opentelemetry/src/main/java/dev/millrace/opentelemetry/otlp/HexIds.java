package dev.millrace.opentelemetry.otlp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes the ids of the SDK's span contexts, which are hexadecimal text of a fixed length, as
 * bytes. Stateless; nothing is allocated.
 */
final class HexIds {
  static final int TRACE_ID_BYTES = 16;
  static final int SPAN_ID_BYTES = 8;

  private static final int DIGITS_PER_LONG = 16;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private HexIds() {}

  /** Whether text can be a trace id; only then it may be written. */
  static boolean isTraceId(String text) {
    return text.length() == 2 * TRACE_ID_BYTES;
  }

  /** Whether text can be a span id; only then it may be written. */
  static boolean isSpanId(String text) {
    return text.length() == 2 * SPAN_ID_BYTES;
  }

  /** Writes {@link #TRACE_ID_BYTES} bytes. */
  static void putTraceId(String traceId, byte[] target, int offset) {
    LONGS.set(target, offset, parse(traceId, 0));
    LONGS.set(target, offset + Long.BYTES, parse(traceId, DIGITS_PER_LONG));
  }

  /** Writes {@link #SPAN_ID_BYTES} bytes. */
  static void putSpanId(String spanId, byte[] target, int offset) {
    LONGS.set(target, offset, parse(spanId, 0));
  }

  private static long parse(String hex, int from) {
    long bits = 0;
    for (int i = from; i < from + DIGITS_PER_LONG; i++) {
      char c = hex.charAt(i);
      // Letters have bit 6 and are numbered from 1: 'a' and 'A' are 10.
      bits = bits << 4 | ((c + (c >> 6) * 9) & 0xf);
    }
    return bits;
  }
}
