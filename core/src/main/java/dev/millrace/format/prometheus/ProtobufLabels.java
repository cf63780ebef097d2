package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.BlockText;
import dev.millrace.format.translation.LabelEncoder;
import java.util.Arrays;

/**
 * Labels as the {@code LabelPair} fields of a protobuf {@code Metric}, one after another:
 *
 * <pre>
 *   | 0x0a | length of the pair | 0x0a | length | name | 0x12 | length | value |
 * </pre>
 *
 * <p>They are made from the block of labels that the text formats have, so that all formats name,
 * join, sort and clean labels in one place. Not thread-safe; it keeps its memory.
 */
final class ProtobufLabels {
  private final ProtobufBuffer pairs = new ProtobufBuffer();
  private final ByteArray name = new ByteArray();
  private final ByteArray value = new ByteArray();

  /** The pairs that were made last. */
  ProtobufBuffer pairs() {
    return pairs;
  }

  /** Makes the pairs of a block that {@link LabelEncoder} made. */
  void encode(byte[] block, int lengthBytes) {
    pairs.clear();
    int at = 1;
    while (at < lengthBytes) {
      int nameEnd = BlockText.nameEnd(block, at);
      int valueEnd = BlockText.quoteEnd(block, nameEnd + 2);
      name.clear();
      BlockText.appendName(block, at, nameEnd, name);
      value.clear();
      BlockText.unescape(block, nameEnd + 2, valueEnd, value);
      append(ProtobufSchema.METRIC_LABEL, pairs);
      at = BlockText.next(block, lengthBytes, valueEnd);
    }
  }

  private void append(int tag, ProtobufBuffer out) {
    int pair = out.begin(tag);
    out.writeBytes(ProtobufSchema.LABEL_NAME, name.bytes(), 0, name.lengthBytes());
    out.writeBytes(ProtobufSchema.LABEL_VALUE, value.bytes(), 0, value.lengthBytes());
    out.end(pair);
  }

  /**
   * Copies pairs without those that have no value.
   *
   * @param keptWhenEmpty a name whose pair stays all the same
   */
  static void normalize(byte[] pairs, int lengthBytes, byte[] keptWhenEmpty, ByteArray out) {
    int at = 0;
    while (at < lengthBytes) {
      int start = at;
      int contentStart = afterVarint(pairs, at + 1);
      at = contentStart + varint(pairs, start + 1);
      int nameStart = afterVarint(pairs, contentStart + 1);
      int nameEnd = nameStart + varint(pairs, contentStart + 1);
      boolean empty = varint(pairs, nameEnd + 1) == 0;
      if (!empty || isName(pairs, nameStart, nameEnd, keptWhenEmpty)) {
        out.append(pairs, start, at - start);
      }
    }
  }

  private static boolean isName(byte[] bytes, int from, int to, byte[] name) {
    return Arrays.equals(bytes, from, to, name, 0, name.length);
  }

  private static int varint(byte[] bytes, int offset) {
    int value = 0;
    int at = offset;
    for (int shift = 0; ; shift += 7) {
      byte b = bytes[at++];
      value |= (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }

  private static int afterVarint(byte[] bytes, int offset) {
    int at = offset;
    while (bytes[at] < 0) {
      at++;
    }
    return at + 1;
  }
}
