package dev.millrace.store.file;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Names one writer of one file for all time: 128 random bits.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record InstanceId(long high, long low) {
  private static final int HEX_CHARS = 32;

  /** A new one. */
  static InstanceId random() {
    SecureRandom random = new SecureRandom();
    return new InstanceId(random.nextLong(), random.nextLong());
  }

  /** The id of 32 lower-case hexadecimal digits, or {@code null} where the text is none. */
  static @Nullable InstanceId parse(String text) {
    if (text.length() != HEX_CHARS) {
      return null;
    }
    for (int i = 0; i < HEX_CHARS; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return null;
      }
    }
    return new InstanceId(
        Long.parseUnsignedLong(text, 0, HEX_CHARS / 2, 16),
        Long.parseUnsignedLong(text, HEX_CHARS / 2, HEX_CHARS, 16));
  }

  /** 32 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return hex(high) + hex(low);
  }

  private static String hex(long value) {
    String digits = Long.toHexString(value);
    return "0".repeat(HEX_CHARS / 2 - digits.length()) + digits;
  }
}
