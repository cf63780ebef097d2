package dev.millrace.opentelemetry.otlp;

import io.opentelemetry.api.common.AttributeKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoded keys of attributes that were seen lately.
 *
 * <p>An application has some dozens of keys, which each come thousands of times. There are {@value
 * #SLOTS} places: a key goes where its hash says, in place of the one that was there. So what is
 * kept is bounded whatever keys come, by {@value #SLOTS} times some {@value EncodedKey#HEAD_BYTES}
 * and {@value EncodedKey#MAX_FIELD_BYTES} bytes, and nothing is allocated for a place that has been
 * used before.
 *
 * <p>Attributes are mostly those of the item before, in the same order: the key at the same
 * position is tried first. Owned by one encoder; not thread-safe.
 */
final class EncodedKeys {
  /** Several times the keys that an application has, so that few of them share a place. */
  static final int SLOTS = 512;

  /** The highest number of a field that has attributes. */
  static final int MAX_FIELD = 15;

  /** Attributes of one item whose keys are guessed by their position: a power of two. */
  private static final int POSITIONS = 32;

  private static final int FIRST_VALUES = 16;
  private static final EncodedKey[] NO_KEYS = {};

  private final @Nullable EncodedKey[] keys = new @Nullable EncodedKey[SLOTS];

  /**
   * Places, by the field that the attributes are, and their position. Numbers, because to store a
   * reference costs more than a look-up where attributes do not come in one order.
   */
  private final short[] guesses = new short[(MAX_FIELD + 1) * POSITIONS];

  /** Those that refer to a value. */
  private EncodedKey[] withValue = NO_KEYS;

  private int withValueCount;

  private int row;
  private int position;

  /** Begins the attributes of an item, which are of a field from 1 to {@value #MAX_FIELD}. */
  void begin(int field) {
    row = field * POSITIONS;
    position = 0;
  }

  /**
   * The key of the next attribute, which is what it is until the next call.
   *
   * @return {@code null} for a key that is too long
   */
  @Nullable EncodedKey next(AttributeKey<?> key) {
    int index = row + (position++ & (POSITIONS - 1));
    EncodedKey guess = keys[guesses[index]];
    return guess != null && guess.is(key) ? guess : find(key, index);
  }

  /** Notes that a key refers to a value, and did not since {@link #forgetValues}. */
  void refersToValue(EncodedKey key) {
    if (withValueCount == withValue.length) {
      withValue = Arrays.copyOf(withValue, Math.max(FIRST_VALUES, 2 * withValueCount));
    }
    withValue[withValueCount++] = key;
  }

  /** Lets go of the values; the keys are kept. */
  void forgetValues() {
    for (int i = 0; i < withValueCount; i++) {
      withValue[i].release();
    }
    withValueCount = 0;
  }

  /** Lets go of the keys. */
  void clear() {
    forgetValues();
    Arrays.fill(keys, null);
    withValue = NO_KEYS;
  }

  private @Nullable EncodedKey find(AttributeKey<?> key, int index) {
    int hash = key.hashCode();
    int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
    EncodedKey found = keys[slot];
    if (found == null || !(found.is(key) || found.isEqual(key))) {
      if (!EncodedKey.fits(key)) {
        return null;
      }
      if (found == null) {
        found = new EncodedKey();
        keys[slot] = found;
      }
      found.become(key);
    }
    guesses[index] = (short) slot;
    return found;
  }
}
