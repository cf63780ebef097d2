package dev.millrace.store.foreign;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * Reads JSON (RFC 8259) from bytes, front to back, as its caller asks: the few forms that keys and
 * schemas have. Used again and again by one thread; reading a string into a {@link ByteArray}
 * allocates nothing.
 */
final class JsonReader {
  /** Deeper than any schema; bounds the recursion over values that are skipped. */
  private static final int MAX_DEPTH = 32;

  private byte[] bytes = {};
  private int at;
  private int end;

  /**
   * Begins.
   *
   * @throws JsonSyntaxException if the bytes are not UTF-8
   */
  void begin(byte[] from, int lengthBytes) throws JsonSyntaxException {
    if (!Utf8.isValid(from, 0, lengthBytes)) {
      throw new JsonSyntaxException("expected UTF-8, found other bytes");
    }
    bytes = from;
    at = 0;
    end = lengthBytes;
  }

  /** The next byte that is not white space, which stays; -1 at the end. */
  int peek() {
    while (at < end && isSpace(bytes[at])) {
      at++;
    }
    return at < end ? bytes[at] : -1;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** Passes a sign. */
  void expect(char sign) throws JsonSyntaxException {
    if (peek() != sign) {
      throw wrong("'" + sign + "'");
    }
    at++;
  }

  /** Passes a sign if it is there. */
  boolean accept(char sign) {
    if (peek() != sign) {
      return false;
    }
    at++;
    return true;
  }

  /** Makes sure that nothing but white space is left. */
  void expectEnd() throws JsonSyntaxException {
    if (peek() != -1) {
      throw wrong("the end");
    }
  }

  /** A string. */
  String string() throws JsonSyntaxException {
    ByteArray text = new ByteArray();
    string(text);
    return new String(text.bytes(), 0, text.lengthBytes(), StandardCharsets.UTF_8);
  }

  /** Appends a string's text, as UTF-8. */
  void string(ByteArray to) throws JsonSyntaxException {
    expect('"');
    while (true) {
      int start = at;
      while (at < end && bytes[at] != '"' && bytes[at] != '\\') {
        at++;
      }
      to.append(bytes, start, at - start);
      if (at == end) {
        throw wrong("'\"'");
      }
      if (bytes[at++] == '"') {
        return;
      }
      escape(to);
    }
  }

  private void escape(ByteArray to) throws JsonSyntaxException {
    if (at == end) {
      throw wrong("an escape");
    }
    switch (bytes[at++]) {
      case '"' -> to.append('"');
      case '\\' -> to.append('\\');
      case '/' -> to.append('/');
      case 'b' -> to.append('\b');
      case 'f' -> to.append('\f');
      case 'n' -> to.append('\n');
      case 'r' -> to.append('\r');
      case 't' -> to.append('\t');
      case 'u' -> unicode(to);
      default -> throw wrong("an escape");
    }
  }

  /** A surrogate without its partner becomes U+FFFD, as everywhere. */
  private void unicode(ByteArray to) throws JsonSyntaxException {
    char first = hex();
    if (Character.isHighSurrogate(first)
        && end - at >= 2
        && bytes[at] == '\\'
        && bytes[at + 1] == 'u') {
      int before = at;
      at += 2;
      char second = hex();
      if (Character.isLowSurrogate(second)) {
        to.appendUtf8(String.valueOf(new char[] {first, second}));
        return;
      }
      at = before;
    }
    to.appendUtf8(String.valueOf(first));
  }

  private char hex() throws JsonSyntaxException {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < end ? Character.digit((char) bytes[at++], 16) : -1;
      if (digit < 0) {
        throw wrong("four hexadecimal digits");
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  /**
   * Appends a value that is no array and no object, as text: a string's text, a number or a boolean
   * as it is written, nothing for {@code null}.
   */
  void scalar(ByteArray to) throws JsonSyntaxException {
    if (peek() == '"') {
      string(to);
      return;
    }
    int start = at;
    while (at < end && isWord(bytes[at])) {
      at++;
    }
    if (at == start) {
      throw wrong("a value");
    }
    if (bytes[start] != 'n') {
      to.append(bytes, start, at - start);
    }
  }

  private static boolean isWord(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '-'
        || b == '+'
        || b == '.';
  }

  /** Passes any value. */
  void skip() throws JsonSyntaxException {
    skip(new ByteArray(), 0);
  }

  private void skip(ByteArray scratch, int depth) throws JsonSyntaxException {
    if (depth == MAX_DEPTH) {
      throw wrong("at most " + MAX_DEPTH + " levels");
    }
    if (accept('[')) {
      for (boolean more = !accept(']'); more; more = accept(',') || closed(']')) {
        skip(scratch, depth + 1);
      }
    } else if (accept('{')) {
      for (boolean more = !accept('}'); more; more = accept(',') || closed('}')) {
        string(scratch);
        expect(':');
        skip(scratch, depth + 1);
      }
    } else {
      scalar(scratch);
    }
    scratch.clear();
  }

  /** Passes the end of an array or object; always {@code false}, for the loops over them. */
  boolean closed(char sign) throws JsonSyntaxException {
    expect(sign);
    return false;
  }

  private JsonSyntaxException wrong(String expected) {
    return new JsonSyntaxException(
        "expected "
            + expected
            + " at byte "
            + at
            + ", found "
            + (at < end ? "byte 0x" + Integer.toHexString(bytes[at] & 0xFF) : "the end"));
  }
}
