package dev.millrace.format.translation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * 128 bits of a keyed hash of bytes. With random keys nobody can make two texts that pass for one,
 * and with fixed ones the hash of a text is the same in every process. Not thread-safe.
 */
public final class KeyedHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Odd constants with about as many ones as zeros, as multiplicative hashes need them. */
  private static final long MULTIPLIER_1 = 0x9e3779b97f4a7c15L;

  private static final long MULTIPLIER_2 = 0xc2b2ae3d27d4eb4fL;

  private final long key1;
  private final long key2;
  private long hash1;
  private long hash2;

  private KeyedHash(long key1, long key2) {
    this.key1 = key1;
    this.key2 = key2;
  }

  /** A hash with other keys each time. */
  public static KeyedHash withRandomKeys() {
    SplittableRandom random = new SplittableRandom();
    return new KeyedHash(random.nextLong(), random.nextLong());
  }

  /** A hash with the same keys in every process. */
  public static KeyedHash withFixedKeys() {
    return new KeyedHash(MULTIPLIER_2, MULTIPLIER_1);
  }

  /** Hashes a text. */
  public void of(byte[] bytes, int offset, int lengthBytes) {
    long h1 = key1 ^ lengthBytes * MULTIPLIER_2;
    long h2 = key2 + lengthBytes * MULTIPLIER_1;
    int at = offset;
    int end = offset + lengthBytes;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long word = (long) LONGS.get(bytes, at);
      h1 = step1(h1, word);
      h2 = step2(h2, word);
    }
    long rest = 0;
    for (int shift = 0; at < end; at++, shift += 8) {
      rest |= (bytes[at] & 0xffL) << shift;
    }
    hash1 = finish(step1(h1, rest));
    hash2 = finish(step2(h2, rest));
  }

  /** The first half of the hash of the last text. */
  public long first() {
    return hash1;
  }

  /** The second half. */
  public long second() {
    return hash2;
  }

  private static long step1(long hash, long word) {
    long h = (hash ^ word) * MULTIPLIER_1;
    return h ^ h >>> 32;
  }

  private static long step2(long hash, long word) {
    return Long.rotateLeft(hash + word * MULTIPLIER_2, 29) * MULTIPLIER_1;
  }

  private static long finish(long hash) {
    long h = (hash ^ hash >>> 33) * MULTIPLIER_2;
    return h ^ h >>> 29;
  }
}
