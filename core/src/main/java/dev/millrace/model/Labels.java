package dev.millrace.model;

import dev.millrace.bytes.ByteArray;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a series, a scope or a resource: keys and typed values, sorted by key.
 * Immutable.
 *
 * <p>Keys and text are UTF-8. Keys are sorted by their bytes, and each stands once. All lie in one
 * array:
 *
 * <pre>
 *   bytes  | key 0 | value 0 | key 1 | value 1 | ...
 *   ends   | end of key 0 | type (4 bits), end of value 0 (28 bits) | end of key 1 | ...
 * </pre>
 */
public final class Labels {
  /** No labels. */
  public static final Labels EMPTY = new Labels(new byte[0], new int[0]);

  /** The most bytes that all keys and values of one set may have: what 28 bits can count. */
  public static final int MAX_BYTES = (1 << 28) - 1;

  private static final int TYPE_SHIFT = 28;
  private static final int END_MASK = MAX_BYTES;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int[] ends;
  private final int hash;

  private Labels(byte[] bytes, int[] ends) {
    this.bytes = bytes;
    this.ends = ends;
    this.hash = 31 * Arrays.hashCode(bytes) + Arrays.hashCode(ends);
  }

  /** Text labels from keys and values in turn, for small and fixed sets. */
  public static Labels of(String... keysAndValues) {
    if (keysAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "expected keys and values in turn, found an odd number of strings: "
              + keysAndValues.length);
    }
    Builder builder = new Builder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      builder.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return builder.build();
  }

  /** How many labels there are. */
  public int size() {
    return ends.length / 2;
  }

  /** All keys and values; nobody may change them. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where a key begins in {@link #bytes}. */
  public int keyStart(int index) {
    return index == 0 ? 0 : ends[2 * index - 1] & END_MASK;
  }

  /** Where a key ends in {@link #bytes}. */
  public int keyEnd(int index) {
    return ends[2 * index];
  }

  /** Where a value begins in {@link #bytes}. */
  public int valueStart(int index) {
    return ends[2 * index];
  }

  /** Where a value ends in {@link #bytes}. */
  public int valueEnd(int index) {
    return ends[2 * index + 1] & END_MASK;
  }

  /** A value's type, which says how its bytes are to be read. */
  public LabelType type(int index) {
    return LabelType.of(ends[2 * index + 1] >>> TYPE_SHIFT);
  }

  /** The value of a label of type {@link LabelType#LONG}. */
  public long longValue(int index) {
    return (long) LONGS.get(bytes, valueStart(index));
  }

  /** The value of a label of type {@link LabelType#DOUBLE}. */
  public double doubleValue(int index) {
    return Double.longBitsToDouble(longValue(index));
  }

  /** The value of a label of type {@link LabelType#BOOLEAN}. */
  public boolean booleanValue(int index) {
    return bytes[valueStart(index)] != 0;
  }

  /** A key as a string; it allocates. */
  public String key(int index) {
    return new String(
        bytes, keyStart(index), keyEnd(index) - keyStart(index), StandardCharsets.UTF_8);
  }

  /** The value of a label of type {@link LabelType#STRING} as a string; it allocates. */
  public String text(int index) {
    return new String(
        bytes, valueStart(index), valueEnd(index) - valueStart(index), StandardCharsets.UTF_8);
  }

  /** The index of a key, or -1; it allocates. */
  public int indexOf(String key) {
    byte[] wanted = key.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < size(); i++) {
      if (Arrays.equals(bytes, keyStart(i), keyEnd(i), wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Labels labels
            && hash == labels.hash
            && Arrays.equals(ends, labels.ends)
            && Arrays.equals(bytes, labels.bytes));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Keys and values for people; the form is not fixed. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < size(); i++) {
      text.append(i == 0 ? "" : ", ").append(key(i)).append('=');
      switch (type(i)) {
        case STRING -> text.append(text(i));
        case BOOLEAN -> text.append(booleanValue(i));
        case LONG -> text.append(longValue(i));
        case DOUBLE -> text.append(doubleValue(i));
        case BYTES, ARRAY, MAP, EMPTY -> text.append(type(i));
      }
    }
    return text.append('}').toString();
  }

  /**
   * Collects labels in any order. Of labels with one key the last put wins, as the keys of an
   * attribute collection are unique (OpenTelemetry specification, "Attribute Collections"). Can be
   * used again after {@link #build}. Not thread-safe.
   */
  public static final class Builder {
    private final ByteArray collected = new ByteArray();
    private int[] collectedEnds = new int[16];
    private int count;

    /** An empty builder. */
    public Builder() {}

    /** Puts text. */
    public Builder put(String key, String value) {
      beginValue(key);
      collected.appendUtf8(value);
      return endValue(LabelType.STRING);
    }

    /** Puts a boolean. */
    public Builder put(String key, boolean value) {
      beginValue(key);
      collected.append(value ? 1 : 0);
      return endValue(LabelType.BOOLEAN);
    }

    /** Puts a whole number. */
    public Builder put(String key, long value) {
      beginValue(key);
      appendLong(value);
      return endValue(LabelType.LONG);
    }

    /** Puts a floating-point number. */
    public Builder put(String key, double value) {
      beginValue(key);
      appendLong(Double.doubleToRawLongBits(value));
      return endValue(LabelType.DOUBLE);
    }

    /** Puts bytes that are already in the form that {@link LabelType} gives for {@code type}. */
    public Builder put(String key, LabelType type, byte[] value) {
      beginValue(key);
      collected.append(value);
      return endValue(type);
    }

    /**
     * Begins a label whose key is UTF-8 already; {@link #endValue} ends it.
     *
     * @return where the value's bytes, in the form that {@link LabelType} gives, are to be appended
     */
    public ByteArray beginValue(byte[] key, int offset, int lengthBytes) {
      collected.append(key, offset, lengthBytes);
      return markKey();
    }

    /** Ends the label that {@link #beginValue} began. */
    public Builder endValue(LabelType type) {
      if (collected.lengthBytes() > MAX_BYTES) {
        throw new IllegalArgumentException(
            "expected at most "
                + MAX_BYTES
                + " bytes in all labels of a series, found "
                + collected.lengthBytes());
      }
      collectedEnds[2 * count + 1] = collected.lengthBytes() | type.code() << TYPE_SHIFT;
      count++;
      return this;
    }

    /** Ends the set; the builder is empty afterwards. */
    public Labels build() {
      if (count == 0) {
        clear();
        return EMPTY;
      }
      int[] order = sortedUnique();
      byte[] source = collected.bytes();
      int total = 0;
      for (int label : order) {
        total += (collectedEnds[2 * label + 1] & END_MASK) - start(label);
      }
      byte[] bytes = new byte[total];
      int[] ends = new int[2 * order.length];
      int at = 0;
      for (int i = 0; i < order.length; i++) {
        int label = order[i];
        int start = start(label);
        int valueEnd = collectedEnds[2 * label + 1];
        System.arraycopy(source, start, bytes, at, (valueEnd & END_MASK) - start);
        ends[2 * i] = at + collectedEnds[2 * label] - start;
        at += (valueEnd & END_MASK) - start;
        ends[2 * i + 1] = at | (valueEnd & ~END_MASK);
      }
      clear();
      return new Labels(bytes, ends);
    }

    /** Forgets what was put. */
    public void clear() {
      collected.clear();
      count = 0;
    }

    private void beginValue(String key) {
      collected.appendUtf8(key);
      markKey();
    }

    private ByteArray markKey() {
      if (2 * count + 2 > collectedEnds.length) {
        collectedEnds = Arrays.copyOf(collectedEnds, 2 * collectedEnds.length);
      }
      collectedEnds[2 * count] = collected.lengthBytes();
      return collected;
    }

    private void appendLong(long value) {
      collected.reserve(Long.BYTES);
      int at = collected.lengthBytes();
      LONGS.set(collected.bytes(), at, value);
      collected.advanceTo(at + Long.BYTES);
    }

    private int start(int label) {
      return label == 0 ? 0 : collectedEnds[2 * label - 1] & END_MASK;
    }

    private int compareKeys(int a, int b) {
      byte[] keys = collected.bytes();
      return Arrays.compareUnsigned(
          keys, start(a), collectedEnds[2 * a], keys, start(b), collectedEnds[2 * b]);
    }

    /** The labels' numbers in the order of their keys; of equal keys only the one put last. */
    private int[] sortedUnique() {
      int[] order = new int[count];
      int size = 0;
      for (int label = 0; label < count; label++) {
        int at = insertionPoint(order, size, label);
        if (at < size && compareKeys(order[at], label) == 0) {
          order[at] = label;
        } else {
          System.arraycopy(order, at, order, at + 1, size - at);
          order[at] = label;
          size++;
        }
      }
      return size == count ? order : Arrays.copyOf(order, size);
    }

    private int insertionPoint(int[] order, int size, int label) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (compareKeys(order[middle], label) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
