package dev.millrace.store.foreign;

import dev.millrace.bytes.ByteArray;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys that were read a moment ago, as they stand in the files: the processes of one program write
 * the same keys, so each is decoded once and not once a file. It is cleared after each collection,
 * since what a key joined may go. One thread at a time.
 */
final class KeyTable {
  /** What the table may hold; keys past it are decoded again, which costs time only. */
  private static final int MAX_BYTES = 64 << 20;

  private static final int FIRST_CAPACITY = 1024;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Map<Meaning, Integer> meanings = new HashMap<>();
  private ByteArray keys = new ByteArray();
  private int[] buckets = {};
  private Entry[] entries = {};
  private int count;

  private record Entry(
      long hash, int start, int lengthBytes, int meaning, ForeignSeries series, int cell) {}

  /** A number for a meaning, valid until {@link #clear}. */
  int numberOf(Meaning meaning) {
    return meanings.computeIfAbsent(meaning, key -> meanings.size());
  }

  /** Adds a part to the series that the key joined before; {@code false} where it is new. */
  boolean join(int meaning, byte[] key, int lengthBytes, int slot, int entry) {
    Entry found = find(hash(meaning, key, lengthBytes), meaning, key, lengthBytes);
    if (found == null) {
      return false;
    }
    found.series().add(slot, entry, found.cell());
    return true;
  }

  private @Nullable Entry find(long hash, int meaning, byte[] key, int lengthBytes) {
    if (count == 0) {
      return null;
    }
    int mask = buckets.length - 1;
    for (int at = (int) hash & mask; buckets[at] != 0; at = (at + 1) & mask) {
      Entry entry = entries[buckets[at] - 1];
      if (entry.hash() == hash
          && entry.meaning() == meaning
          && Arrays.equals(
              keys.bytes(),
              entry.start(),
              entry.start() + entry.lengthBytes(),
              key,
              0,
              lengthBytes)) {
        return entry;
      }
    }
    return null;
  }

  /** Takes note of what a new key joined. */
  void put(int meaning, byte[] key, int lengthBytes, ForeignSeries series, int cell) {
    if (keys.lengthBytes() + lengthBytes > MAX_BYTES) {
      return;
    }
    if (2 * count >= buckets.length) {
      grow();
    }
    long hash = hash(meaning, key, lengthBytes);
    entries[count] = new Entry(hash, keys.lengthBytes(), lengthBytes, meaning, series, cell);
    keys.append(key, 0, lengthBytes);
    count++;
    place(hash, count);
  }

  private void place(long hash, int number) {
    int mask = buckets.length - 1;
    int at = (int) hash & mask;
    while (buckets[at] != 0) {
      at = (at + 1) & mask;
    }
    buckets[at] = number;
  }

  private void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * buckets.length);
    entries = Arrays.copyOf(entries, capacity / 2);
    buckets = new int[capacity];
    for (int i = 0; i < count; i++) {
      place(entries[i].hash(), i + 1);
    }
  }

  private static long hash(int meaning, byte[] key, int lengthBytes) {
    long hash = mix(meaning * 31L + lengthBytes);
    int at = 0;
    for (; at <= lengthBytes - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(key, at));
    }
    for (; at < lengthBytes; at++) {
      hash = mix(hash ^ key[at]);
    }
    return hash ^ hash >>> 32;
  }

  private static long mix(long value) {
    long product = value * 0x9E37_79B9_7F4A_7C15L;
    return product ^ product >>> 29;
  }

  /** Forgets all, and gives the memory back. */
  void clear() {
    if (count > 0) {
      keys = new ByteArray();
      buckets = new int[0];
      entries = new Entry[0];
      count = 0;
    }
    meanings.clear();
  }
}
