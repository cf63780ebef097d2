package dev.millrace.format.otlp;

/**
 * Reads the two values that a reply in JSON may have, and goes past everything else:
 *
 * <pre>
 *   {"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}
 * </pre>
 *
 * <p>A whole parser is not needed for that: values of other fields are skipped by their brackets
 * and quotes, without recursion, so that nesting costs nothing. Whether those are well-formed is
 * not looked at. Used for one reply.
 */
final class JsonReply {
  private static final int MAX_DIGITS = 19;

  private final String json;
  private int at;
  private boolean malformed;
  private long rejected;
  private String message = "";

  JsonReply(String json) {
    this.json = json;
  }

  /** Reads the reply; {@code false} where it is not one. */
  boolean read() {
    readObject(true);
    skipSpace();
    return !malformed && at == json.length();
  }

  long rejected() {
    return rejected;
  }

  String message() {
    return message;
  }

  private void readObject(boolean outer) {
    expect('{');
    if (next('}')) {
      return;
    }
    do {
      String key = readText();
      expect(':');
      if (malformed) {
        return;
      }
      readField(key, outer);
    } while (!malformed && next(','));
    expect('}');
  }

  private void readField(String key, boolean outer) {
    skipSpace();
    char first = peek();
    if (outer && key.equals("partialSuccess") && first == '{') {
      readObject(false);
    } else if (!outer && key.equals("errorMessage") && first == '"') {
      message = readText();
    } else if (!outer && isRejected(key) && (first == '"' || first == '-' || isDigit(first))) {
      rejected = number(first == '"' ? readText() : readPlain());
    } else {
      skipValue();
    }
  }

  private static boolean isRejected(String key) {
    return switch (key) {
      case "rejectedSpans", "rejectedDataPoints", "rejectedLogRecords" -> true;
      default -> false;
    };
  }

  /** A whole number; 0 for one that is none. */
  private static long number(String text) {
    if (text.isEmpty() || text.length() > MAX_DIGITS) {
      return 0;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return 0;
      }
      value = 10 * value + text.charAt(i) - '0';
    }
    return Math.max(0, value);
  }

  private String readText() {
    expect('"');
    StringBuilder text = new StringBuilder();
    while (!malformed) {
      char c = take();
      if (c == '"') {
        break;
      }
      text.append(c == '\\' ? unescaped() : c);
    }
    return text.toString();
  }

  private char unescaped() {
    char c = take();
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
          int digit = Character.digit(take(), 16);
          malformed |= digit < 0;
          unit = unit << 4 | (digit & 15);
        }
        yield (char) unit;
      }
      default -> c;
    };
  }

  private void skipValue() {
    int depth = 0;
    do {
      skipSpace();
      switch (peek()) {
        case '"' -> readText();
        case '{', '[' -> {
          at++;
          depth++;
        }
        case '}', ']' -> {
          at++;
          depth--;
        }
        case ',', ':' -> {
          malformed |= depth == 0;
          at++;
        }
        default -> malformed |= readPlain().isEmpty();
      }
    } while (depth > 0 && !malformed);
    malformed |= depth < 0;
  }

  /** A number or a word. */
  private String readPlain() {
    int from = at;
    while (at < json.length() && isPlain(json.charAt(at))) {
      at++;
    }
    return json.substring(from, at);
  }

  private static boolean isPlain(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || c == 'E' || c == '-' || c == '+' || c == '.';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void expect(char c) {
    malformed |= !next(c);
  }

  private boolean next(char c) {
    skipSpace();
    if (peek() != c) {
      return false;
    }
    at++;
    return true;
  }

  private void skipSpace() {
    while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
  }

  /** The next character, or 0 at the end. */
  private char peek() {
    return at < json.length() ? json.charAt(at) : 0;
  }

  private char take() {
    if (at == json.length()) {
      malformed = true;
      return 0;
    }
    return json.charAt(at++);
  }
}
