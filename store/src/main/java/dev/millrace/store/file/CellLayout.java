package dev.millrace.store.file;

/**
 * Where everything stands in the cells of one series. A cell is 8 bytes, aligned, and is changed by
 * one atomic operation, so that a reader sees a whole value.
 *
 * <pre>
 *   counter, up-down counter     | whole part | fractional part (double) |
 *   gauge, info, state           | value (double; long if whole numbers) | time set, ms |
 *   histogram                    | sum (double) | bucket 0 | ... | bucket n |
 *   exponential histogram        | sum (double) | zero bucket | positive ... | negative ... |
 *   summary                      | sum (double) | count |
 *
 *   and after them, where the instrument keeps exemplars, for each slot (8 cells)
 *   | turn | value | time, ms | trace id high | trace id low | span id | check | 0 |
 * </pre>
 *
 * <p>A counter is the sum of its two parts: what is added as a whole number stays exact up to 2^63.
 *
 * <p>A gauge that was never set holds {@link #UNSET_DOUBLE} or {@link #UNSET_LONG}. The time is
 * stored after the value; a reader may see a new value with the time before it for a moment.
 *
 * <p>A histogram has no count of its own: the count is the sum of the buckets, so that both always
 * fit. An observation adds to the sum first and to its bucket last: a reader sees a sum that holds
 * every observation that it counts, and beyond these at most the ones that were under way at that
 * moment, one a recording thread.
 *
 * <p>An exemplar's {@code turn} is odd while it is written; {@code check} mixes all its fields, so
 * that a reader that met a half-written slot, or the slot of a writer that died there, leaves it
 * out.
 */
public final class CellLayout {
  /** A counter's whole part. */
  public static final int WHOLE_CELL = 0;

  /** A counter's fractional part. */
  public static final int FRACTION_CELL = 1;

  /** A gauge's value. */
  public static final int VALUE_CELL = 0;

  /** When a gauge was set, milliseconds since the Unix epoch. */
  public static final int TIME_CELL = 1;

  /** The sum of a histogram or a summary. */
  public static final int SUM_CELL = 0;

  /** A summary's count. */
  public static final int COUNT_CELL = 1;

  /** A histogram's first bucket. */
  public static final int FIRST_BUCKET_CELL = 1;

  /** An exponential histogram's zero bucket. */
  public static final int ZERO_BUCKET_CELL = 1;

  /** An exponential histogram's first positive bucket. */
  public static final int FIRST_EXPONENTIAL_CELL = 2;

  /** A gauge of doubles that was never set: a quiet NaN with a payload that no arithmetic gives. */
  public static final long UNSET_DOUBLE = 0x7ff84d494c4c5241L;

  /** A gauge of whole numbers that was never set. */
  public static final long UNSET_LONG = Long.MIN_VALUE;

  /** Cells of one exemplar slot: a cache line. */
  public static final int EXEMPLAR_CELLS = 8;

  static final int TURN = 0;
  static final int EXEMPLAR_VALUE = 1;
  static final int EXEMPLAR_TIME = 2;
  static final int TRACE_HIGH = 3;
  static final int TRACE_LOW = 4;
  static final int SPAN = 5;
  static final int CHECK = 6;

  private CellLayout() {}

  /** How many cells the values of one series take, exemplars aside. */
  static int cells(Declaration declaration, Shape shape) {
    return switch (declaration.kind()) {
      case COUNTER, UP_DOWN_COUNTER, GAUGE, INFO, STATE_SET, SUMMARY -> 2;
      case HISTOGRAM -> FIRST_BUCKET_CELL + declaration.bounds().length + 1;
      case EXPONENTIAL_HISTOGRAM ->
          FIRST_EXPONENTIAL_CELL + shape.positiveBuckets() + shape.negativeBuckets();
    };
  }

  /** How many exemplar slots one series has: one for a counter, one for each bucket. */
  static int exemplarSlots(Declaration declaration) {
    return declaration.exemplars() ? mostExemplarSlots(declaration) : 0;
  }

  /** How many exemplar slots one series has in programs that declared the metric with them. */
  static int mostExemplarSlots(Declaration declaration) {
    return switch (declaration.kind()) {
      case COUNTER -> 1;
      case HISTOGRAM -> declaration.bounds().length + 1;
      case EXPONENTIAL_HISTOGRAM -> EXPONENTIAL_EXEMPLARS;
      case UP_DOWN_COUNTER, GAUGE, INFO, STATE_SET, SUMMARY -> 0;
    };
  }

  /** Exemplars of an exponential histogram: a few, spread by value's exponent. */
  static final int EXPONENTIAL_EXEMPLARS = 4;

  /** What {@link #CHECK} holds for the other fields. */
  static long check(long turn, long value, long time, long high, long low, long span) {
    long mixed = turn * 0x9e3779b97f4a7c15L;
    mixed = Long.rotateLeft(mixed ^ value, 29) * 0xbf58476d1ce4e5b9L;
    mixed = Long.rotateLeft(mixed ^ time, 29) * 0xbf58476d1ce4e5b9L;
    mixed = Long.rotateLeft(mixed ^ high, 29) * 0xbf58476d1ce4e5b9L;
    mixed = Long.rotateLeft(mixed ^ low, 29) * 0xbf58476d1ce4e5b9L;
    mixed = Long.rotateLeft(mixed ^ span, 29) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
