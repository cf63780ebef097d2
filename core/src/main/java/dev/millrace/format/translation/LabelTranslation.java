package dev.millrace.format.translation;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The names of labels where other characters become underscores (OpenTelemetry specification,
 * Prometheus compatibility, "Metric Attributes"). A name is valid whatever the key: what may not
 * stand in it becomes {@code _}, runs of it become one, and {@code key_} or {@code key} comes
 * before a digit, before a key that begins with {@code __} (such names mean something to Prometheus
 * itself) and before a key with nothing usable. Stateless.
 */
public final class LabelTranslation {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.US_ASCII);

  private LabelTranslation() {}

  /** The name of a key given as bytes of UTF-8, valid or not. */
  public static byte[] underscored(byte[] key) {
    byte[] name = new byte[key.length + KEY.length + 1];
    // Room for a prefix, which is only known to be needed when the rest is there.
    int start = KEY.length + 1;
    int at = start;
    boolean usable = false;
    for (byte b : key) {
      if (isLetterOrDigit(b)) {
        name[at++] = b;
        usable = true;
      } else if (at == start || name[at - 1] != '_') {
        name[at++] = '_';
      }
    }
    if (at > start && isDigit(name[start])) {
      name[--start] = '_';
      start = prefix(name, start);
    } else if (!usable || (key[0] == '_' && key[1] == '_')) {
      start = prefix(name, start);
    }
    return Arrays.copyOfRange(name, start, at);
  }

  private static int prefix(byte[] name, int start) {
    System.arraycopy(KEY, 0, name, start - KEY.length, KEY.length);
    return start - KEY.length;
  }

  private static boolean isLetterOrDigit(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || isDigit(b);
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
