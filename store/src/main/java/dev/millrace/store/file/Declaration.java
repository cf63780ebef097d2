package dev.millrace.store.file;

import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a program says of one metric. It stands in the file, so that any process can read the file
 * without knowing the program. Immutable. Two are equal only if they are one object.
 */
public final class Declaration {
  /** No bounds. */
  public static final double[] NO_BOUNDS = {};

  private final String name;
  private final String unit;
  private final String help;
  private final InstrumentKind kind;
  private final MergeMode mode;
  private final boolean liveOnly;
  private final boolean wholeNumbers;
  private final boolean exemplars;
  private final double[] bounds;
  private final int maxScale;
  private final int maxBuckets;

  /**
   * A declaration; the parameters are those that the methods of their names describe.
   *
   * @param bounds owned by the declaration from here on
   */
  public Declaration(
      String name,
      String unit,
      String help,
      InstrumentKind kind,
      MergeMode mode,
      boolean liveOnly,
      boolean wholeNumbers,
      boolean exemplars,
      double[] bounds,
      int maxScale,
      int maxBuckets) {
    this.name = name;
    this.unit = unit;
    this.help = help;
    this.kind = kind;
    this.mode = mode;
    this.liveOnly = liveOnly;
    this.wholeNumbers = wholeNumbers;
    this.exemplars = exemplars;
    this.bounds = bounds;
    this.maxScale = maxScale;
    this.maxBuckets = maxBuckets;
  }

  /** The metric's name; not empty. */
  public String name() {
    return name;
  }

  /** A UCUM unit, may be empty. */
  public String unit() {
    return unit;
  }

  /** Free text, may be empty. */
  public String help() {
    return help;
  }

  /** The kind of instrument. */
  public InstrumentKind kind() {
    return kind;
  }

  /** How processes are merged. */
  public MergeMode mode() {
    return mode;
  }

  /** Whether the values of dead processes are left out. */
  public boolean liveOnly() {
    return liveOnly;
  }

  /** Whether a gauge holds longs. */
  public boolean wholeNumbers() {
    return wholeNumbers;
  }

  /** Whether series have exemplar slots. */
  public boolean exemplars() {
    return exemplars;
  }

  /** A histogram's upper bounds, rising, that nobody changes; empty for other kinds. */
  public double[] bounds() {
    return bounds;
  }

  /** An exponential histogram's greatest scale; 0 for other kinds. */
  public int maxScale() {
    return maxScale;
  }

  /** An exponential histogram's most buckets a sign; 0 for other kinds. */
  public int maxBuckets() {
    return maxBuckets;
  }

  /**
   * Whether the values of both can be merged: all but help and exemplars is the same.
   *
   * @return what differs, for a message, or {@code null}
   */
  public @Nullable String differenceTo(Declaration other) {
    if (kind != other.kind) {
      return "kind " + kind + " and " + other.kind;
    }
    if (!unit.equals(other.unit)) {
      return "unit '" + unit + "' and '" + other.unit + "'";
    }
    if (mode != other.mode || liveOnly != other.liveOnly) {
      return "merge mode " + modeText() + " and " + other.modeText();
    }
    if (wholeNumbers != other.wholeNumbers) {
      return "whole numbers " + wholeNumbers + " and " + other.wholeNumbers;
    }
    if (!Arrays.equals(bounds, other.bounds)) {
      return "bounds " + Arrays.toString(bounds) + " and " + Arrays.toString(other.bounds);
    }
    return null;
  }

  /** The merge mode for people. */
  public String modeText() {
    return liveOnly ? "live " + mode.name().toLowerCase(java.util.Locale.ROOT) : lower(mode.name());
  }

  private static String lower(String text) {
    return text.toLowerCase(java.util.Locale.ROOT);
  }

  /** The model's view of the metric. */
  MetricDescriptor descriptor() {
    return switch (kind) {
      case COUNTER -> descriptor(MetricKind.SUM, true, Temporality.CUMULATIVE, TypeHint.NONE);
      case UP_DOWN_COUNTER ->
          descriptor(MetricKind.SUM, false, Temporality.CUMULATIVE, TypeHint.NONE);
      case GAUGE -> descriptor(MetricKind.GAUGE, false, Temporality.UNSPECIFIED, TypeHint.NONE);
      case INFO -> descriptor(MetricKind.GAUGE, false, Temporality.UNSPECIFIED, TypeHint.INFO);
      case STATE_SET ->
          descriptor(MetricKind.GAUGE, false, Temporality.UNSPECIFIED, TypeHint.STATESET);
      case HISTOGRAM ->
          descriptor(MetricKind.HISTOGRAM, false, Temporality.CUMULATIVE, TypeHint.NONE);
      case EXPONENTIAL_HISTOGRAM ->
          descriptor(
              MetricKind.EXPONENTIAL_HISTOGRAM, false, Temporality.CUMULATIVE, TypeHint.NONE);
      case SUMMARY -> descriptor(MetricKind.SUMMARY, false, Temporality.UNSPECIFIED, TypeHint.NONE);
    };
  }

  private MetricDescriptor descriptor(
      MetricKind metricKind, boolean monotonic, Temporality temporality, TypeHint hint) {
    return new MetricDescriptor(name, help, unit, metricKind, monotonic, temporality, hint);
  }

  /** What an untouched value cell of a gauge holds. */
  long unset() {
    return wholeNumbers ? CellLayout.UNSET_LONG : CellLayout.UNSET_DOUBLE;
  }

  boolean isGauge() {
    return kind == InstrumentKind.GAUGE
        || kind == InstrumentKind.INFO
        || kind == InstrumentKind.STATE_SET;
  }

  /** The same metric, whose series keep no exemplars. */
  Declaration withoutExemplars() {
    return new Declaration(
        name, unit, help, kind, mode, liveOnly, wholeNumbers, false, bounds, maxScale, maxBuckets);
  }

  /**
   * The body of the record, from {@link RecordLayout#KIND_OFFSET} on, in a record of its length.
   */
  byte[] toRecord(int number) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] unitBytes = unit.getBytes(StandardCharsets.UTF_8);
    byte[] helpBytes = help.getBytes(StandardCharsets.UTF_8);
    int at = RecordLayout.BOUNDS_OFFSET + bounds.length * Double.BYTES;
    int length = at + nameBytes.length + unitBytes.length + helpBytes.length;
    byte[] record = new byte[RecordLayout.roundUpTo8(length)];
    put(record, RecordLayout.TYPE_OFFSET, RecordLayout.TYPE_DECLARATION);
    put(record, RecordLayout.DECLARATION_OFFSET, number);
    put(record, RecordLayout.KIND_OFFSET, kind.code());
    put(record, RecordLayout.MODE_OFFSET, mode.code());
    put(
        record,
        RecordLayout.FLAGS_OFFSET,
        (liveOnly ? RecordLayout.FLAG_LIVE_ONLY : 0)
            | (wholeNumbers ? RecordLayout.FLAG_WHOLE_NUMBERS : 0)
            | (exemplars ? RecordLayout.FLAG_EXEMPLARS : 0));
    put(record, RecordLayout.MAX_SCALE_OFFSET, maxScale);
    put(record, RecordLayout.MAX_BUCKETS_OFFSET, maxBuckets);
    put(record, RecordLayout.BOUND_COUNT_OFFSET, bounds.length);
    put(record, RecordLayout.NAME_LENGTH_OFFSET, nameBytes.length);
    put(record, RecordLayout.UNIT_LENGTH_OFFSET, unitBytes.length);
    put(record, RecordLayout.HELP_LENGTH_OFFSET, helpBytes.length);
    for (int i = 0; i < bounds.length; i++) {
      RecordLayout.LONGS.set(
          record,
          RecordLayout.BOUNDS_OFFSET + i * Double.BYTES,
          Double.doubleToRawLongBits(bounds[i]));
    }
    System.arraycopy(nameBytes, 0, record, at, nameBytes.length);
    System.arraycopy(unitBytes, 0, record, at + nameBytes.length, unitBytes.length);
    System.arraycopy(
        helpBytes, 0, record, at + nameBytes.length + unitBytes.length, helpBytes.length);
    return record;
  }

  /**
   * Reads a declaration's record.
   *
   * @return the declaration, or {@code null} where the record contradicts itself
   */
  static @Nullable Declaration parse(byte[] bytes, int start, int lengthBytes) {
    if (lengthBytes < RecordLayout.BOUNDS_OFFSET) {
      return null;
    }
    InstrumentKind kind = InstrumentKind.of(get(bytes, start + RecordLayout.KIND_OFFSET));
    MergeMode mode = MergeMode.of(get(bytes, start + RecordLayout.MODE_OFFSET));
    int flags = get(bytes, start + RecordLayout.FLAGS_OFFSET);
    int boundCount = get(bytes, start + RecordLayout.BOUND_COUNT_OFFSET);
    int nameLength = get(bytes, start + RecordLayout.NAME_LENGTH_OFFSET);
    int unitLength = get(bytes, start + RecordLayout.UNIT_LENGTH_OFFSET);
    int helpLength = get(bytes, start + RecordLayout.HELP_LENGTH_OFFSET);
    if (kind == null
        || mode == null
        || isOutside(boundCount, RecordLayout.MAX_BOUNDS)
        || nameLength == 0
        || isOutside(nameLength, RecordLayout.MAX_NAME_BYTES)
        || isOutside(unitLength, RecordLayout.MAX_NAME_BYTES)
        || isOutside(helpLength, RecordLayout.MAX_HELP_BYTES)
        || RecordLayout.BOUNDS_OFFSET
                + boundCount * Double.BYTES
                + nameLength
                + unitLength
                + helpLength
            > lengthBytes) {
      return null;
    }
    double[] bounds = boundCount == 0 ? NO_BOUNDS : new double[boundCount];
    for (int i = 0; i < boundCount; i++) {
      bounds[i] =
          Double.longBitsToDouble(
              (long)
                  RecordLayout.LONGS.get(
                      bytes, start + RecordLayout.BOUNDS_OFFSET + i * Double.BYTES));
    }
    int at = start + RecordLayout.BOUNDS_OFFSET + boundCount * Double.BYTES;
    return new Declaration(
        text(bytes, at, nameLength),
        text(bytes, at + nameLength, unitLength),
        text(bytes, at + nameLength + unitLength, helpLength),
        kind,
        mode,
        (flags & RecordLayout.FLAG_LIVE_ONLY) != 0,
        (flags & RecordLayout.FLAG_WHOLE_NUMBERS) != 0,
        (flags & RecordLayout.FLAG_EXEMPLARS) != 0,
        bounds,
        get(bytes, start + RecordLayout.MAX_SCALE_OFFSET),
        get(bytes, start + RecordLayout.MAX_BUCKETS_OFFSET));
  }

  private static boolean isOutside(int value, int most) {
    return value < 0 || value > most;
  }

  private static void put(byte[] record, int offset, int value) {
    RecordLayout.INTS.set(record, offset, value);
  }

  private static int get(byte[] bytes, int offset) {
    return (int) RecordLayout.INTS.get(bytes, offset);
  }

  private static String text(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, StandardCharsets.UTF_8);
  }
}
