package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.format.translation.BlockText;
import dev.millrace.format.translation.BucketExemplars;
import dev.millrace.format.translation.Escaping;
import dev.millrace.format.translation.ExemplarLabels;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.model.MetricCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exemplars of one point: those that the scrape exporter writes of it, too, less those that are
 * no newer than what was written of the series before, which a server has already or would refuse.
 * One without a time has that of its point. Labels are sorted by name, and none is without a value.
 *
 * <p>Not thread-safe; it keeps its memory between points, and nothing else.
 */
final class RequestExemplars {
  /** There is no such exemplar. */
  static final int NONE = BucketExemplars.NONE;

  /** The most bytes that tags, lengths and references add to each label and to an exemplar. */
  private static final int LABEL_OVERHEAD_BYTES = 24;

  private static final int OVERHEAD_BYTES = 48;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ExemplarLabels labels;
  private final Faults faults;
  private final BucketExemplars buckets = new BucketExemplars();
  private @Nullable MetricCursor cursor;
  private long pointUnixMillis;
  private long afterUnixMillis;

  /** The exemplars that were chosen for a native histogram, from the oldest to the newest. */
  private int[] chosen = new int[16];

  private int count;

  /** Names and values of the exemplar that was loaded. */
  private final ByteArray text = new ByteArray();

  private int[] offsets = new int[3 * 16];
  private int size;
  private long valueBits;
  private long unixMillis;

  /** Exemplars whose attributes are named by {@code names}. */
  RequestExemplars(LabelNames names, Faults faults) {
    labels = new ExemplarLabels(names);
    this.faults = faults;
  }

  /** Goes to the point on which a cursor stands, which is one of a series. */
  void begin(MetricCursor point, LiveSeries series, long atUnixMillis) {
    cursor = point;
    pointUnixMillis = atUnixMillis;
    afterUnixMillis = series.lastExemplarUnixMillis;
    count = 0;
    int exemplars = point.exemplarCount();
    for (int i = 0; i < exemplars; i++) {
      long millis = millis(point, i);
      series.lastExemplarUnixMillis = Math.max(series.lastExemplarUnixMillis, millis);
    }
  }

  /** Lets go of the cursor. */
  void end() {
    cursor = null;
  }

  /** The newest exemplar of the point, or {@link #NONE}. */
  int newest(MetricCursor point) {
    return ifNew(point, BucketExemplars.newest(point));
  }

  /** Chooses the exemplars of buckets; see {@link BucketExemplars#choose}. */
  void chooseForBuckets(MetricCursor point, double[] bounds, int boundCount) {
    buckets.choose(point, bounds, boundCount);
    faults.count(Fault.EXEMPLAR_VALUE, buckets.withoutBucket());
  }

  /** The exemplar of a bucket, or {@link #NONE}. */
  int ofBucket(MetricCursor point, int bucket) {
    return ifNew(point, buckets.of(bucket));
  }

  /** Chooses all exemplars of the point for a native histogram. */
  void chooseAll(MetricCursor point) {
    int exemplars = point.exemplarCount();
    if (exemplars > chosen.length) {
      chosen = new int[Math.max(exemplars, 2 * chosen.length)];
    }
    count = 0;
    for (int i = 0; i < exemplars; i++) {
      if (Double.isNaN(BucketExemplars.value(point, i))) {
        faults.count(Fault.EXEMPLAR_VALUE, 1);
      } else if (millis(point, i) > afterUnixMillis) {
        int at = count++;
        while (at > 0 && millis(point, chosen[at - 1]) > millis(point, i)) {
          chosen[at] = chosen[at - 1];
          at--;
        }
        chosen[at] = i;
      }
    }
  }

  /** How many were chosen by {@link #chooseAll}. */
  int count() {
    return count;
  }

  /** The most bytes that all of them take. */
  int allBytes() {
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      load(i);
      bytes += maxBytes();
    }
    return bytes;
  }

  /** Loads one of those that were chosen by {@link #chooseAll}. */
  void load(int index) {
    MetricCursor point = cursor;
    if (point != null) {
      loadExemplar(point, chosen[index]);
    }
  }

  /** Loads an exemplar of the point. */
  void loadExemplar(MetricCursor point, int exemplar) {
    labels.load(point, exemplar);
    if (labels.attributesLeftOut()) {
      faults.count(Fault.EXEMPLAR_LABELS, 1);
    }
    text.clear();
    size = 0;
    for (int i = 0; i < labels.size(); i++) {
      int nameStart = text.lengthBytes();
      byte[] name = labels.name(i);
      BlockText.appendName(name, 0, name.length, text);
      int valueStart = text.lengthBytes();
      Escaping.appendUtf8(text, labels.valueBytes(), labels.valueStart(i), labels.valueEnd(i));
      if (text.lengthBytes() > valueStart) {
        insert(nameStart, valueStart, text.lengthBytes());
      }
    }
    valueBits = WriteSchema.bits(BucketExemplars.value(point, exemplar));
    unixMillis = millis(point, exemplar);
  }

  /** The most bytes that the exemplar which was loaded takes. */
  int maxBytes() {
    return text.lengthBytes() + size * LABEL_OVERHEAD_BYTES + OVERHEAD_BYTES;
  }

  /** How many labels the exemplar has that was loaded. */
  int labels() {
    return size;
  }

  /** Holds its names and values. */
  byte[] bytes() {
    return text.bytes();
  }

  int nameStart(int label) {
    return offsets[3 * label];
  }

  int nameBytes(int label) {
    return valueStart(label) - nameStart(label);
  }

  int valueStart(int label) {
    return offsets[3 * label + 1];
  }

  int valueBytes(int label) {
    return offsets[3 * label + 2] - valueStart(label);
  }

  /** Writes the value and the time, whose fields are the same in both versions. */
  void writeValue(ProtobufWriter out) {
    if (valueBits != 0) {
      out.writeFixed64(WriteSchema.EXEMPLAR_VALUE, valueBits);
    }
    if (unixMillis != 0) {
      out.writeVarint(WriteSchema.EXEMPLAR_TIMESTAMP, unixMillis);
    }
  }

  private int ifNew(MetricCursor point, int exemplar) {
    return exemplar != NONE && millis(point, exemplar) > afterUnixMillis ? exemplar : NONE;
  }

  private long millis(MetricCursor point, int exemplar) {
    long nanos = point.exemplarTimeUnixNanos(exemplar);
    return nanos > 0 ? nanos / NANOS_PER_MILLI : pointUnixMillis;
  }

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
