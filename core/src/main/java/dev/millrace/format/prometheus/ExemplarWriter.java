package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.translation.BucketExemplars;
import dev.millrace.format.translation.Escaping;
import dev.millrace.format.translation.ExemplarLabels;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.model.MetricCursor;

/**
 * Ends sample lines with an exemplar: <code> # {trace_id="...",span_id="..."} 0.5 1700000000.25
 * </code> (OpenMetrics 1.0.0, "Exemplars"). Not thread-safe; belongs to one encoder.
 */
final class ExemplarWriter {
  private static final byte[] START = {' ', '#', ' ', '{'};
  private static final byte[] NAME_END = {'=', '"'};

  private final ExemplarLabels labels;
  private final Faults faults;
  private final BucketExemplars buckets = new BucketExemplars();
  private final ByteArray text = new ByteArray();

  ExemplarWriter(LabelNames attributeNames, Faults faults) {
    labels = new ExemplarLabels(attributeNames);
    this.faults = faults;
  }

  /** Chooses the exemplars of the point's buckets; see {@link BucketExemplars#choose}. */
  void chooseForBuckets(MetricCursor cursor, double[] bounds, int boundCount) {
    buckets.choose(cursor, bounds, boundCount);
    faults.count(Fault.EXEMPLAR_VALUE, buckets.withoutBucket());
  }

  /** The exemplar that was chosen for a bucket, or {@link BucketExemplars#NONE}. */
  int ofBucket(int bucket) {
    return buckets.of(bucket);
  }

  /** Writes an exemplar of the point on which the cursor stands, after the sample's value. */
  void write(MetricCursor cursor, int exemplar, ChunkWriter out) {
    labels.load(cursor, exemplar);
    if (labels.attributesLeftOut()) {
      faults.count(Fault.EXEMPLAR_LABELS, 1);
    }
    text.clear();
    text.append(START);
    for (int i = 0; i < labels.size(); i++) {
      if (i > 0) {
        text.append(',');
      }
      text.append(labels.name(i));
      text.append(NAME_END);
      Escaping.appendLabelValue(
          text, labels.valueBytes(), labels.valueStart(i), labels.valueEnd(i));
      text.append('"');
    }
    text.append('}');
    text.append(' ');
    out.write(text.bytes(), 0, text.lengthBytes());
    if (cursor.exemplarIsLong(exemplar)) {
      out.writeLong(cursor.exemplarLongValue(exemplar));
    } else {
      out.writeDouble(cursor.exemplarDoubleValue(exemplar));
    }
    long unixNanos = cursor.exemplarTimeUnixNanos(exemplar);
    if (unixNanos > 0) {
      out.writeByte(' ');
      SampleWriter.writeTime(out, unixNanos);
    } else {
      out.writeByte('\n');
    }
  }
}
