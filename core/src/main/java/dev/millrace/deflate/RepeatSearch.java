package dev.millrace.deflate;

import static dev.millrace.deflate.Window.getLong;

import java.util.Arrays;

/**
 * The inner loop: finds repeats in the window and makes {@link Pieces} of them and of what lies
 * between.
 *
 * <p>Text such as an exposition is lines that differ from an earlier line in few places. So a
 * repeat is looked for only where the last one ended and, when there is none, at the next
 * delimiter: some three times a line. There is one candidate, the last place that was looked at and
 * began with the same four bytes. Nothing else enters the table, which is why so small a table is
 * enough.
 *
 * <p>That candidate is often not the best one where a line begins, for all lines begin alike. So a
 * repeat is held back until it is known how the next one lies: if the distance of the next one
 * explains both, they become one.
 *
 * <p>Owned by one thread; allocates nothing after construction.
 */
final class RepeatSearch {
  /** The bytes that are hashed, and so the shortest repeat that is found. */
  static final int MIN_REPEAT_BYTES = 4;

  private static final int UNHASHED_BITS = Long.SIZE - Byte.SIZE * MIN_REPEAT_BYTES;

  /** 2^64 over the golden ratio, shifted so that the bytes that are not hashed fall out. */
  private static final long HASH_FACTOR = 0x9E3779B185EBCA87L << UNHASHED_BITS;

  /** 4,096 entries fit beside the text itself in a first-level cache; more gained no ratio. */
  private static final int HASH_BITS = 12;

  private static final int HASH_SHIFT = Long.SIZE - HASH_BITS;

  /** Words that are compared between two looks at the end of the input. */
  private static final int COMPARED_WORDS = 8;

  /** How far before the end of the input the search ends, so that words can be read freely. */
  private static final int END_MARGIN_BYTES = (COMPARED_WORDS + 2) * Long.BYTES;

  /**
   * A stretch is one call of the inner loop. It is short at first, because the JVM compiles a
   * method after so many calls: with calls for whole parts, megabytes would go through its
   * interpreter.
   */
  private static final int FIRST_STRETCH_BYTES = 1024;

  private static final int STRETCH_BYTES = 8 * 1024;

  /** As many calls as the JVM's second compiler waits for at most. */
  private static final int FIRST_STRETCHES = 5_000;

  /** Literals at the end of the input wait for more of it, unless there are more than this. */
  private static final int MAX_WAITING_BYTES = 256;

  /** So large that the zeros in a new table mean "too far". */
  private static final int FIRST_BASE = 2 * Window.HISTORY_BYTES;

  /** Where a new stream begins, nothing in the table may be 4 GiB old: it would look near again. */
  private static final long MAX_COUNTED_BYTES = 1L << 30;

  private static final int MAX_DISTANCE_BITS =
      Integer.numberOfTrailingZeros(Rfc1951.MAX_DISTANCE_BYTES);

  private static final int NONE = 0;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = ONES << 7;

  /**
   * Delimiters are the bytes below '.': space, newline, quote, comma, minus and so on. The dot and
   * the slash are not: after them there are rarely repeats, or short ones.
   */
  private static final long FIRST_NON_DELIMITER = '.' * ONES;

  private final byte[] window;
  private final Pieces pieces;
  private final BitOutput out;
  private final int[] lastSeen = new int[1 << HASH_BITS];

  /** Added to a position before it enters the table, so that old ones stay what they are. */
  private int base = FIRST_BASE;

  /** By how much the base was raised. */
  private long countedBytes;

  /** Where the search goes on. */
  private int next;

  /** Up to where there are pieces. */
  private int end;

  private int firstStretches = FIRST_STRETCHES;

  RepeatSearch(byte[] window, Pieces pieces, BitOutput out) {
    this.window = window;
    this.pieces = pieces;
    this.out = out;
  }

  /** Forgets everything that was seen. */
  void clear() {
    if (countedBytes >= MAX_COUNTED_BYTES) {
      Arrays.fill(lastSeen, 0);
      base = FIRST_BASE;
      countedBytes = 0;
    }
    slide(Window.END + Window.HISTORY_BYTES);
  }

  /** Says that the bytes of the window now lie so many bytes lower. */
  void slide(int distanceBytes) {
    // Positions are compared by their difference, so nothing is wrong with an overflow. What the
    // table knew 4 GiB ago in this stream is found too far or is compared with what lies there now.
    base += distanceBytes;
    countedBytes += distanceBytes;
  }

  /**
   * Makes the pieces of a part of the window, in place of those that were there.
   *
   * @param from where the part begins; everything from 32 KiB before it on is history
   * @param to where it ends
   * @param toTheEnd whether the last bytes are encoded too; otherwise some may be left, so that a
   *     repeat can begin in them and go on in what follows
   * @param codes a table as {@link CodeTable} has it, with a code for everything
   * @return where the pieces end
   */
  int collect(int from, int to, boolean toTheEnd, int[] codes) {
    return run(from, to, toTheEnd, codes, false);
  }

  /** As {@link #collect}, but writes the pieces instead of collecting them. */
  int write(int from, int to, boolean toTheEnd, int[] codes) {
    return run(from, to, toTheEnd, codes, true);
  }

  private int run(int from, int to, boolean toTheEnd, int[] codes, boolean write) {
    pieces.count = 0;
    next = from;
    end = from;
    int limit = to - END_MARGIN_BYTES;
    while (next < limit) {
      runStretch(Math.min(limit, next + stretchBytes()), limit, codes);
      if (write) {
        flush();
      }
    }
    int last = toTheEnd ? to : Math.min(next, to);
    if (toTheEnd || last - end > MAX_WAITING_BYTES) {
      pieces.count = Pieces.addLiterals(pieces.all, pieces.count, codes, window, end, last);
      end = last;
    }
    if (write) {
      flush();
    }
    return end;
  }

  private int stretchBytes() {
    if (firstStretches > 0) {
      firstStretches--;
      return FIRST_STRETCH_BYTES;
    }
    return STRETCH_BYTES;
  }

  private void flush() {
    out.put(pieces);
    pieces.count = 0;
  }

  private void runStretch(int stop, int limit, int[] codes) {
    final byte[] bytes = window;
    final int[] seen = lastSeen;
    final long[] all = pieces.all;
    int count = pieces.count;
    int literals = end;
    int p = next;
    while (p < stop) {
      int distance = look(bytes, seen, p);
      if (distance == NONE) {
        p = nextDelimiter(bytes, p + 1);
        continue;
      }
      if (literals != p) {
        count = Pieces.addLiterals(all, count, codes, bytes, literals, p);
      }
      int start = p;
      p = endOfRepeat(bytes, p, distance, limit);
      while (p < stop && !isDigit(bytes[p])) {
        int nextDistance = look(bytes, seen, p);
        if (nextDistance == NONE) {
          break;
        }
        int nextEnd = endOfRepeat(bytes, p, nextDistance, limit);
        if (!isRepeat(bytes, start, p, nextDistance)) {
          count = Pieces.addRepeat(all, count, codes, p - start, distance);
          start = p;
        }
        distance = nextDistance;
        p = nextEnd;
      }
      count = Pieces.addRepeat(all, count, codes, p - start, distance);
      literals = p;
      if (p < stop) {
        p = nextDelimiter(bytes, p + 1);
      }
    }
    pieces.count = count;
    end = literals;
    next = p;
  }

  /** The distance at which a place repeats, or {@link #NONE}; the place counts as looked at. */
  private int look(byte[] bytes, int[] seen, int p) {
    long here = getLong(bytes, p);
    int slot = slotOf(here);
    int distance = p + base - seen[slot];
    seen[slot] = p + base;
    if (!isInReach(distance)) {
      return NONE;
    }
    long difference = getLong(bytes, p - distance) ^ here;
    return difference << UNHASHED_BITS == 0 ? distance : NONE;
  }

  /** Where the table keeps the last place that began with the same bytes. */
  static int slotOf(long bytes) {
    return (int) ((bytes * HASH_FACTOR) >>> HASH_SHIFT);
  }

  /** Whether a distance is from 1 to 32,768. */
  private static boolean isInReach(int distance) {
    return (distance - 1) >>> MAX_DISTANCE_BITS == 0;
  }

  /**
   * The first delimiter from {@code from} on. Without one in sixteen bytes it is the place after
   * them: text without delimiters repeats too, such as a long run of one byte.
   */
  private static int nextDelimiter(byte[] bytes, int from) {
    long found = delimiters(getLong(bytes, from));
    if (found != 0) {
      return from + sameLow(found);
    }
    found = delimiters(getLong(bytes, from + Long.BYTES));
    return from + Long.BYTES + sameLow(found);
  }

  /**
   * Marks the delimiters among eight bytes in their high bits. The lowest mark is right; above it a
   * borrow may have made one too many.
   */
  private static long delimiters(long word) {
    return (word - FIRST_NON_DELIMITER) & ~word & HIGH_BITS;
  }

  /** Digits mostly stand in values, which seldom repeat from the middle on. */
  private static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  /**
   * Where a repeat ends. The steps are written out because a branch of its own for each is foretold
   * better than one branch for all, and because the method is then too large for the JVM to put
   * into its caller, which would run out of registers: a twentieth of the whole time.
   */
  private static int endOfRepeat(byte[] bytes, int p, int distance, int limit) {
    int at = p;
    long difference;
    while (true) {
      difference = getLong(bytes, at) ^ getLong(bytes, at - distance);
      if (difference != 0) {
        return at + sameLow(difference);
      }
      difference = getLong(bytes, at + 8) ^ getLong(bytes, at + 8 - distance);
      if (difference != 0) {
        return at + 8 + sameLow(difference);
      }
      difference = getLong(bytes, at + 16) ^ getLong(bytes, at + 16 - distance);
      if (difference != 0) {
        return at + 16 + sameLow(difference);
      }
      difference = getLong(bytes, at + 24) ^ getLong(bytes, at + 24 - distance);
      if (difference != 0) {
        return at + 24 + sameLow(difference);
      }
      difference = getLong(bytes, at + 32) ^ getLong(bytes, at + 32 - distance);
      if (difference != 0) {
        return at + 32 + sameLow(difference);
      }
      difference = getLong(bytes, at + 40) ^ getLong(bytes, at + 40 - distance);
      if (difference != 0) {
        return at + 40 + sameLow(difference);
      }
      difference = getLong(bytes, at + 48) ^ getLong(bytes, at + 48 - distance);
      if (difference != 0) {
        return at + 48 + sameLow(difference);
      }
      difference = getLong(bytes, at + 56) ^ getLong(bytes, at + 56 - distance);
      if (difference != 0) {
        return at + 56 + sameLow(difference);
      }
      at += COMPARED_WORDS * Long.BYTES;
      if (at > limit) {
        return at;
      }
    }
  }

  /** Whether the bytes between two places repeat those at a distance. */
  private static boolean isRepeat(byte[] bytes, int from, int to, int distance) {
    if (from - distance < Window.START) {
      return false;
    }
    // Over the end by up to seven bytes, which are the first of a repeat at this very distance; it
    // has at least four, and if the others differ, then so little is gained by joining the two.
    for (int p = from; p < to; p += Long.BYTES) {
      if (getLong(bytes, p) != getLong(bytes, p - distance)) {
        return false;
      }
    }
    return true;
  }

  private static int sameLow(long difference) {
    return Long.numberOfTrailingZeros(difference) >>> 3;
  }
}
