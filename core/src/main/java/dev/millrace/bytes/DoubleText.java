package dev.millrace.bytes;

/**
 * Doubles as decimal ASCII text, written straight into a byte array.
 *
 * <p>The digits are always the fewest that read back as the same double with any correct reader
 * (Go's {@code strconv.ParseFloat}, {@link Double#parseDouble}, Python's {@code float}); of equally
 * few digits, those closest to the double. {@link Double#toString(double)} promises that only from
 * JDK 19 on. How the digits are laid out depends on who reads them:
 *
 * <table>
 *   <caption>Layouts</caption>
 *   <tr><th>double</th><th>{@link #write}</th><th>{@link #writeCanonical}</th><th>{@link #writeJson}</th></tr>
 *   <tr><td>1.0</td><td>1</td><td>1.0</td><td>1</td></tr>
 *   <tr><td>-0.0</td><td>-0</td><td>0.0</td><td>-0</td></tr>
 *   <tr><td>0.25</td><td>0.25</td><td>0.25</td><td>0.25</td></tr>
 *   <tr><td>1234567.0</td><td>1234567</td><td>1.234567e+06</td><td>1234567</td></tr>
 *   <tr><td>1e21</td><td>1e+21</td><td>1e+21</td><td>1e+21</td></tr>
 *   <tr><td>0.00001</td><td>1e-05</td><td>1e-05</td><td>0.00001</td></tr>
 *   <tr><td>0.0000001</td><td>1e-07</td><td>1e-07</td><td>1e-7</td></tr>
 *   <tr><td>NaN</td><td>NaN</td><td>NaN</td><td>NaN</td></tr>
 *   <tr><td>infinities</td><td>+Inf, -Inf</td><td>+Inf, -Inf</td><td>Infinity, -Infinity</td></tr>
 * </table>
 *
 * <pre>{@code
 * byte[] target = new byte[DoubleText.MAX_BYTES];
 * int end = DoubleText.write(0.1 + 0.2, target, 0);
 * assert new String(target, 0, end, StandardCharsets.US_ASCII).equals("0.30000000000000004");
 * }</pre>
 *
 * <p>Stateless and safe for use by many threads. Nothing is allocated.
 */
public final class DoubleText {
  /**
   * The longest text of any method. With a sign and 17 digits ({@link Schubfach#MAX_DIGITS}),
   *
   * <ul>
   *   <li>JSON, down to exponent -6, takes {@code -0.00000} and the digits: 25 bytes;
   *   <li>the others, down to exponent -4, take {@code -0.000} and the digits: 23 bytes;
   *   <li>scientific notation adds a point and at most {@code e-324}: 24 bytes;
   *   <li>plain digits up to exponent 20 take a sign and 21 digits, or a sign, a point and 17
   *       digits: at most 22 bytes; canonical ones up to exponent 5 are shorter with their {@code
   *       .0}, too.
   * </ul>
   */
  public static final int MAX_BYTES = 25;

  private static final long EXPONENT_MASK = 0x7FF0_0000_0000_0000L;

  /**
   * Below 2<sup>53</sup> a whole number is its own shortest decimal: the numbers that read back as
   * it are all closer to it than the next whole number, and a shorter decimal as great as this
   * could only be another whole number.
   */
  private static final long FIRST_AMBIGUOUS_WHOLE = 1L << 53;

  private DoubleText() {}

  /**
   * Writes a double the way that the Prometheus text format and OpenMetrics read sample values:
   * {@code NaN}, {@code +Inf}, {@code -Inf}, {@code -0}, whole numbers without a point ({@code
   * 1027}), plain digits from 0.0001 up to 10<sup>21</sup> and scientific notation outside, its
   * exponent with a sign and at least two digits ({@code 1e-05}, {@code 1.5e+300}).
   *
   * @param value any double; all NaNs are alike
   * @param target where to; {@link #MAX_BYTES} free bytes from {@code offset} on are always enough.
   *     Bytes outside of the text are left as they are
   * @param offset index in {@code target} of the first byte of the text
   * @return the index after the last byte of the text
   * @throws IndexOutOfBoundsException if the text does not fit; part of it may be written
   */
  public static int write(double value, byte[] target, int offset) {
    if (isSpecial(value)) {
      return writeInf(value, target, offset);
    }
    return writeSigned(value, DoubleStyle.EXPOSITION, target, offset);
  }

  /**
   * Writes a double as a "canonical number" of OpenMetrics 1.0.0 (section "Considerations:
   * Canonical Numbers"), which the values of the labels {@code le} and {@code quantile} must be: as
   * Go's {@code %g} renders it, with {@code .0} appended if that has neither a point nor an
   * exponent. So plain digits from 0.0001 up to 10<sup>6</sup> and scientific notation outside
   * ({@code 0.0}, {@code 10.0}, {@code 100000.0}, {@code 1e+06}, {@code 1e-05}), {@code +Inf},
   * {@code -Inf}, {@code NaN}.
   *
   * <p>Zero is {@code 0.0} whatever its sign: as a bound both zeros are the same number, and the
   * section wants one text for one number.
   *
   * @param value any double; all NaNs are alike
   * @param target where to; {@link #MAX_BYTES} free bytes from {@code offset} on are always enough.
   *     Bytes outside of the text are left as they are
   * @param offset index in {@code target} of the first byte of the text
   * @return the index after the last byte of the text
   * @throws IndexOutOfBoundsException if the text does not fit; part of it may be written
   */
  public static int writeCanonical(double value, byte[] target, int offset) {
    if (isSpecial(value)) {
      return writeInf(value, target, offset);
    }
    // Adding zero makes a positive zero of a negative one and leaves everything else as it is.
    return writeSigned(value + 0.0, DoubleStyle.CANONICAL, target, offset);
  }

  /**
   * Writes a double the way that attribute values become text (OpenTelemetry specification,
   * "AnyValue representation for non-OTLP protocols"): a JSON number (RFC 8259, section 6), or
   * {@code NaN}, {@code Infinity}, {@code -Infinity} without quotes, which are no JSON. Inside an
   * array or a map these three must be put between quotes by the caller.
   *
   * <p>Of the JSON numbers that are equal, the one that JavaScript and the OpenTelemetry Collector
   * write: plain digits from 0.000001 up to 10<sup>21</sup>, and scientific notation outside, with
   * a sign and no leading zeros in the exponent ({@code 1e-7}, {@code 1e+21}). Unlike JavaScript,
   * and like the Collector, it keeps the sign of {@code -0}.
   *
   * @param value any double; all NaNs are alike
   * @param target where to; {@link #MAX_BYTES} free bytes from {@code offset} on are always enough.
   *     Bytes outside of the text are left as they are
   * @param offset index in {@code target} of the first byte of the text
   * @return the index after the last byte of the text
   * @throws IndexOutOfBoundsException if the text does not fit; part of it may be written
   */
  public static int writeJson(double value, byte[] target, int offset) {
    if (isSpecial(value)) {
      return writeInfinity(value, target, offset);
    }
    return writeSigned(value, DoubleStyle.JSON, target, offset);
  }

  private static boolean isSpecial(double value) {
    return (Double.doubleToRawLongBits(value) & EXPONENT_MASK) == EXPONENT_MASK;
  }

  private static int writeInf(double special, byte[] target, int offset) {
    if (Double.isNaN(special)) {
      return writeNan(target, offset);
    }
    target[offset] = (byte) (special < 0 ? '-' : '+');
    target[offset + 1] = 'I';
    target[offset + 2] = 'n';
    target[offset + 3] = 'f';
    return offset + 4;
  }

  private static int writeInfinity(double special, byte[] target, int offset) {
    if (Double.isNaN(special)) {
      return writeNan(target, offset);
    }
    int position = offset;
    if (special < 0) {
      target[position++] = '-';
    }
    target[position] = 'I';
    target[position + 1] = 'n';
    target[position + 2] = 'f';
    target[position + 3] = 'i';
    target[position + 4] = 'n';
    target[position + 5] = 'i';
    target[position + 6] = 't';
    target[position + 7] = 'y';
    return position + 8;
  }

  private static int writeNan(byte[] target, int offset) {
    target[offset] = 'N';
    target[offset + 1] = 'a';
    target[offset + 2] = 'N';
    return offset + 3;
  }

  private static int writeSigned(double finite, DoubleStyle style, byte[] target, int offset) {
    long bits = Double.doubleToRawLongBits(finite);
    if (bits >= 0) {
      return writeMagnitude(finite, style, target, offset);
    }
    target[offset] = '-';
    return writeMagnitude(-finite, style, target, offset + 1);
  }

  private static int writeMagnitude(
      double magnitude, DoubleStyle style, byte[] target, int offset) {
    long whole = (long) magnitude;
    if (whole < FIRST_AMBIGUOUS_WHOLE && whole == magnitude) {
      int count = DecimalDigits.count(whole);
      if (count <= style.maxPlainExponent + 1) {
        int end = DecimalDigits.write(whole, count, target, offset);
        return style.pointInWholeNumbers ? writePointZero(target, end) : end;
      }
      return writeDecimal(whole, 0, style, target, offset);
    }
    long bits = Double.doubleToRawLongBits(magnitude);
    int exponent = Schubfach.exponent(bits);
    return writeDecimal(Schubfach.significand(bits, exponent), exponent, style, target, offset);
  }

  /** Writes {@code significand * 10^exponent}; the significand is positive and may end in zeros. */
  private static int writeDecimal(
      long significand, int exponent, DoubleStyle style, byte[] target, int offset) {
    long digits = withoutTrailingZeros(significand);
    int count = DecimalDigits.count(digits);
    // Of the first digit, which the zeros that are gone do not move.
    int scientificExponent = exponent + DecimalDigits.count(significand) - 1;
    if (scientificExponent < style.minPlainExponent
        || scientificExponent > style.maxPlainExponent) {
      return DecimalLayout.scientific(
          digits, count, scientificExponent, style.minExponentDigits, target, offset);
    }
    if (scientificExponent < 0) {
      return DecimalLayout.fraction(digits, count, -scientificExponent - 1, target, offset);
    }
    int wholeDigits = scientificExponent + 1;
    if (wholeDigits < count) {
      return DecimalLayout.mixed(digits, count, wholeDigits, target, offset);
    }
    int end = DecimalLayout.whole(digits, count, wholeDigits - count, target, offset);
    return style.pointInWholeNumbers ? writePointZero(target, end) : end;
  }

  private static int writePointZero(byte[] target, int offset) {
    target[offset] = '.';
    target[offset + 1] = '0';
    return offset + 2;
  }

  /**
   * Halves the number of digits to look at each time: a loop by tens would divide up to 16 times.
   */
  private static long withoutTrailingZeros(long positive) {
    long digits = positive;
    long quotient = digits / 10;
    if (quotient * 10 != digits) {
      return digits;
    }
    // Twice only for 10^16, which the grid gives for a few doubles.
    quotient = digits / 100_000_000;
    while (quotient * 100_000_000 == digits) {
      digits = quotient;
      quotient = digits / 100_000_000;
    }
    quotient = digits / 10_000;
    if (quotient * 10_000 == digits) {
      digits = quotient;
    }
    quotient = digits / 100;
    if (quotient * 100 == digits) {
      digits = quotient;
    }
    quotient = digits / 10;
    return quotient * 10 == digits ? quotient : digits;
  }
}
