package dev.millrace.format.translation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The texts of single bounds as {@link BoundLabels} writes them, for histograms whose sets of
 * bounds are many but have the same numbers in them. Bounded: one number too many, and all are
 * forgotten. Not thread-safe.
 */
public final class BoundTexts {
  /**
   * As many numbers as exponential histograms have that lie within nine orders of magnitude, at the
   * scale that gives each 160 buckets, and five coarser ones; full, they take 400 KB.
   */
  public static final int MAX_TEXTS = 4096;

  private static final int FIRST_SLOTS = 256;

  /** An odd constant with about as many ones as zeros, as multiplicative hashes need it. */
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private static final byte[] INFINITE = BoundLabels.label(Double.POSITIVE_INFINITY);

  /** A slot holds the bits of a number and its text; half of the slots stay empty at least. */
  private long[] keys = new long[FIRST_SLOTS];

  private byte[] @Nullable [] texts = new byte[FIRST_SLOTS] @Nullable [];
  private int size;

  /** The text of a bound; nobody may change it. */
  public byte[] label(double bound) {
    long key = Double.doubleToRawLongBits(bound);
    int slot = slot(keys, texts, key);
    byte[] text = texts[slot];
    if (text == null) {
      text = BoundLabels.label(bound);
      add(key, text);
    }
    return text;
  }

  /** The text of the bound that all values lie below. */
  public byte[] infinite() {
    return INFINITE;
  }

  /** How many texts are kept. */
  public int size() {
    return size;
  }

  private void add(long key, byte[] text) {
    if (size == MAX_TEXTS) {
      Arrays.fill(texts, null);
      size = 0;
    } else if (2 * (size + 1) > keys.length) {
      grow();
    }
    int slot = slot(keys, texts, key);
    keys[slot] = key;
    texts[slot] = text;
    size++;
  }

  private void grow() {
    long[] moreKeys = new long[2 * keys.length];
    byte[] @Nullable [] moreTexts = new byte[2 * keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      byte[] text = texts[i];
      if (text != null) {
        int slot = slot(moreKeys, moreTexts, keys[i]);
        moreKeys[slot] = keys[i];
        moreTexts[slot] = text;
      }
    }
    keys = moreKeys;
    texts = moreTexts;
  }

  /** Where a number is, or where it would be put. */
  private static int slot(long[] keys, byte[] @Nullable [] texts, long key) {
    int mask = keys.length - 1;
    int slot = (int) ((key * MULTIPLIER) >>> Integer.SIZE) & mask;
    while (texts[slot] != null && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
