package dev.millrace.format.translation;

/**
 * Escapes names as a scraper asks for it (Prometheus documentation, "UTF-8 metric and label name
 * escaping schemes"; in what that leaves open, such as the letters of hexadecimal digits, as
 * Prometheus' own library does it). Stateless.
 */
public final class NameEscaping {
  /** What becomes of characters that not every scraper reads in names. */
  public enum Scheme {
    /** They stay. */
    ALLOW_UTF_8,
    /** Each becomes {@code _}. */
    UNDERSCORES,
    /** A dot becomes {@code _dot_}, an underscore and each other one {@code __}. */
    DOTS,
    /** Each becomes its code point in hexadecimal. */
    VALUES
  }

  private NameEscaping() {}

  /**
   * Escapes a name.
   *
   * @param name well-formed and not empty
   * @param colons whether a colon is an ordinary character, as it is in names of metrics only
   */
  public static String escape(String name, Scheme scheme, boolean colons) {
    return switch (scheme) {
      case ALLOW_UTF_8 -> name;
      case UNDERSCORES -> NameText.isPlain(name, colons) ? name : underscores(name, colons);
      // Plain names, too: an underscore has to be told from what stands for other characters.
      case DOTS -> dots(name, colons);
      case VALUES -> NameText.isPlain(name, colons) ? name : values(name, colons);
    };
  }

  private static String underscores(String name, boolean colons) {
    StringBuilder escaped = new StringBuilder(name.length());
    for (int at = 0; at < name.length(); ) {
      int character = name.codePointAt(at);
      escaped.append(NameText.isPlain(character, at == 0, colons) ? (char) character : '_');
      at += Character.charCount(character);
    }
    return escaped.toString();
  }

  private static String dots(String name, boolean colons) {
    StringBuilder escaped = new StringBuilder(2 * name.length());
    for (int at = 0; at < name.length(); ) {
      int character = name.codePointAt(at);
      if (character == '.') {
        escaped.append("_dot_");
      } else if (character != '_' && NameText.isPlain(character, at == 0, colons)) {
        escaped.append((char) character);
      } else {
        escaped.append("__");
      }
      at += Character.charCount(character);
    }
    return escaped.toString();
  }

  private static String values(String name, boolean colons) {
    StringBuilder escaped = new StringBuilder(2 * name.length()).append("U__");
    for (int at = 0; at < name.length(); ) {
      int character = name.codePointAt(at);
      if (character == '_') {
        escaped.append("__");
      } else if (NameText.isPlain(character, at == 0, colons)) {
        escaped.append((char) character);
      } else {
        escaped.append('_').append(Integer.toHexString(character)).append('_');
      }
      at += Character.charCount(character);
    }
    return escaped.toString();
  }
}
