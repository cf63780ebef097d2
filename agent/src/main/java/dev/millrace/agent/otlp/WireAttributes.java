package dev.millrace.agent.otlp;

import dev.millrace.agent.series.AttributeSet;
import dev.millrace.agent.series.LabelHash;
import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.Utf8;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of OTLP attributes where they lie in a request: the offsets of keys and values, and their
 * hash. {@link Labels} are made of them only when somebody asks.
 *
 * <p>Of attributes with one key the last holds. It refers to the arrays that it was read from until
 * {@link #clear}. Used again and again; not thread-safe.
 */
final class WireAttributes implements AttributeSet {
  /**
   * 1,024 attributes in one set, eight times what the OpenTelemetry SDKs allow. A set with more
   * counts as too large.
   */
  static final int MAX_ATTRIBUTES = 1_024;

  private static final int KEY = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int VALUE = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final int STRING_VALUE = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  static final int BOOL_VALUE = 2 << 3 | ProtobufReader.VARINT;
  private static final int INT_VALUE = 3 << 3 | ProtobufReader.VARINT;
  private static final int DOUBLE_VALUE = 4 << 3 | ProtobufReader.FIXED64;
  private static final int ARRAY_VALUE = 5 << 3 | ProtobufReader.LENGTH_DELIMITED;
  static final int KVLIST_VALUE = 6 << 3 | ProtobufReader.LENGTH_DELIMITED;
  static final int BYTES_VALUE = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final byte[] NO_BYTES = new byte[0];

  private final LabelHash labelHash;
  private final Labels.Builder builder = new Labels.Builder();
  private final NestedValues nested = new NestedValues();

  private byte[] keyBytes = NO_BYTES;
  private int[] keyStarts = new int[16];
  private int[] keyLengths = new int[16];
  private LabelType[] types = new LabelType[16];
  private byte[][] valueBytes = new byte[16][];
  private int[] valueStarts = new int[16];
  private int[] valueLengths = new int[16];

  /** Values that are numbers, in the form that {@link LabelHash#ofLabel} takes. */
  private long[] numbers = new long[16];

  private int count;
  private boolean tooLarge;
  private int lengthBytes;
  private long hashSum;

  WireAttributes(LabelHash labelHash) {
    this.labelHash = labelHash;
  }

  /** Makes the set empty, and lets go of what it was read from. */
  void clear() {
    Arrays.fill(valueBytes, 0, count, NO_BYTES);
    keyBytes = NO_BYTES;
    count = 0;
    tooLarge = false;
    lengthBytes = 0;
    hashSum = 0;
  }

  /**
   * Adds a {@code KeyValue}.
   *
   * @param reader of one array, standing on the message
   * @param bytes that array, the same for all attributes of a set
   * @param base where in it the reader's position 0 is
   * @param messageBytes how long the message is
   */
  void add(ProtobufReader reader, byte[] bytes, int base, int messageBytes)
      throws MalformedProtobufException {
    if (count == MAX_ATTRIBUTES) {
      tooLarge = true;
      reader.skipBytes(messageBytes);
      return;
    }
    int at = nextAttribute();
    keyBytes = bytes;
    int start = base + reader.positionBytes();
    int keyLength = SimplePair.keyLength(bytes, start, messageBytes);
    if (keyLength >= 0) {
      keyStarts[at] = start + SimplePair.KEY_OFFSET;
      keyLengths[at] = keyLength;
      types[at] = LabelType.STRING;
      valueBytes[at] = bytes;
      valueStarts[at] = start + SimplePair.OVERHEAD_BYTES + keyLength;
      valueLengths[at] = messageBytes - SimplePair.OVERHEAD_BYTES - keyLength;
      reader.skipBytes(messageBytes);
    } else {
      readPair(reader, bytes, base, at, messageBytes);
    }
    lengthBytes += keyLengths[at] + valueLengths[at];
    hashSum += hash(at);
  }

  private void readPair(ProtobufReader reader, byte[] bytes, int base, int at, int messageBytes)
      throws MalformedProtobufException {
    int outer = reader.enter(messageBytes);
    keyStarts[at] = 0;
    keyLengths[at] = 0;
    setNumber(at, LabelType.EMPTY, 0, 0);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == KEY) {
        keyLengths[at] = reader.readLength();
        keyStarts[at] = base + reader.positionBytes();
        reader.skipBytes(keyLengths[at]);
      } else if (tag == VALUE) {
        readValue(reader, bytes, base, at);
      } else {
        reader.skip(tag);
      }
    }
    reader.leave(outer);
  }

  /** Makes the set count as larger than any bound: not all of it was added. */
  void setTooLarge() {
    tooLarge = true;
  }

  private int nextAttribute() {
    if (count == keyStarts.length) {
      int length = 2 * count;
      keyStarts = Arrays.copyOf(keyStarts, length);
      keyLengths = Arrays.copyOf(keyLengths, length);
      types = Arrays.copyOf(types, length);
      valueBytes = Arrays.copyOf(valueBytes, length);
      valueStarts = Arrays.copyOf(valueStarts, length);
      valueLengths = Arrays.copyOf(valueLengths, length);
      numbers = Arrays.copyOf(numbers, length);
    }
    return count++;
  }

  private void readValue(ProtobufReader reader, byte[] bytes, int base, int at)
      throws MalformedProtobufException {
    int outer = reader.enter(reader.readLength());
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case STRING_VALUE -> setBytes(reader, bytes, base, at, LabelType.STRING);
        case BYTES_VALUE -> setBytes(reader, bytes, base, at, LabelType.BYTES);
        case ARRAY_VALUE -> setMessage(reader, bytes, base, at, LabelType.ARRAY);
        case KVLIST_VALUE -> setMessage(reader, bytes, base, at, LabelType.MAP);
        case BOOL_VALUE ->
            setNumber(at, LabelType.BOOLEAN, reader.readVarint() == 0 ? 0 : 1, Byte.BYTES);
        case INT_VALUE -> setNumber(at, LabelType.LONG, reader.readVarint(), Long.BYTES);
        case DOUBLE_VALUE -> setNumber(at, LabelType.DOUBLE, reader.readFixed64(), Long.BYTES);
        default -> reader.skip(tag);
      }
    }
    reader.leave(outer);
  }

  private void setNumber(int at, LabelType type, long number, int numberBytes) {
    types[at] = type;
    numbers[at] = number;
    valueBytes[at] = NO_BYTES;
    valueStarts[at] = 0;
    valueLengths[at] = numberBytes;
  }

  private void setBytes(ProtobufReader reader, byte[] bytes, int base, int at, LabelType type)
      throws MalformedProtobufException {
    int length = reader.readLength();
    types[at] = type;
    numbers[at] = 0;
    valueBytes[at] = bytes;
    valueStarts[at] = base + reader.positionBytes();
    valueLengths[at] = length;
    reader.skipBytes(length);
  }

  /** An embedded message that is there already is merged with: its bytes come before these. */
  private void setMessage(ProtobufReader reader, byte[] bytes, int base, int at, LabelType type)
      throws MalformedProtobufException {
    boolean merges = types[at] == type;
    byte[] before = valueBytes[at];
    int beforeStart = valueStarts[at];
    int beforeLength = valueLengths[at];
    setBytes(reader, bytes, base, at, type);
    if (merges) {
      byte[] merged = new byte[beforeLength + valueLengths[at]];
      System.arraycopy(before, beforeStart, merged, 0, beforeLength);
      System.arraycopy(bytes, valueStarts[at], merged, beforeLength, valueLengths[at]);
      valueBytes[at] = merged;
      valueStarts[at] = 0;
      valueLengths[at] = merged.length;
    }
  }

  private long hash(int at) {
    long keyHash = labelHash.ofBytes(keyBytes, keyStarts[at], keyLengths[at]);
    return isNumber(types[at])
        ? labelHash.ofLabel(keyHash, types[at], numbers[at])
        : labelHash.ofLabel(keyHash, types[at], valueBytes[at], valueStarts[at], valueLengths[at]);
  }

  private static boolean isNumber(LabelType type) {
    return switch (type) {
      case BOOLEAN, LONG, DOUBLE, EMPTY -> true;
      case STRING, BYTES, ARRAY, MAP -> false;
    };
  }

  @Override
  public int hash() {
    return LabelHash.ofSet(hashSum);
  }

  @Override
  public int lengthBytes() {
    return tooLarge ? Integer.MAX_VALUE : lengthBytes;
  }

  /**
   * Attributes mostly arrive in the order of their keys, as labels have them; of those that do not,
   * sets of more than 64 are not compared.
   */
  @Override
  public boolean matches(Labels labels) {
    if (labels.size() != count) {
      return false;
    }
    int inOrder = 0;
    while (inOrder < count && isLabel(inOrder, labels, inOrder)) {
      inOrder++;
    }
    if (inOrder == count) {
      return true;
    }
    if (count > Long.SIZE) {
      return false;
    }
    long used = 0;
    for (int at = inOrder; at < count; at++) {
      int label = inOrder;
      while (label < count && ((used >>> label & 1) != 0 || !isLabel(at, labels, label))) {
        label++;
      }
      if (label == count) {
        return false;
      }
      used |= 1L << label;
    }
    return true;
  }

  private boolean isLabel(int at, Labels labels, int label) {
    int keyStart = labels.keyStart(label);
    int keyEnd = labels.keyEnd(label);
    LabelType type = types[at];
    if (keyEnd - keyStart != keyLengths[at]
        || labels.type(label) != type
        || !Arrays.equals(
            labels.bytes(),
            keyStart,
            keyEnd,
            keyBytes,
            keyStarts[at],
            keyStarts[at] + keyLengths[at])) {
      return false;
    }
    return switch (type) {
      case LONG, DOUBLE -> labels.longValue(label) == numbers[at];
      case BOOLEAN -> labels.booleanValue(label) == (numbers[at] != 0);
      case EMPTY -> true;
      case STRING, BYTES, ARRAY, MAP ->
          Arrays.equals(
              labels.bytes(),
              labels.valueStart(label),
              labels.valueEnd(label),
              valueBytes[at],
              valueStarts[at],
              valueStarts[at] + valueLengths[at]);
    };
  }

  @Override
  public @Nullable Labels toLabels() {
    builder.clear();
    boolean valid = true;
    for (int at = 0; at < count; at++) {
      valid &= Utf8.isValid(keyBytes, keyStarts[at], keyLengths[at]);
      ByteArray value = builder.beginValue(keyBytes, keyStarts[at], keyLengths[at]);
      byte[] bytes = valueBytes[at];
      int start = valueStarts[at];
      int length = valueLengths[at];
      LabelType type = types[at];
      switch (type) {
        case LONG, DOUBLE -> {
          for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            value.append((int) (numbers[at] >>> shift));
          }
        }
        case BOOLEAN -> value.append((int) numbers[at]);
        case EMPTY -> {}
        case STRING -> {
          valid &= Utf8.isValid(bytes, start, length);
          value.append(bytes, start, length);
        }
        case BYTES -> value.append(bytes, start, length);
        case ARRAY, MAP ->
            valid &= nested.append(value, bytes, start, length, type == LabelType.MAP);
      }
      builder.endValue(type);
    }
    if (!valid) {
      builder.clear();
      return null;
    }
    return builder.build();
  }

  /** Whether a tag is that of a field of {@code AnyValue} that can be held. */
  static boolean isValueTag(int tag) {
    return switch (tag) {
      case STRING_VALUE, BOOL_VALUE, INT_VALUE, DOUBLE_VALUE -> true;
      case ARRAY_VALUE, KVLIST_VALUE, BYTES_VALUE -> true;
      default -> false;
    };
  }

  /** Whether a tag is that of a field of {@code AnyValue} whose occurrences are merged. */
  static boolean isMessageTag(int tag) {
    return tag == ARRAY_VALUE || tag == KVLIST_VALUE;
  }

  /** The value of an attribute of type text, or {@code null} where there is none of that key. */
  @Nullable String text(byte[] key) {
    String found = null;
    for (int at = 0; at < count; at++) {
      boolean hasKey =
          Arrays.equals(
              keyBytes, keyStarts[at], keyStarts[at] + keyLengths[at], key, 0, key.length);
      if (hasKey) {
        found =
            types[at] == LabelType.STRING
                ? new String(
                    valueBytes[at], valueStarts[at], valueLengths[at], StandardCharsets.UTF_8)
                : null;
      }
    }
    return found;
  }
}
