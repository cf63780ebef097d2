package dev.millrace.format.prometheus;

/** Finds its way in a block of labels as {@link LabelEncoder} makes it. Stateless. */
final class BlockText {
  private BlockText() {}

  /** Where the name of a label ends that begins at {@code from}, be it in quotes or not. */
  static int nameEnd(byte[] block, int from) {
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
  static int quoteEnd(byte[] block, int from) {
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
  static int next(byte[] block, int lengthBytes, int valueEnd) {
    // After the value's quote there is a comma, or the brace and the space that end the block.
    return block[valueEnd + 1] == ',' ? valueEnd + 2 : lengthBytes;
  }
}
