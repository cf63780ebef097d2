package dev.millrace.model;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.DoubleText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Label values as text, for formats whose values are text only (OpenTelemetry specification,
 * "AnyValue representation for non-OTLP protocols"): text as it is, booleans and numbers as in
 * JSON, bytes in Base64, arrays and maps as JSON without spaces, no value as no text.
 *
 * <p>Stateless. Nothing is allocated for single values but the target's growth; arrays and maps
 * cost one small object for each message in them.
 */
public final class AttributeText {
  /**
   * How deep arrays and maps are written; one that lies deeper is written as {@code null}, which is
   * what the specification's default of {@code AttributeValueDepthLimit} makes of it. It bounds the
   * stack that a value may use.
   */
  public static final int MAX_DEPTH = 64;

  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final byte[] NULL = ascii("null");
  private static final byte[] BASE64 =
      ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Field numbers of OTLP's {@code AnyValue}; its oneof makes the last field count. */
  private static final int ANY_STRING = 1;

  private static final int ANY_BOOL = 2;
  private static final int ANY_INT = 3;
  private static final int ANY_DOUBLE = 4;
  private static final int ANY_ARRAY = 5;
  private static final int ANY_MAP = 6;
  private static final int ANY_BYTES = 7;

  /** The one field of {@code ArrayValue} and {@code KeyValueList}. */
  private static final int ELEMENTS = 1;

  private static final int ENTRY_KEY = 1;
  private static final int ENTRY_VALUE = 2;

  private AttributeText() {}

  /**
   * Appends the value of one label. Text that is not valid UTF-8 is appended as it is. Of an array
   * or a map whose bytes are damaged, what stands before the damage is written.
   *
   * @param index from 0 to {@link Labels#size()} - 1
   */
  public static void append(Labels labels, int index, ByteArray out) {
    byte[] bytes = labels.bytes();
    int from = labels.valueStart(index);
    int to = labels.valueEnd(index);
    switch (labels.type(index)) {
      case STRING -> out.append(bytes, from, to - from);
      case BOOLEAN -> out.append(labels.booleanValue(index) ? TRUE : FALSE);
      case LONG -> out.appendLong(labels.longValue(index));
      case DOUBLE -> appendDouble(labels.doubleValue(index), out);
      case BYTES -> appendBase64(bytes, from, to, out);
      case ARRAY -> appendArray(bytes, from, to, 1, out);
      case MAP -> appendMap(bytes, from, to, 1, out);
      case EMPTY -> {}
    }
  }

  private static void appendArray(byte[] bytes, int from, int to, int depth, ByteArray out) {
    out.append('[');
    ProtoFields fields = new ProtoFields(bytes, from, to);
    boolean first = true;
    while (fields.next()) {
      if (fields.isDelimited(ELEMENTS)) {
        if (!first) {
          out.append(',');
        }
        first = false;
        appendAny(bytes, fields.from(), fields.to(), depth, out);
      }
    }
    out.append(']');
  }

  private static void appendMap(byte[] bytes, int from, int to, int depth, ByteArray out) {
    out.append('{');
    ProtoFields fields = new ProtoFields(bytes, from, to);
    boolean first = true;
    while (fields.next()) {
      if (fields.isDelimited(ELEMENTS)) {
        if (!first) {
          out.append(',');
        }
        first = false;
        appendEntry(bytes, fields.from(), fields.to(), depth, out);
      }
    }
    out.append('}');
  }

  private static void appendEntry(byte[] bytes, int from, int to, int depth, ByteArray out) {
    ProtoFields fields = new ProtoFields(bytes, from, to);
    int keyFrom = from;
    int keyTo = from;
    int valueFrom = from;
    int valueTo = from;
    while (fields.next()) {
      if (fields.isDelimited(ENTRY_KEY)) {
        keyFrom = fields.from();
        keyTo = fields.to();
      } else if (fields.isDelimited(ENTRY_VALUE)) {
        valueFrom = fields.from();
        valueTo = fields.to();
      }
    }
    appendJsonString(bytes, keyFrom, keyTo, out);
    out.append(':');
    appendAny(bytes, valueFrom, valueTo, depth, out);
  }

  /** Appends one {@code AnyValue} that lies in an array or a map of the given depth. */
  private static void appendAny(byte[] bytes, int from, int to, int depth, ByteArray out) {
    ProtoFields fields = new ProtoFields(bytes, from, to);
    int number = 0;
    int valueFrom = from;
    int valueTo = from;
    long bits = 0;
    while (fields.next()) {
      if (fields.number() <= ANY_BYTES && fields.wireType() == wireTypeOfAny(fields.number())) {
        number = fields.number();
        valueFrom = fields.from();
        valueTo = fields.to();
        bits = fields.bits();
      }
    }
    switch (number) {
      case ANY_STRING -> appendJsonString(bytes, valueFrom, valueTo, out);
      case ANY_BOOL -> out.append(bits != 0 ? TRUE : FALSE);
      case ANY_INT -> out.appendLong(bits);
      case ANY_DOUBLE -> appendJsonDouble(Double.longBitsToDouble(bits), out);
      case ANY_ARRAY -> {
        if (depth < MAX_DEPTH) {
          appendArray(bytes, valueFrom, valueTo, depth + 1, out);
        } else {
          out.append(NULL);
        }
      }
      case ANY_MAP -> {
        if (depth < MAX_DEPTH) {
          appendMap(bytes, valueFrom, valueTo, depth + 1, out);
        } else {
          out.append(NULL);
        }
      }
      case ANY_BYTES -> {
        out.append('"');
        appendBase64(bytes, valueFrom, valueTo, out);
        out.append('"');
      }
      default -> out.append(NULL);
    }
  }

  private static int wireTypeOfAny(int number) {
    return switch (number) {
      case ANY_BOOL, ANY_INT -> ProtoFields.VARINT;
      case ANY_DOUBLE -> ProtoFields.FIXED64;
      default -> ProtoFields.DELIMITED;
    };
  }

  private static void appendDouble(double value, ByteArray out) {
    out.reserve(DoubleText.MAX_BYTES);
    out.advanceTo(DoubleText.writeJson(value, out.bytes(), out.lengthBytes()));
  }

  private static void appendJsonDouble(double value, ByteArray out) {
    if (Double.isFinite(value)) {
      appendDouble(value, out);
    } else {
      out.append('"');
      appendDouble(value, out);
      out.append('"');
    }
  }

  private static void appendJsonString(byte[] bytes, int from, int to, ByteArray out) {
    out.append('"');
    for (int i = from; i < to; i++) {
      int b = bytes[i];
      switch (b) {
        case '"', '\\' -> {
          out.append('\\');
          out.append(b);
        }
        case '\n' -> appendEscape('n', out);
        case '\r' -> appendEscape('r', out);
        case '\t' -> appendEscape('t', out);
        default -> {
          if (b >= 0 && b < ' ') {
            appendEscape('u', out);
            out.append('0');
            out.append('0');
            out.append(HEX[b >> 4]);
            out.append(HEX[b & 15]);
          } else {
            out.append(b);
          }
        }
      }
    }
    out.append('"');
  }

  private static void appendEscape(char letter, ByteArray out) {
    out.append('\\');
    out.append(letter);
  }

  /** Base64 by RFC 4648, section 4: the standard alphabet, with padding. */
  private static void appendBase64(byte[] bytes, int from, int to, ByteArray out) {
    int at = from;
    for (; at + 2 < to; at += 3) {
      int group = (bytes[at] & 0xff) << 16 | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
      out.append(BASE64[group >> 18]);
      out.append(BASE64[group >> 12 & 63]);
      out.append(BASE64[group >> 6 & 63]);
      out.append(BASE64[group & 63]);
    }
    if (at + 1 == to) {
      int group = bytes[at] & 0xff;
      out.append(BASE64[group >> 2]);
      out.append(BASE64[group << 4 & 63]);
      out.append('=');
      out.append('=');
    } else if (at + 2 == to) {
      int group = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
      out.append(BASE64[group >> 10]);
      out.append(BASE64[group >> 4 & 63]);
      out.append(BASE64[group << 2 & 63]);
      out.append('=');
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Steps over the fields of one protobuf message, and stops for good where it is damaged. */
  private static final class ProtoFields {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int DELIMITED = 2;
    static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int position;
    private int tag;
    private int from;
    private int to;
    private long bits;

    ProtoFields(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      this.position = from;
      this.end = to;
    }

    /** Goes to the next field; {@code false} at the end and at damage. */
    boolean next() {
      if (position >= end || !varint()) {
        return false;
      }
      tag = (int) bits;
      if (bits != (tag & 0xffff_ffffL) || number() == 0) {
        return stop();
      }
      return switch (wireType()) {
        case VARINT -> varint() || stop();
        case FIXED64 -> fixed(Long.BYTES);
        case DELIMITED -> delimited();
        case FIXED32 -> fixed(Integer.BYTES);
        default -> stop();
      };
    }

    int number() {
      return tag >>> 3;
    }

    int wireType() {
      return tag & 7;
    }

    boolean isDelimited(int number) {
      return tag == (number << 3 | DELIMITED);
    }

    /** Where a delimited field's bytes begin. */
    int from() {
      return from;
    }

    /** Where a delimited field's bytes end. */
    int to() {
      return to;
    }

    /** The value of a varint or a fixed64 field. */
    long bits() {
      return bits;
    }

    private boolean fixed(int lengthBytes) {
      if (end - position < lengthBytes) {
        return stop();
      }
      if (lengthBytes == Long.BYTES) {
        bits = (long) LONGS.get(bytes, position);
      }
      position += lengthBytes;
      return true;
    }

    private boolean delimited() {
      if (!varint() || bits < 0 || bits > end - position) {
        return stop();
      }
      from = position;
      to = position + (int) bits;
      position = to;
      return true;
    }

    private boolean varint() {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE && position < end; shift += 7) {
        byte b = bytes[position++];
        value |= (long) (b & 0x7f) << shift;
        if (b >= 0) {
          bits = value;
          return true;
        }
      }
      return stop();
    }

    private boolean stop() {
      position = end;
      return false;
    }
  }
}
