package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Varint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;

/**
 * Labels as {@code KeyValue} fields, one after another (opentelemetry-proto 1.11, {@code
 * common/v1/common.proto}):
 *
 * <pre>
 *   | tag | length | 0x0a | length | key | 0x12 | length | AnyValue |
 * </pre>
 *
 * <p>An empty key is left out as protobuf's libraries leave it out; a value is always there, and
 * one of type {@link LabelType#EMPTY} is an {@code AnyValue} with nothing in it. Stateless.
 */
final class KeyValues {
  private static final int KEY = 1 << 3 | 2;
  private static final int VALUE = 2 << 3 | 2;
  private static final int STRING_VALUE = 1 << 3 | 2;
  private static final int BOOL_VALUE = 2 << 3;
  private static final int INT_VALUE = 3 << 3;
  private static final int DOUBLE_VALUE = 4 << 3 | 1;
  private static final int ARRAY_VALUE = 5 << 3 | 2;
  private static final int KVLIST_VALUE = 6 << 3 | 2;
  private static final int BYTES_VALUE = 7 << 3 | 2;

  private KeyValues() {}

  /**
   * Appends all labels.
   *
   * @param tag the tag of the repeated field that they are, of one byte
   */
  static void append(Labels labels, int tag, ByteArray out) {
    for (int i = 0; i < labels.size(); i++) {
      int keyLength = labels.keyEnd(i) - labels.keyStart(i);
      int valueLength = valueLengthBytes(labels, i);
      long length =
          1L
              + Varint.sizeOf(valueLength)
              + valueLength
              + (keyLength == 0 ? 0 : 1 + Varint.sizeOf(keyLength) + keyLength);
      out.append(tag);
      appendVarint(length, out);
      if (keyLength > 0) {
        out.append(KEY);
        appendVarint(keyLength, out);
        out.append(labels.bytes(), labels.keyStart(i), keyLength);
      }
      out.append(VALUE);
      appendVarint(valueLength, out);
      appendValue(labels, i, out);
    }
  }

  private static int valueLengthBytes(Labels labels, int index) {
    int length = labels.valueEnd(index) - labels.valueStart(index);
    return switch (labels.type(index)) {
      case STRING, BYTES, ARRAY, MAP -> 1 + Varint.sizeOf(length) + length;
      case BOOLEAN -> 2;
      case LONG -> 1 + Varint.sizeOf(labels.longValue(index));
      case DOUBLE -> 1 + Double.BYTES;
      case EMPTY -> 0;
    };
  }

  private static void appendValue(Labels labels, int index, ByteArray out) {
    switch (labels.type(index)) {
      case STRING -> appendDelimited(STRING_VALUE, labels, index, out);
      case BOOLEAN -> {
        out.append(BOOL_VALUE);
        out.append(labels.booleanValue(index) ? 1 : 0);
      }
      case LONG -> {
        out.append(INT_VALUE);
        appendVarint(labels.longValue(index), out);
      }
      case DOUBLE -> {
        out.append(DOUBLE_VALUE);
        out.append(labels.bytes(), labels.valueStart(index), Double.BYTES);
      }
      case BYTES -> appendDelimited(BYTES_VALUE, labels, index, out);
      case ARRAY -> appendDelimited(ARRAY_VALUE, labels, index, out);
      case MAP -> appendDelimited(KVLIST_VALUE, labels, index, out);
      case EMPTY -> {}
    }
  }

  private static void appendDelimited(int tag, Labels labels, int index, ByteArray out) {
    int length = labels.valueEnd(index) - labels.valueStart(index);
    out.append(tag);
    appendVarint(length, out);
    out.append(labels.bytes(), labels.valueStart(index), length);
  }

  static void appendVarint(long value, ByteArray out) {
    out.reserve(Varint.MAX_BYTES);
    out.advanceTo(Varint.put(value, out.bytes(), out.lengthBytes()));
  }
}
