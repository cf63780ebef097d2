package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;

/** Writes histograms as one series of native histograms. */
abstract class NativeWriter extends PointWriter {
  private final RequestExemplars exemplars;

  /** The histogram that is written. */
  final NativeHistogram histogram = new NativeHistogram();

  NativeWriter(Shards out, RequestExemplars exemplars) {
    super(out);
    this.exemplars = exemplars;
  }

  @Override
  final byte[][] reservedNames() {
    return HistogramRules.reservedNames();
  }

  @Override
  final int kind() {
    return 1;
  }

  /** Writes {@link #histogram}, with the exemplars of the point. */
  final void writeHistogram(MetricCursor cursor, LiveSeries series) {
    if (cursor.exemplarCount() == 0) {
      out.at(series, SampleNames.VALUE, null, histogram.maxBytes()).histogram(histogram, null);
      return;
    }
    exemplars.begin(cursor, series, histogram.unixMillis());
    exemplars.chooseAll(cursor);
    int bytes = histogram.maxBytes() + exemplars.allBytes();
    out.at(series, SampleNames.VALUE, null, bytes).histogram(histogram, exemplars);
    exemplars.end();
  }

  @Override
  final void writeStale(LiveSeries series, long unixMillis) {
    histogram.setStale(unixMillis);
    out.at(series, SampleNames.VALUE, null, histogram.maxBytes()).histogram(histogram, null);
  }
}
