package dev.millrace.bytes;

/** Protobuf's variable-length numbers, in the fewest bytes. Stateless. */
public final class Varint {
  /** The most bytes that one takes. */
  public static final int MAX_BYTES = 10;

  private Varint() {}

  /** How many bytes a number takes, from 1 to {@link #MAX_BYTES}; it is unsigned. */
  public static int sizeOf(long value) {
    return (Long.SIZE + 6 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /**
   * Writes a number into an array that has room, and gives the offset after it.
   *
   * @param value unsigned
   */
  public static int put(long value, byte[] target, int offset) {
    int at = offset;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    return at;
  }
}
