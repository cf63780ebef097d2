package dev.millrace.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads {@code grpc-message}: UTF-8 in which some bytes stand as {@code %} and two digits. */
final class PercentText {
  /** More than a log's line shows of it, whatever the receiver sends. */
  private static final int MAX_CHARS = 2_048;

  private static final int HEX = 16;

  private PercentText() {}

  /** The text; what is no valid escape stays as it is, as gRPC asks for. */
  static String decode(@Nullable CharSequence encoded) {
    if (encoded == null) {
      return "";
    }
    int length = Math.min(encoded.length(), MAX_CHARS);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(length);
    for (int i = 0; i < length; i++) {
      char c = encoded.charAt(i);
      if (c == '%' && i + 2 < length) {
        int high = Character.digit(encoded.charAt(i + 1), HEX);
        int low = Character.digit(encoded.charAt(i + 2), HEX);
        if (high >= 0 && low >= 0) {
          bytes.write(high * HEX + low);
          i += 2;
          continue;
        }
      }
      bytes.write(c);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
