package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;

/** Finds its way in a block of labels as {@link LabelEncoder} makes it. Stateless. */
public final class BlockText {
  private BlockText() {}

  /** Where the name of a label ends that begins at {@code from}, be it in quotes or not. */
  public static int nameEnd(byte[] block, int from) {
    if (block[from] == '"') {
      return quoteEnd(block, from + 1) + 1;
    }
    int at = from;
    while (block[at] != '=') {
      at++;
    }
    return at;
  }

  /** Where the quote is that ends what is in quotes from {@code from} on. */
  public static int quoteEnd(byte[] block, int from) {
    int at = from;
    while (block[at] != '"') {
      at += block[at] == '\\' ? 2 : 1;
    }
    return at;
  }

  /**
   * Where the next label begins, after the quote that ends a value; {@code lengthBytes} where there
   * is none.
   */
  public static int next(byte[] block, int lengthBytes, int valueEnd) {
    // After the value's quote there is a comma, or the brace and the space that end the block.
    return block[valueEnd + 1] == ',' ? valueEnd + 2 : lengthBytes;
  }

  /** Appends the name of a label without the quotes that it may have in text. */
  public static void appendName(byte[] text, int from, int to, ByteArray out) {
    if (text[from] == '"') {
      unescape(text, from + 1, to - 1, out);
    } else {
      out.append(text, from, to - from);
    }
  }

  /** Copies what was escaped by {@link Escaping#appendLabelValue}. */
  public static void unescape(byte[] text, int from, int to, ByteArray out) {
    int run = from;
    for (int at = from; at < to; at++) {
      if (text[at] == '\\') {
        out.append(text, run, at - run);
        at++;
        out.append(text[at] == 'n' ? '\n' : text[at]);
        run = at + 1;
      }
    }
    out.append(text, run, to - run);
  }
}
