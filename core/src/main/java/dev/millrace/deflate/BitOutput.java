package dev.millrace.deflate;

import dev.millrace.bytes.ChunkWriter;

/**
 * The bits that leave an encoder, low bit first.
 *
 * <p>Up to seven bits wait until their byte is full. Each write stores eight bytes, of which the
 * next one overwrites what is not yet full: no branch asks how many bytes are.
 */
final class BitOutput {
  private final byte[] bytes;
  private int at;
  private long bits;
  private int held;
  private int markedAt;
  private long markedBits;
  private int markedHeld;

  /** Room for so many bytes between two calls of {@link #drainTo}. */
  BitOutput(int maxBytes) {
    bytes = new byte[maxBytes + Long.BYTES];
  }

  void clear() {
    at = 0;
    bits = 0;
    held = 0;
  }

  /**
   * Writes bits.
   *
   * @param value has no bit set above the lowest {@code count}
   * @param count 0 to 57: with those that wait they fill a long
   */
  void put(long value, int count) {
    long all = bits | (value << held);
    int allHeld = held + count;
    Window.putLong(bytes, at, all);
    at += allHeld >>> 3;
    bits = all >>> (allHeld & ~7);
    held = allHeld & 7;
  }

  /** Writes all pieces. */
  void put(Pieces pieces) {
    final long[] all = pieces.all;
    final byte[] to = bytes;
    int offset = at;
    long waiting = bits;
    int waitingBits = held;
    for (int i = 0, count = pieces.count; i < count; i++) {
      long piece = all[i];
      waiting |= Pieces.code(piece) << waitingBits;
      waitingBits += Pieces.bits(piece);
      Window.putLong(to, offset, waiting);
      offset += waitingBits >>> 3;
      waiting >>>= waitingBits & ~7;
      waitingBits &= 7;
    }
    at = offset;
    bits = waiting;
    held = waitingBits;
  }

  /** Fills the last byte with zero bits. */
  void alignToByte() {
    put(0, -held & 7);
  }

  /** Copies whole bytes; the output stands at the start of a byte. */
  void putBytes(byte[] source, int offset, int lengthBytes) {
    System.arraycopy(source, offset, bytes, at, lengthBytes);
    at += lengthBytes;
  }

  /** Remembers this place. */
  void mark() {
    markedAt = at;
    markedBits = bits;
    markedHeld = held;
  }

  /** Forgets what was written since {@link #mark}. */
  void rollBack() {
    at = markedAt;
    bits = markedBits;
    held = markedHeld;
  }

  /** How many bits were written since {@link #mark}. */
  long bitsSinceMark() {
    return 8L * (at - markedAt) + held - markedHeld;
  }

  /** Hands on all full bytes. */
  void drainTo(ChunkWriter out) {
    int lengthBytes = at;
    at = 0;
    out.write(bytes, 0, lengthBytes);
  }
}
