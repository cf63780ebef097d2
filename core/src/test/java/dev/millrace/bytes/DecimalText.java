package dev.millrace.bytes;

/**
 * A reader of decimal text in any layout, for tests: gives the digits without leading and trailing
 * zeros and the exponent of the last one. Reused from text to text, so that millions of them can be
 * read.
 */
final class DecimalText {
  boolean negative;

  /** 0 for zero. */
  long digits;

  int exponent;

  void read(byte[] text, int from, int to) {
    int position = from;
    negative = text[position] == '-';
    if (negative) {
      position++;
    }
    digits = 0;
    // Zeros that no other digit has followed yet: they belong to the exponent, and would overflow
    // the digits.
    int zeros = 0;
    int digitsRead = 0;
    int digitsBeforePoint = -1;
    for (; position < to && text[position] != 'e'; position++) {
      byte next = text[position];
      if (next == '.' && digitsBeforePoint < 0 && digitsRead > 0) {
        digitsBeforePoint = digitsRead;
        continue;
      }
      if (next < '0' || next > '9') {
        throw new AssertionError("Not a digit: " + (char) next);
      }
      digitsRead++;
      zeros++;
      if (next != '0') {
        for (; zeros > 0; zeros--) {
          digits = Math.multiplyExact(digits, 10);
        }
        digits = Math.addExact(digits, next - '0');
      }
    }
    if (digitsRead == 0 || digitsRead == digitsBeforePoint) {
      throw new AssertionError("No digits, or none after the point");
    }
    int digitsAfterPoint = digitsBeforePoint < 0 ? 0 : digitsRead - digitsBeforePoint;
    exponent = zeros - digitsAfterPoint + (position < to ? exponent(text, position + 1, to) : 0);
  }

  private static int exponent(byte[] text, int from, int to) {
    if (text[from] != '-' && text[from] != '+') {
      throw new AssertionError("An exponent without a sign");
    }
    int value = 0;
    for (int position = from + 1; position < to; position++) {
      value = 10 * value + text[position] - '0';
    }
    return text[from] == '-' ? -value : value;
  }
}
