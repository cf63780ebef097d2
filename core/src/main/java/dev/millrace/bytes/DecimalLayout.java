package dev.millrace.bytes;

/**
 * Lays the number {@code digits * 10^exponent} out as text, in plain digits or in scientific
 * notation.
 *
 * <p>In all methods {@code digits} is at least 0, {@code count} is the number of its decimal
 * digits, and the result is the offset after the text. Bytes outside of the text are left as they
 * are.
 *
 * <p>Stateless and safe for use by many threads; allocates nothing.
 */
final class DecimalLayout {
  private DecimalLayout() {}

  /** Digits, then so many zeros: {@code 1200}. */
  static int whole(long digits, int count, int zeros, byte[] target, int offset) {
    return zeros(zeros, target, DecimalDigits.write(digits, count, target, offset));
  }

  /**
   * A point between the digits: {@code 12.34}, with 0 &lt; {@code wholeDigits} &lt; {@code count}.
   */
  static int mixed(long digits, int count, int wholeDigits, byte[] target, int offset) {
    int end = DecimalDigits.write(digits, count, target, offset + 1);
    System.arraycopy(target, offset + 1, target, offset, wholeDigits);
    target[offset + wholeDigits] = '.';
    return end;
  }

  /** Digits after a point and so many zeros: {@code 0.0012}. */
  static int fraction(long digits, int count, int zeros, byte[] target, int offset) {
    target[offset] = '0';
    target[offset + 1] = '.';
    return DecimalDigits.write(digits, count, target, zeros(zeros, target, offset + 2));
  }

  /**
   * Scientific notation: {@code 1.2e+25}, {@code 1e-07}. The exponent always has a sign.
   *
   * @param exponent that of the first digit, -999 to 999
   * @param minExponentDigits 1 or 2
   */
  static int scientific(
      long digits, int count, int exponent, int minExponentDigits, byte[] target, int offset) {
    int position =
        count == 1
            ? DecimalDigits.write(digits, 1, target, offset)
            : mixed(digits, count, 1, target, offset);
    target[position] = 'e';
    target[position + 1] = (byte) (exponent < 0 ? '-' : '+');
    position += 2;
    int magnitude = Math.abs(exponent);
    int exponentDigits = DecimalDigits.count(magnitude);
    position = zeros(minExponentDigits - exponentDigits, target, position);
    return DecimalDigits.write(magnitude, exponentDigits, target, position);
  }

  /** Writes no zeros for a negative count. */
  private static int zeros(int count, byte[] target, int offset) {
    int position = offset;
    for (int i = 0; i < count; i++) {
      target[position++] = '0';
    }
    return position;
  }
}
