package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import java.nio.charset.StandardCharsets;

/**
 * Names as the text formats write them: plain, or in quotes where they have characters that
 * Prometheus did not always know (Prometheus documentation, "Exposition formats"). Stateless.
 */
public final class NameText {
  private NameText() {}

  /**
   * Whether a name needs no quotes (Prometheus documentation, "Data model").
   *
   * @param colons whether a colon may stand in it, as it may in names of metrics only
   */
  public static boolean isPlain(String name, boolean colons) {
    for (int i = 0; i < name.length(); i++) {
      if (!isPlain(name.charAt(i), i == 0, colons)) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /** Whether a character may stand in a plain name, at its start or after it. */
  public static boolean isPlain(int character, boolean first, boolean colons) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || character == '_'
        || (character >= '0' && character <= '9' && !first)
        || (character == ':' && colons);
  }

  /** Appends the name of a metric, in quotes where it needs them. */
  public static void appendMetric(ByteArray out, String name) {
    append(out, name, true);
  }

  /** The name of a label, in quotes where it needs them. */
  public static byte[] label(String name) {
    ByteArray text = new ByteArray();
    append(text, name, false);
    return text.toByteArray();
  }

  private static void append(ByteArray out, String name, boolean colons) {
    if (isPlain(name, colons)) {
      out.appendUtf8(name);
      return;
    }
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    out.append('"');
    Escaping.appendLabelValue(out, utf8, 0, utf8.length);
    out.append('"');
  }
}
