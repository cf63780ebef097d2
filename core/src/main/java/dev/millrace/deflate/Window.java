package dev.millrace.deflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes that an encoder works on: what repeats may point back to, and what is not yet encoded.
 *
 * <pre>
 * offset    bytes
 *      0        8   slack
 *      8   32,768   history, less of it at the start of a stream
 * 32,776   65,536   input
 * 98,312       64   slack, so that words can be read at and after the end
 * </pre>
 *
 * <p>Words are little-endian: the first byte is the lowest.
 */
final class Window {
  static final int HISTORY_BYTES = Rfc1951.MAX_DISTANCE_BYTES;

  /** A chunk's worth, so that a full chunk of text is taken in one step and encoded in a few. */
  static final int INPUT_BYTES = 64 * 1024;

  static final int START = Long.BYTES;
  static final int END = START + HISTORY_BYTES + INPUT_BYTES;

  private static final int SLACK_BYTES = 64;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Window() {}

  static byte[] allocate() {
    return new byte[END + SLACK_BYTES];
  }

  static long getLong(byte[] bytes, int offset) {
    return (long) LONGS.get(bytes, offset);
  }

  static void putLong(byte[] bytes, int offset, long value) {
    LONGS.set(bytes, offset, value);
  }
}
