package dev.millrace.agent.otlp;

/**
 * The form that nearly all attributes arrive in: a key and a text, each of fewer than 128 bytes,
 * the fields in order and nothing else. It is recognised at a glance; all other forms are left to
 * the readers that know all of protobuf.
 *
 * <pre>
 *   KeyValue | 0x0a | k | key, k bytes | 0x12 | v + 2 | AnyValue        |
 *   AnyValue                                          | 0x0a | v | text, v bytes |
 * </pre>
 */
final class SimplePair {
  /** Where the key begins in the message. */
  static final int KEY_OFFSET = 2;

  /** How much of the message is neither key nor text. */
  static final int OVERHEAD_BYTES = 6;

  private static final int FIELD_1 = 0x0a;
  private static final int FIELD_2 = 0x12;

  private SimplePair() {}

  /**
   * The length of the key of a {@code KeyValue} of this form, or -1 where it is of another.
   *
   * @param start where the message begins
   * @param lengthBytes how long it is
   */
  static int keyLength(byte[] bytes, int start, int lengthBytes) {
    if (lengthBytes < OVERHEAD_BYTES || bytes[start] != FIELD_1) {
      return -1;
    }
    int key = bytes[start + 1];
    int text = lengthBytes - OVERHEAD_BYTES - key;
    if (key < 0 || text < 0 || text > 125) {
      return -1;
    }
    int value = start + KEY_OFFSET + key;
    return bytes[value] == FIELD_2
            && bytes[value + 1] == text + 2
            && bytes[value + 2] == FIELD_1
            && bytes[value + 3] == text
        ? key
        : -1;
  }
}
