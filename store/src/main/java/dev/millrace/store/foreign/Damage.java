package dev.millrace.store.foreign;

/** What is wrong with a file. */
enum Damage {
  /** The file has not even a header. */
  NO_HEADER("expected a header of 8 bytes, found the end of the file"),
  /** The header counts no bytes in use. */
  BAD_USED("expected at least 8 bytes in use, found another number in the header"),
  /** An entry's length cannot be. */
  BAD_LENGTH("expected the length of a key that fits into the bytes in use, found another number"),
  /** An entry's key is none. */
  BAD_KEY("expected a key as the client writes it, found other bytes"),
  /** The file ends before an entry does. */
  CUT("expected a whole entry, found the end of the file"),
  /** Neither way to store a value leads to the next entry. */
  NO_NEXT("expected an entry after 8 or 16 bytes of value, found none");

  private final String text;

  Damage(String text) {
    this.text = text;
  }

  /** What was expected and found. */
  String text() {
    return text;
  }
}
