package dev.millrace.model;

/** The types that the value of a label can have: those of OpenTelemetry's {@code AnyValue}. */
public enum LabelType {
  /** UTF-8 text. */
  STRING(0),
  /** One byte, 0 or 1. */
  BOOLEAN(1),
  /** Eight bytes, little-endian. */
  LONG(2),
  /** Eight bytes, little-endian, as {@link Double#doubleToRawLongBits}. */
  DOUBLE(3),
  /** Bytes as they are. */
  BYTES(4),
  /** The bytes of an OTLP {@code ArrayValue} message. */
  ARRAY(5),
  /** The bytes of an OTLP {@code KeyValueList} message. */
  MAP(6),
  /** No value at all. */
  EMPTY(7);

  private static final LabelType[] BY_CODE = {
    STRING, BOOLEAN, LONG, DOUBLE, BYTES, ARRAY, MAP, EMPTY
  };

  private final int code;

  LabelType(int code) {
    this.code = code;
  }

  /** The type's number in packed labels, from 0 to 7. */
  int code() {
    return code;
  }

  static LabelType of(int code) {
    return BY_CODE[code];
  }
}
