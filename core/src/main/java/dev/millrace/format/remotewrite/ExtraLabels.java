package dev.millrace.format.remotewrite;

import dev.millrace.bytes.DoubleText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of labels {@code le} and {@code quantile}, each made once. Bounded: one number too
 * many, and all are forgotten. Not thread-safe.
 */
final class ExtraLabels {
  /**
   * As many numbers as exponential histograms have that lie within nine orders of magnitude, at the
   * scale that gives each 160 buckets, and five coarser ones.
   */
  static final int MAX_LABELS = 4096;

  private static final int FIRST_SLOTS = 256;

  /** An odd constant with about as many ones as zeros, as multiplicative hashes need it. */
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private final SymbolTable[] tables;
  private final ExtraLabel infinite;
  private long[] keys = new long[FIRST_SLOTS];
  private @Nullable ExtraLabel[] labels = new @Nullable ExtraLabel[FIRST_SLOTS];
  private int size;

  /**
   * Without values.
   *
   * @param tables those of all shards
   */
  ExtraLabels(SymbolTable[] tables) {
    this.tables = tables;
    infinite = new ExtraLabel(text(Double.POSITIVE_INFINITY), tables.length);
  }

  /** The label of the bucket that has no bound. */
  ExtraLabel infinite() {
    return infinite;
  }

  /** The label of a bound or a quantile. */
  ExtraLabel of(double number) {
    long key = Double.doubleToRawLongBits(number);
    int slot = slot(keys, labels, key);
    ExtraLabel known = labels[slot];
    return known != null ? known : make(number, key);
  }

  /** Forgets what is kept for 2.0 requests. */
  void releaseSymbols() {
    release(infinite);
    for (ExtraLabel label : labels) {
      if (label != null) {
        release(label);
      }
    }
  }

  private ExtraLabel make(double number, long key) {
    if (size == MAX_LABELS) {
      for (ExtraLabel label : labels) {
        if (label != null) {
          release(label);
        }
      }
      Arrays.fill(labels, null);
      size = 0;
    } else if (2 * (size + 1) > keys.length) {
      grow();
    }
    ExtraLabel made = new ExtraLabel(text(number), tables.length);
    int slot = slot(keys, labels, key);
    keys[slot] = key;
    labels[slot] = made;
    size++;
    return made;
  }

  private void release(ExtraLabel label) {
    for (int shard = 0; shard < tables.length; shard++) {
      Symbol symbol = label.symbols[shard];
      if (symbol != null) {
        label.symbols[shard] = null;
        tables[shard].release(symbol);
      }
    }
  }

  private void grow() {
    long[] moreKeys = new long[2 * keys.length];
    @Nullable ExtraLabel[] moreLabels = new @Nullable ExtraLabel[2 * keys.length];
    for (int i = 0; i < keys.length; i++) {
      ExtraLabel label = labels[i];
      if (label != null) {
        int slot = slot(moreKeys, moreLabels, keys[i]);
        moreKeys[slot] = keys[i];
        moreLabels[slot] = label;
      }
    }
    keys = moreKeys;
    labels = moreLabels;
  }

  /** Where a number is, or where it would be put. */
  private static int slot(long[] keys, @Nullable ExtraLabel[] labels, long key) {
    int mask = keys.length - 1;
    int slot = (int) ((key * MULTIPLIER) >>> Integer.SIZE) & mask;
    while (labels[slot] != null && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static byte[] text(double number) {
    byte[] text = new byte[DoubleText.MAX_BYTES];
    return Arrays.copyOf(text, DoubleText.writeCanonical(number, text, 0));
  }
}
