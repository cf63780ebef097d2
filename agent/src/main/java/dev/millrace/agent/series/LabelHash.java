package dev.millrace.agent.series;

import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes attributes so that their order does not matter: the hash of a set is the sum of the hashes
 * of its labels. So a set is found from the bytes that it arrived in, whatever their order, without
 * building {@link Labels} first.
 *
 * <p>The seed is secret and differs from table to table, so that a sender cannot choose labels that
 * all fall into one place of a table. Immutable and thread-safe.
 */
public final class LabelHash {
  private static final long FACTOR_1 = 0x9e37_79b9_7f4a_7c15L;
  private static final long FACTOR_2 = 0xd1b5_4a32_d192_ed03L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final long seed;

  LabelHash(long seed) {
    this.seed = seed;
  }

  /** The hash of some bytes. */
  public long ofBytes(byte[] bytes, int offset, int lengthBytes) {
    long hash = mix(seed ^ lengthBytes);
    int at = offset;
    int end = offset + lengthBytes;
    while (end - at >= Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
      at += Long.BYTES;
    }
    return at == end ? hash : mix(hash ^ rest(bytes, offset, at, end));
  }

  /** The last bytes, fewer than eight, as a number; of longer texts with those before them. */
  private static long rest(byte[] bytes, int offset, int at, int end) {
    if (end - offset >= Long.BYTES) {
      return (long) LONGS.get(bytes, end - Long.BYTES);
    }
    if (end - at >= Integer.BYTES) {
      return ((long) (int) INTS.get(bytes, at) << Integer.SIZE)
          | ((int) INTS.get(bytes, end - Integer.BYTES) & 0xffff_ffffL);
    }
    long rest = 0;
    for (int i = at; i < end; i++) {
      rest = rest << Byte.SIZE | (bytes[i] & 0xff);
    }
    return rest;
  }

  /**
   * The hash of a label whose value is bytes.
   *
   * @param keyHash from {@link #ofBytes}
   */
  public long ofLabel(long keyHash, LabelType type, byte[] value, int offset, int lengthBytes) {
    return ofLabel(keyHash, type, ofBytes(value, offset, lengthBytes));
  }

  /**
   * The hash of a label whose value is a number.
   *
   * @param keyHash from {@link #ofBytes}
   * @param value a whole number, 0 or 1 for a boolean, the bits of a floating-point number, or 0
   *     for no value
   */
  public long ofLabel(long keyHash, LabelType type, long value) {
    return mix(mix(keyHash ^ (code(type) * FACTOR_2)) ^ value);
  }

  /** Puts the sum of labels' hashes into 32 bits, all of which depend on all of it. */
  public static int ofSet(long sum) {
    long mixed = mix(sum ^ FACTOR_2);
    return (int) (mixed >>> 32) ^ (int) mixed;
  }

  /** The hash of a whole set: {@link #ofSet} of the sum over its labels. */
  public int ofLabels(Labels labels) {
    long sum = 0;
    byte[] bytes = labels.bytes();
    for (int i = 0; i < labels.size(); i++) {
      long key = ofBytes(bytes, labels.keyStart(i), labels.keyEnd(i) - labels.keyStart(i));
      LabelType type = labels.type(i);
      sum +=
          switch (type) {
            case LONG, DOUBLE -> ofLabel(key, type, labels.longValue(i));
            case BOOLEAN -> ofLabel(key, type, labels.booleanValue(i) ? 1 : 0);
            case EMPTY -> ofLabel(key, type, 0);
            case STRING, BYTES, ARRAY, MAP ->
                ofLabel(
                    key,
                    type,
                    bytes,
                    labels.valueStart(i),
                    labels.valueEnd(i) - labels.valueStart(i));
          };
    }
    return ofSet(sum);
  }

  private static int code(LabelType type) {
    return switch (type) {
      case STRING -> 1;
      case BOOLEAN -> 2;
      case LONG -> 3;
      case DOUBLE -> 4;
      case BYTES -> 5;
      case ARRAY -> 6;
      case MAP -> 7;
      case EMPTY -> 8;
    };
  }

  private static long mix(long value) {
    return Math.multiplyHigh(value, FACTOR_1) ^ (value * FACTOR_1);
  }
}
