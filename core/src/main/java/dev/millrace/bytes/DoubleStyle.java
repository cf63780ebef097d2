package dev.millrace.bytes;

/**
 * Where a text form of doubles goes over from plain digits to scientific notation, and how it
 * writes an exponent.
 *
 * <p>Exponents here are those of scientific notation: 0 for 1 to 9.99, -1 for 0.1 to 0.999.
 */
enum DoubleStyle {
  /** {@link DoubleText#write}. */
  EXPOSITION(-4, 20, 2, false),

  /** {@link DoubleText#writeCanonical}. */
  CANONICAL(-4, 5, 2, true),

  /** {@link DoubleText#writeJson}. */
  JSON(-6, 20, 1, false);

  /** Numbers with a lower exponent are written in scientific notation. */
  final int minPlainExponent;

  /** Numbers with a higher exponent are written in scientific notation. */
  final int maxPlainExponent;

  /** Shorter exponents get leading zeros. */
  final int minExponentDigits;

  /** Whether a whole number in plain digits ends in {@code .0}. */
  final boolean pointInWholeNumbers;

  DoubleStyle(
      int minPlainExponent,
      int maxPlainExponent,
      int minExponentDigits,
      boolean pointInWholeNumbers) {
    this.minPlainExponent = minPlainExponent;
    this.maxPlainExponent = maxPlainExponent;
    this.minExponentDigits = minExponentDigits;
    this.pointInWholeNumbers = pointInWholeNumbers;
  }
}
