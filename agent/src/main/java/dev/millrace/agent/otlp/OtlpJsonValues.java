package dev.millrace.agent.otlp;

import dev.millrace.format.otlp.OtlpSchema;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads single values of OTLP's JSON encoding; each method gives {@code null} for a wrong one. */
final class OtlpJsonValues {
  /** The most characters of a wrong value that a message repeats. */
  private static final int MAX_QUOTED_CHARS = 100;

  /** More digits than any whole number of 64 bits has, so that none is computed for nothing. */
  private static final int MAX_WHOLE_CHARS = 64;

  private static final BigDecimal MAX_UNSIGNED = new BigDecimal("18446744073709551615");

  private OtlpJsonValues() {}

  /** Bytes in the standard or the URL-safe form of base64, with or without padding. */
  static byte @Nullable [] base64(String text) {
    try {
      return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Bytes in hexadecimal digits of either case. */
  static byte @Nullable [] hex(String text) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * A floating-point number.
   *
   * @param quoted whether it was text, which may name what is not a number or infinite
   */
  static @Nullable Double floating(String text, boolean quoted) {
    if (quoted && text.equals("NaN")) {
      return Double.NaN;
    }
    if (quoted && text.equals("Infinity")) {
      return Double.POSITIVE_INFINITY;
    }
    if (quoted && text.equals("-Infinity")) {
      return Double.NEGATIVE_INFINITY;
    }
    if (!isDecimal(text)) {
      return null;
    }
    double value = Double.parseDouble(text);
    return Double.isInfinite(value) ? null : value;
  }

  /**
   * A whole number of a field's type, whose bits are the result; also written with an exponent, and
   * of an enum also its name.
   */
  static @Nullable Long whole(String text, OtlpSchema.Field field) {
    OtlpSchema.Type type = field.type();
    if (type == OtlpSchema.Type.ENUM && !isDecimal(text)) {
      int number = field.enumNames().indexOf(text);
      return number < 0 ? null : (long) number;
    }
    if (!isDecimal(text) || text.length() > MAX_WHOLE_CHARS) {
      return null;
    }
    BigDecimal value = new BigDecimal(text);
    // The scale is bounded first: a number of a billion digits is not to be written out.
    boolean inSight =
        value.signum() == 0 || Math.abs((long) value.precision() - value.scale()) <= 20;
    if (!inSight || value.stripTrailingZeros().scale() > 0) {
      return null;
    }
    if (value.signum() == 0) {
      return 0L;
    }
    boolean inRange =
        switch (type) {
          case FIXED64, UINT64 -> value.signum() >= 0 && value.compareTo(MAX_UNSIGNED) <= 0;
          case UINT32, FIXED32 -> isBetween(value, 0, 0xffff_ffffL);
          case INT64, SFIXED64 -> isBetween(value, Long.MIN_VALUE, Long.MAX_VALUE);
          default -> isBetween(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
        };
    return inRange ? value.toBigInteger().longValue() : null;
  }

  /** The name of the numbers that a field holds. */
  static String range(OtlpSchema.Field field) {
    return switch (field.type()) {
      case FIXED64, UINT64 -> "a whole number from 0 to 18446744073709551615";
      case UINT32, FIXED32 -> "a whole number from 0 to 4294967295";
      case INT64, SFIXED64 -> "a whole number of 64 bits";
      case ENUM ->
          "a number from 0 to "
              + (field.enumNames().size() - 1)
              + ", or a name such as "
              + field.enumNames().get(1);
      default -> "a whole number of 32 bits";
    };
  }

  /** A value for a message: in quotes, cut short, and without line breaks. */
  static String quote(String text) {
    String cut =
        text.length() <= MAX_QUOTED_CHARS ? text : text.substring(0, MAX_QUOTED_CHARS) + "...";
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < cut.length(); i++) {
      char c = cut.charAt(i);
      quoted.append(Character.isISOControl(c) ? '?' : c);
    }
    return quoted.append('"').toString();
  }

  private static boolean isBetween(BigDecimal value, long least, long most) {
    return value.compareTo(BigDecimal.valueOf(least)) >= 0
        && value.compareTo(BigDecimal.valueOf(most)) <= 0;
  }

  /** Whether a text is a number as JSON has them; a sign, digits, a fraction and an exponent. */
  private static boolean isDecimal(String text) {
    int at = 0;
    int end = text.length();
    if (at < end && text.charAt(at) == '-') {
      at++;
    }
    int digits = skipDigits(text, at);
    if (digits == at) {
      return false;
    }
    at = digits;
    if (at < end && text.charAt(at) == '.') {
      digits = skipDigits(text, at + 1);
      if (digits == at + 1) {
        return false;
      }
      at = digits;
    }
    if (at < end && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < end && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      digits = skipDigits(text, at);
      if (digits == at || digits - at > 9) {
        return false;
      }
      at = digits;
    }
    return at == end;
  }

  private static int skipDigits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
