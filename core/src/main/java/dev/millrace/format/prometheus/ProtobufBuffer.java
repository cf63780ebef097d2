package dev.millrace.format.prometheus;

import dev.millrace.bytes.Varint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Protobuf in one piece of memory, for messages that are small or whose length must be known before
 * they are written elsewhere. Every varint and every length takes the fewest bytes.
 *
 * <p>The tag that a method takes is a field number and a wire type as {@link ProtobufSchema} puts
 * them together. Not thread-safe; {@link #clear} keeps the memory, so steady use allocates nothing.
 */
final class ProtobufBuffer {
  private static final int FIRST_CAPACITY_BYTES = 256;
  private static final int MAX_TAG_BYTES = 5;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[FIRST_CAPACITY_BYTES];
  private int lengthBytes;

  /** The memory; the first {@link #lengthBytes()} bytes are filled. */
  byte[] bytes() {
    return bytes;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  void clear() {
    lengthBytes = 0;
  }

  /** Empties the buffer and lets go of memory beyond what it had at first. */
  void release() {
    lengthBytes = 0;
    if (bytes.length > FIRST_CAPACITY_BYTES) {
      bytes = new byte[FIRST_CAPACITY_BYTES];
    }
  }

  /** How much memory the buffer holds. */
  int capacityBytes() {
    return bytes.length;
  }

  /** Writes a field of type {@code uint64}, {@code int64}, {@code uint32} or {@code enum}. */
  void writeVarint(int tag, long value) {
    reserve(MAX_TAG_BYTES + Varint.MAX_BYTES);
    int at = Varint.put(tag, bytes, lengthBytes);
    lengthBytes = Varint.put(value, bytes, at);
  }

  /** Writes a field of type {@code sint32} or {@code sint64}. */
  void writeZigZag(int tag, long value) {
    writeVarint(tag, (value << 1) ^ (value >> (Long.SIZE - 1)));
  }

  /** Writes a field of type {@code double}. */
  void writeDouble(int tag, double value) {
    reserve(MAX_TAG_BYTES + Double.BYTES);
    int at = Varint.put(tag, bytes, lengthBytes);
    LONGS.set(bytes, at, Double.doubleToRawLongBits(value));
    lengthBytes = at + Double.BYTES;
  }

  /** Writes a field of type {@code bytes}, or a {@code string} that is UTF-8 already. */
  void writeBytes(int tag, byte[] source, int offset, int sourceLengthBytes) {
    reserve(MAX_TAG_BYTES + Varint.MAX_BYTES);
    int at = Varint.put(tag, bytes, lengthBytes);
    lengthBytes = Varint.put(sourceLengthBytes, bytes, at);
    append(source, offset, sourceLengthBytes);
  }

  /** Appends whole fields that are protobuf already. */
  void append(byte[] source, int offset, int sourceLengthBytes) {
    reserve(sourceLengthBytes);
    System.arraycopy(source, offset, bytes, lengthBytes, sourceLengthBytes);
    lengthBytes += sourceLengthBytes;
  }

  /** Appends a varint without a tag. */
  void appendVarint(long value) {
    reserve(Varint.MAX_BYTES);
    lengthBytes = Varint.put(value, bytes, lengthBytes);
  }

  /**
   * Begins an embedded message.
   *
   * @return what {@link #end} has to be told
   */
  int begin(int tag) {
    reserve(MAX_TAG_BYTES + 1);
    // One byte for the length, which is enough for most messages here.
    lengthBytes = Varint.put(tag, bytes, lengthBytes) + 1;
    return lengthBytes;
  }

  /** Ends an embedded message: writes its length, for which longer messages are moved a little. */
  void end(int contentStart) {
    int contentBytes = lengthBytes - contentStart;
    int more = Varint.sizeOf(contentBytes) - 1;
    if (more > 0) {
      reserve(more);
      System.arraycopy(bytes, contentStart, bytes, contentStart + more, contentBytes);
      lengthBytes += more;
    }
    Varint.put(contentBytes, bytes, contentStart - 1);
  }

  private void reserve(int moreBytes) {
    int needed = lengthBytes + moreBytes;
    if (needed < 0) {
      throw new IllegalStateException(
          "expected less than 2 GiB in one message, found more; shorten the labels");
    }
    if (needed > bytes.length) {
      long doubled = Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
    }
  }
}
