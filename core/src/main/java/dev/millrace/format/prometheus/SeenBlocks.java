package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.BlockText;
import dev.millrace.format.translation.KeyedHash;
import dev.millrace.format.translation.LabelEncoder;
import java.util.Arrays;

/**
 * The blocks of labels that a family's lines have had so far. Each is known by 128 bits of a keyed
 * hash, so 16 bytes a series are enough, whatever the labels' length; the key is random, so that
 * nobody can make two blocks that pass for one.
 *
 * <p>Empty values are the same as no label (Prometheus data model; OpenMetrics 1.0.0, "Label"), so
 * they do not count, except for {@code instance}, which every block of one exporter has or has not.
 *
 * <p>Not thread-safe; it keeps its memory between families.
 */
final class SeenBlocks {
  private static final byte[] INSTANCE = {'i', 'n', 's', 't', 'a', 'n', 'c', 'e'};
  private static final byte[] NOTHING = {};
  private static final int FIRST_SLOTS = 1024;

  private final boolean protobuf;
  private final byte[] keptWhenEmpty;
  private final KeyedHash keyed = KeyedHash.withRandomKeys();
  private final ByteArray normal = new ByteArray();

  /** Two longs a slot; both are 0 in an empty one. */
  private long[] slots = new long[2 * FIRST_SLOTS];

  private int size;

  /** The most blocks since the last {@link #trim}. */
  private int most;

  private long hash1;
  private long hash2;

  /**
   * Without blocks.
   *
   * @param targetLabels whether the exporter gives every block an {@code instance}, be it empty
   */
  static SeenBlocks ofText(boolean targetLabels) {
    return new SeenBlocks(targetLabels, false);
  }

  /** As {@link #ofText}, for blocks that {@link ProtobufLabels} made. */
  static SeenBlocks ofProtobuf(boolean targetLabels) {
    return new SeenBlocks(targetLabels, true);
  }

  private SeenBlocks(boolean targetLabels, boolean protobuf) {
    this.protobuf = protobuf;
    keptWhenEmpty = targetLabels ? INSTANCE : NOTHING;
  }

  /**
   * Ends an exposition: forgets all blocks, and lets go of memory of which the exposition needed
   * less than an eighth.
   */
  void trim() {
    clear();
    int slotCount = slots.length / 2;
    if (slotCount > FIRST_SLOTS && most < slotCount / 8) {
      slots = new long[2 * FIRST_SLOTS];
    }
    most = 0;
  }

  /** Forgets all blocks. */
  void clear() {
    if (size > 0) {
      Arrays.fill(slots, 0);
      size = 0;
    }
  }

  /**
   * Adds a block.
   *
   * @param ambiguous what {@link LabelEncoder#isAmbiguous} says of it
   * @return whether it was not there yet
   */
  boolean add(byte[] block, int lengthBytes, boolean ambiguous) {
    if (ambiguous) {
      normalize(block, lengthBytes, NOTHING);
      hash(normal.bytes(), normal.lengthBytes());
    } else {
      hash(block, lengthBytes);
    }
    return addHash();
  }

  /** Adds what is left of a block without one of its labels. */
  boolean addWithout(byte[] block, int lengthBytes, byte[] label) {
    normalize(block, lengthBytes, label);
    hash(normal.bytes(), normal.lengthBytes());
    return addHash();
  }

  /** Part of the hash of what was added last. */
  long lastHash() {
    return hash1;
  }

  /** How much memory the set holds. */
  int capacityBytes() {
    return slots.length * Long.BYTES;
  }

  private boolean addHash() {
    if (2 * (size + 1) > slots.length / 2) {
      grow();
    }
    if (!insert(slots, hash1, hash2)) {
      return false;
    }
    size++;
    most = Math.max(most, size);
    return true;
  }

  private static boolean insert(long[] slots, long hash1, long hash2) {
    int mask = slots.length - 1;
    int at = (int) hash2 << 1 & mask;
    while (slots[at] != 0 || slots[at + 1] != 0) {
      if (slots[at] == hash1 && slots[at + 1] == hash2) {
        return false;
      }
      at = at + 2 & mask;
    }
    slots[at] = hash1;
    slots[at + 1] = hash2;
    return true;
  }

  private void grow() {
    long[] larger = new long[2 * slots.length];
    for (int at = 0; at < slots.length; at += 2) {
      if (slots[at] != 0 || slots[at + 1] != 0) {
        insert(larger, slots[at], slots[at + 1]);
      }
    }
    slots = larger;
  }

  private void hash(byte[] bytes, int lengthBytes) {
    keyed.of(bytes, 0, lengthBytes);
    hash1 = keyed.first();
    hash2 = keyed.second();
    if ((hash1 | hash2) == 0) {
      hash1 = 1;
    }
  }

  /** Copies a block without its empty labels and without one more. */
  private void normalize(byte[] block, int lengthBytes, byte[] without) {
    normal.clear();
    if (protobuf) {
      ProtobufLabels.normalize(block, lengthBytes, keptWhenEmpty, normal);
      return;
    }
    int at = 1;
    while (at < lengthBytes - 1) {
      int nameEnd = BlockText.nameEnd(block, at);
      int valueEnd = BlockText.quoteEnd(block, nameEnd + 2);
      boolean empty = valueEnd == nameEnd + 2 && !isName(block, at, nameEnd, keptWhenEmpty);
      if (!empty && !isName(block, at, nameEnd, without)) {
        normal.append(normal.lengthBytes() == 0 ? '{' : ',');
        normal.append(block, at, valueEnd + 1 - at);
      }
      at = BlockText.next(block, lengthBytes, valueEnd);
    }
    if (normal.lengthBytes() > 0) {
      normal.append('}');
    }
    normal.append(' ');
  }

  private static boolean isName(byte[] block, int from, int to, byte[] name) {
    return Arrays.equals(block, from, to, name, 0, name.length);
  }
}
