package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.BlockText;
import dev.millrace.format.translation.BucketExemplars;
import dev.millrace.format.translation.Escaping;
import dev.millrace.format.translation.ExemplarLabels;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.model.MetricCursor;

/**
 * Writes {@code Exemplar} messages of protobuf: of counters the newest, of each bucket the newest,
 * and of native histograms all that have a time, from the oldest to the newest, because a server
 * refuses exemplars that come out of order. Not thread-safe; belongs to one encoder.
 */
final class ProtobufExemplars {
  private final ExemplarLabels labels;
  private final Faults faults;
  private final BucketExemplars buckets = new BucketExemplars();
  private final ByteArray text = new ByteArray();
  private int[] order = new int[16];

  ProtobufExemplars(LabelNames attributeNames, Faults faults) {
    labels = new ExemplarLabels(attributeNames);
    this.faults = faults;
  }

  /** Writes the newest exemplar of the point, if there is one. */
  void writeNewest(int tag, MetricCursor cursor, ProtobufBuffer out) {
    int exemplar = BucketExemplars.newest(cursor);
    if (exemplar != BucketExemplars.NONE) {
      write(tag, exemplar, cursor, out);
    }
  }

  /** Chooses the exemplars of the point's buckets; see {@link BucketExemplars#choose}. */
  void chooseForBuckets(MetricCursor cursor, double[] bounds, int finiteBuckets) {
    buckets.choose(cursor, bounds, finiteBuckets);
    faults.count(Fault.EXEMPLAR_VALUE, buckets.withoutBucket());
  }

  /** Whether an exemplar was chosen for a bucket. */
  boolean hasOfBucket(int bucket) {
    return buckets.of(bucket) != BucketExemplars.NONE;
  }

  /** Writes the exemplar that was chosen for a bucket, if there is one. */
  void writeOfBucket(int tag, int bucket, MetricCursor cursor, ProtobufBuffer out) {
    int exemplar = buckets.of(bucket);
    if (exemplar != BucketExemplars.NONE) {
      write(tag, exemplar, cursor, out);
    }
  }

  /** Writes all exemplars of the point that have a time and a value that is a number. */
  void writeTimed(int tag, MetricCursor cursor, ProtobufBuffer out) {
    int count = sortByTime(cursor);
    for (int i = 0; i < count; i++) {
      write(tag, order[i], cursor, out);
    }
  }

  private int sortByTime(MetricCursor cursor) {
    int exemplars = cursor.exemplarCount();
    if (exemplars > order.length) {
      order = new int[Math.max(exemplars, 2 * order.length)];
    }
    int count = 0;
    for (int i = 0; i < exemplars; i++) {
      if (cursor.exemplarTimeUnixNanos(i) <= 0) {
        faults.count(Fault.EXEMPLAR_TIME, 1);
      } else if (Double.isNaN(BucketExemplars.value(cursor, i))) {
        faults.count(Fault.EXEMPLAR_VALUE, 1);
      } else {
        order[count++] = i;
      }
    }
    int gap = 1;
    while (gap < count / 3) {
      gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
      for (int i = gap; i < count; i++) {
        int exemplar = order[i];
        int at = i;
        while (at >= gap && isAfter(cursor, order[at - gap], exemplar)) {
          order[at] = order[at - gap];
          at -= gap;
        }
        order[at] = exemplar;
      }
    }
    return count;
  }

  /** Whether an exemplar comes after another: it is newer, or as new and given later. */
  private static boolean isAfter(MetricCursor cursor, int exemplar, int other) {
    int compared =
        Long.compare(cursor.exemplarTimeUnixNanos(exemplar), cursor.exemplarTimeUnixNanos(other));
    return compared > 0 || (compared == 0 && exemplar > other);
  }

  private void write(int tag, int exemplar, MetricCursor cursor, ProtobufBuffer out) {
    labels.load(cursor, exemplar);
    if (labels.attributesLeftOut()) {
      faults.count(Fault.EXEMPLAR_LABELS, 1);
    }
    int message = out.begin(tag);
    for (int i = 0; i < labels.size(); i++) {
      int pair = out.begin(ProtobufSchema.EXEMPLAR_LABEL);
      byte[] name = labels.name(i);
      text.clear();
      BlockText.appendName(name, 0, name.length, text);
      out.writeBytes(ProtobufSchema.LABEL_NAME, text.bytes(), 0, text.lengthBytes());
      text.clear();
      Escaping.appendUtf8(text, labels.valueBytes(), labels.valueStart(i), labels.valueEnd(i));
      out.writeBytes(ProtobufSchema.LABEL_VALUE, text.bytes(), 0, text.lengthBytes());
      out.end(pair);
    }
    out.writeDouble(ProtobufSchema.EXEMPLAR_VALUE, BucketExemplars.value(cursor, exemplar));
    long unixNanos = cursor.exemplarTimeUnixNanos(exemplar);
    if (unixNanos > 0) {
      ProtobufPointWriter.writeTimestamp(ProtobufSchema.EXEMPLAR_TIMESTAMP, unixNanos, out);
    }
    out.end(message);
  }
}
