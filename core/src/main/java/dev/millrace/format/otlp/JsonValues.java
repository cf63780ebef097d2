package dev.millrace.format.otlp;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.DoubleText;
import dev.millrace.bytes.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * Writes single values as OTLP's JSON encoding has them (JSON mapping of proto3; OTLP
 * specification, "JSON Protobuf Encoding"). Not thread-safe; belongs to one writer.
 */
final class JsonValues {
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] BASE64 =
      ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

  private final ChunkWriter out;

  JsonValues(ChunkWriter out) {
    this.out = out;
  }

  void writeBoolean(boolean value) {
    out.write(value ? TRUE : FALSE);
  }

  /** Writes a number of 32 bits. */
  void writeInt(int value) {
    out.writeLong(value);
  }

  /** Writes a number of 64 bits, as text: JavaScript's numbers have 53. */
  void writeSigned(long value) {
    out.writeByte('"');
    out.writeLong(value);
    out.writeByte('"');
  }

  /** Writes an unsigned number of 64 bits, as text. */
  void writeUnsigned(long value) {
    if (value >= 0) {
      writeSigned(value);
      return;
    }
    long tens = Long.divideUnsigned(value, 10);
    out.writeByte('"');
    out.writeLong(tens);
    out.writeByte('0' + (int) (value - 10 * tens));
    out.writeByte('"');
  }

  /** Writes a floating-point number; those that are no numbers in JSON are text. */
  void writeDouble(double value) {
    boolean quoted = !Double.isFinite(value);
    if (quoted) {
      out.writeByte('"');
    }
    int at = out.reserve(DoubleText.MAX_BYTES);
    out.advanceTo(DoubleText.writeJson(value, out.reservedBytes(), at));
    if (quoted) {
      out.writeByte('"');
    }
  }

  /** Writes a field of type text, bytes or id. */
  void writeBytes(OtlpSchema.Type type, byte[] bytes, int offset, int lengthBytes) {
    out.writeByte('"');
    switch (type) {
      case ID -> writeHex(bytes, offset, lengthBytes);
      case BYTES -> writeBase64(bytes, offset, offset + lengthBytes);
      default -> {
        if (Utf8.isValid(bytes, offset, lengthBytes)) {
          writeEscaped(bytes, offset, offset + lengthBytes);
        } else {
          byte[] valid =
              new String(bytes, offset, lengthBytes, StandardCharsets.UTF_8)
                  .getBytes(StandardCharsets.UTF_8);
          writeEscaped(valid, 0, valid.length);
        }
      }
    }
    out.writeByte('"');
  }

  private void writeEscaped(byte[] bytes, int from, int to) {
    int run = from;
    for (int at = from; at < to; at++) {
      byte b = bytes[at];
      if ((b >= 0 && b < ' ') || b == '"' || b == '\\') {
        out.write(bytes, run, at - run);
        run = at + 1;
        writeEscape(b);
      }
    }
    out.write(bytes, run, to - run);
  }

  private void writeEscape(byte b) {
    out.writeByte('\\');
    switch (b) {
      case '"', '\\' -> out.writeByte(b);
      case '\n' -> out.writeByte('n');
      case '\r' -> out.writeByte('r');
      case '\t' -> out.writeByte('t');
      default -> {
        out.writeByte('u');
        out.writeByte('0');
        out.writeByte('0');
        out.writeByte(HEX[b >> 4]);
        out.writeByte(HEX[b & 15]);
      }
    }
  }

  private void writeHex(byte[] bytes, int offset, int lengthBytes) {
    for (int i = offset; i < offset + lengthBytes; i++) {
      out.writeByte(HEX[(bytes[i] & 0xff) >> 4]);
      out.writeByte(HEX[bytes[i] & 15]);
    }
  }

  /** Base64 by RFC 4648, section 4: the standard alphabet, with padding. */
  private void writeBase64(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at += 3) {
      int left = to - at;
      int group =
          (bytes[at] & 0xff) << 16
              | (left > 1 ? (bytes[at + 1] & 0xff) << 8 : 0)
              | (left > 2 ? bytes[at + 2] & 0xff : 0);
      out.writeByte(BASE64[group >> 18]);
      out.writeByte(BASE64[group >> 12 & 63]);
      out.writeByte(left > 1 ? BASE64[group >> 6 & 63] : '=');
      out.writeByte(left > 2 ? BASE64[group & 63] : '=');
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
