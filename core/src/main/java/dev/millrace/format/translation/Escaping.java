package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;

/** Escapes label values and help texts as the two text formats want them. */
public final class Escaping {
  private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

  private Escaping() {}

  /**
   * Appends a label value: backslash, double quote and line feed escaped, which both formats do
   * alike, and bytes that are not UTF-8 made U+FFFD, as Java's own decoder does it: one for each
   * maximal subpart of a sequence, as the Unicode standard recommends, and one for a whole encoded
   * surrogate.
   *
   * @return whether other bytes may give the same text: something was not UTF-8, or was U+FFFD,
   *     which an earlier hand may have put in place of something
   */
  public static boolean appendLabelValue(ByteArray out, byte[] bytes, int from, int to) {
    return append(out, bytes, from, to, true);
  }

  /** Appends text as it is, but for bytes that are not UTF-8, as {@link #appendLabelValue} does. */
  public static void appendUtf8(ByteArray out, byte[] bytes, int from, int to) {
    append(out, bytes, from, to, false);
  }

  private static boolean append(ByteArray out, byte[] bytes, int from, int to, boolean escape) {
    boolean replaced = false;
    int run = from;
    int at = from;
    while (at < to) {
      byte b = bytes[at];
      if (b >= 0) {
        if (escape && (b == '"' || b == '\\' || b == '\n')) {
          out.append(bytes, run, at - run);
          out.append('\\');
          out.append(b == '\n' ? 'n' : b);
          run = at + 1;
        }
        at++;
        continue;
      }
      int sequence = sequence(bytes, at, to);
      if (sequence < 0) {
        out.append(bytes, run, at - run);
        out.append(REPLACEMENT);
        replaced = true;
        run = at - sequence;
        at = run;
      } else {
        replaced |= sequence == REPLACEMENT.length && isReplacement(bytes, at);
        at += sequence;
      }
    }
    out.append(bytes, run, to - run);
    return replaced;
  }

  /** Whether U+FFFD is in a text. */
  public static boolean hasReplacement(byte[] utf8) {
    for (int at = 0; at + REPLACEMENT.length <= utf8.length; at++) {
      if (isReplacement(utf8, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isReplacement(byte[] bytes, int at) {
    return bytes[at] == REPLACEMENT[0]
        && bytes[at + 1] == REPLACEMENT[1]
        && bytes[at + 2] == REPLACEMENT[2];
  }

  /**
   * Appends a help text: backslash and line feed escaped; the double quote too if {@code quotes}.
   */
  public static void appendHelp(ByteArray out, String help, boolean quotes) {
    int run = 0;
    for (int at = 0; at < help.length(); at++) {
      char c = help.charAt(at);
      if (c == '\\' || c == '\n' || (quotes && c == '"')) {
        out.appendUtf8(help.substring(run, at));
        out.append('\\');
        out.append(c == '\n' ? 'n' : c);
        run = at + 1;
      }
    }
    out.appendUtf8(help.substring(run));
  }

  /** How many code points there are once what is not UTF-8 has been replaced. */
  public static int codePoints(byte[] bytes, int from, int to) {
    int count = 0;
    for (int at = from; at < to; count++) {
      at += bytes[at] >= 0 ? 1 : Math.abs(sequence(bytes, at, to));
    }
    return count;
  }

  /**
   * The length of the sequence of two to four bytes that begins at {@code at}; where it is not
   * valid, how many bytes are replaced together, negated (Unicode standard, table 3-7 and "U+FFFD
   * Substitution of Maximal Subparts").
   */
  private static int sequence(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xff;
    if (lead < 0xc2 || lead > 0xf4) {
      return -1;
    }
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    int least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int most = lead == 0xf4 ? 0x8f : 0xbf;
    for (int i = 1; i < length; i++) {
      int next = at + i < to ? bytes[at + i] & 0xff : -1;
      if (next < least || next > most) {
        return -i;
      }
      least = 0x80;
      most = 0xbf;
    }
    boolean surrogate = lead == 0xed && (bytes[at + 1] & 0xff) >= 0xa0;
    return surrogate ? -length : length;
  }
}
