package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes points with one value. Counters have a start time and the newest exemplar. */
final class NumberWriter extends PointWriter {
  private final @Nullable RequestExemplars exemplars;

  /**
   * A writer.
   *
   * @param exemplars those of counters, {@code null} for all other types
   */
  NumberWriter(Shards out, @Nullable RequestExemplars exemplars) {
    super(out);
    this.exemplars = exemplars;
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    return null;
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    double value = cursor.isLong() ? cursor.longValue() : cursor.doubleValue();
    long bits = WriteSchema.bits(value);
    RequestExemplars chosen = exemplars;
    if (chosen == null) {
      out.at(series, SampleNames.VALUE, null, OpenRequest.MAX_SAMPLE_BYTES)
          .sample(bits, unixMillis, 0);
      return;
    }
    int exemplar = RequestExemplars.NONE;
    if (cursor.exemplarCount() > 0) {
      chosen.begin(cursor, series, unixMillis);
      exemplar = chosen.newest(cursor);
    }
    if (exemplar == RequestExemplars.NONE) {
      out.at(series, SampleNames.VALUE, null, OpenRequest.MAX_SAMPLE_BYTES)
          .sample(bits, unixMillis, startUnixMillis);
    } else {
      chosen.loadExemplar(cursor, exemplar);
      int bytes = OpenRequest.MAX_SAMPLE_BYTES + chosen.maxBytes();
      OpenRequest request = out.at(series, SampleNames.VALUE, null, bytes);
      request.sample(bits, unixMillis, startUnixMillis);
      request.exemplar(chosen);
    }
    chosen.end();
  }

  @Override
  void writeStale(LiveSeries series, long unixMillis) {
    stale(series, SampleNames.VALUE, null, unixMillis);
  }
}
