package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Varint;
import dev.millrace.format.translation.BlockText;
import dev.millrace.format.translation.LabelEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The labels of one series as remote write has them: sorted by name, none without a value. Names
 * and values are made from the block of labels that the text formats have, so that all formats
 * name, join and clean labels in one place. Not thread-safe; it keeps its memory.
 */
final class LabelList {
  /** The label that has the name of the metric. */
  static final byte[] METRIC_NAME = "__name__".getBytes(StandardCharsets.US_ASCII);

  private final ByteArray text = new ByteArray();
  private final ByteArray pairs = new ByteArray();

  /** For each label: where the name begins, where the value begins, and where it ends. */
  private int[] offsets = new int[3 * 16];

  private int size;

  /** Takes the labels of a block that {@link LabelEncoder} made. */
  void read(byte[] block, int lengthBytes) {
    text.clear();
    size = 0;
    int at = 1;
    while (at < lengthBytes) {
      int nameEnd = BlockText.nameEnd(block, at);
      int valueEnd = BlockText.quoteEnd(block, nameEnd + 2);
      if (valueEnd > nameEnd + 2) {
        int nameStart = text.lengthBytes();
        BlockText.appendName(block, at, nameEnd, text);
        int valueStart = text.lengthBytes();
        BlockText.unescape(block, nameEnd + 2, valueEnd, text);
        insert(nameStart, valueStart, text.lengthBytes());
      }
      at = BlockText.next(block, lengthBytes, valueEnd);
    }
  }

  int size() {
    return size;
  }

  /** Holds all names and values. */
  byte[] bytes() {
    return text.bytes();
  }

  int nameStart(int label) {
    return offsets[3 * label];
  }

  int valueStart(int label) {
    return offsets[3 * label + 1];
  }

  int valueEnd(int label) {
    return offsets[3 * label + 2];
  }

  /** How many labels come before one of that name. */
  int before(byte[] name) {
    int label = 0;
    while (label < size
        && Arrays.compareUnsigned(
                text.bytes(), nameStart(label), valueStart(label), name, 0, name.length)
            < 0) {
      label++;
    }
    return label;
  }

  /** The labels as fields of a 1.0 {@code TimeSeries}; overwritten by the next. */
  ByteArray pairs() {
    pairs.clear();
    for (int i = 0; i < size; i++) {
      appendPair(
          pairs,
          text.bytes(),
          nameStart(i),
          valueStart(i) - nameStart(i),
          text.bytes(),
          valueStart(i),
          valueEnd(i) - valueStart(i));
    }
    return pairs;
  }

  /** How many bytes the first labels take in {@link #pairs}. */
  int pairsBytes(int labels) {
    int bytes = 0;
    for (int i = 0; i < labels; i++) {
      bytes += pairBytes(valueStart(i) - nameStart(i), valueEnd(i) - valueStart(i));
    }
    return bytes;
  }

  /** How many bytes a label takes as a field of a 1.0 {@code TimeSeries}. */
  static int pairBytes(int nameBytes, int valueBytes) {
    int content = contentBytes(nameBytes, valueBytes);
    return 1 + Varint.sizeOf(content) + content;
  }

  private static int contentBytes(int nameBytes, int valueBytes) {
    return 2 + Varint.sizeOf(nameBytes) + nameBytes + Varint.sizeOf(valueBytes) + valueBytes;
  }

  /** Appends a label as a field of a 1.0 {@code TimeSeries} or {@code Exemplar}. */
  static void appendPair(
      ByteArray out,
      byte[] name,
      int nameStart,
      int nameBytes,
      byte[] value,
      int valueStart,
      int valueBytes) {
    int content = contentBytes(nameBytes, valueBytes);
    out.reserve(3 + 3 * Varint.MAX_BYTES);
    out.append(WriteSchema.LABELS << 3 | 2);
    appendVarint(out, content);
    out.append(WriteSchema.LABEL_NAME << 3 | 2);
    appendVarint(out, nameBytes);
    out.append(name, nameStart, nameBytes);
    out.append(WriteSchema.LABEL_VALUE << 3 | 2);
    appendVarint(out, valueBytes);
    out.append(value, valueStart, valueBytes);
  }

  static void appendVarint(ByteArray out, long value) {
    out.reserve(Varint.MAX_BYTES);
    out.advanceTo(Varint.put(value, out.bytes(), out.lengthBytes()));
  }

  /** Puts a label where its name belongs; blocks are nearly sorted, so that is at the end. */
  private void insert(int nameStart, int valueStart, int valueEnd) {
    if (3 * size + 3 > offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * offsets.length);
    }
    byte[] bytes = text.bytes();
    int at = size;
    while (at > 0
        && Arrays.compareUnsigned(
                bytes, nameStart(at - 1), valueStart(at - 1), bytes, nameStart, valueStart)
            > 0) {
      at--;
    }
    System.arraycopy(offsets, 3 * at, offsets, 3 * at + 3, 3 * (size - at));
    offsets[3 * at] = nameStart;
    offsets[3 * at + 1] = valueStart;
    offsets[3 * at + 2] = valueEnd;
    size++;
  }
}
