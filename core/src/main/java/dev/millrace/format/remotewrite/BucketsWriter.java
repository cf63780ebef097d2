package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;

/**
 * Writes histograms as a series for each bucket, cumulative, and one each for the sum and the
 * count. The last bucket and the count are the point's count.
 */
abstract class BucketsWriter extends PointWriter {
  private final RequestExemplars exemplars;

  BucketsWriter(Shards out, RequestExemplars exemplars) {
    super(out);
    this.exemplars = exemplars;
  }

  @Override
  final byte[][] reservedNames() {
    return HistogramRules.reservedNames();
  }

  /** How many values lie in a bucket and in those before it; unsigned. */
  abstract long cumulative(int bucket);

  /**
   * Writes all series.
   *
   * @param bounds the upper bounds of buckets, rising; kept by the series if {@code shared}
   * @param boundCount how many of these have a bucket of their own
   * @param shared whether nobody will change the bounds
   */
  final void writeBuckets(
      MetricCursor cursor,
      LiveSeries series,
      double[] bounds,
      int boundCount,
      boolean shared,
      long unixMillis,
      long startUnixMillis) {
    SeriesExtras.replace(this, series, bounds, boundCount, shared, SampleNames.BUCKET, unixMillis);
    boolean hasExemplars = cursor.exemplarCount() > 0;
    if (hasExemplars) {
      exemplars.begin(cursor, series, unixMillis);
      exemplars.chooseForBuckets(cursor, bounds, boundCount);
    }
    ExtraLabels extras = out.extras();
    for (int i = 0; i <= boundCount; i++) {
      ExtraLabel le = i == boundCount ? extras.infinite() : extras.of(bounds[i]);
      long held = i == boundCount ? cursor.count() : cumulative(i);
      int exemplar = hasExemplars ? exemplars.ofBucket(cursor, i) : RequestExemplars.NONE;
      long bits = bits(held);
      if (exemplar == RequestExemplars.NONE) {
        out.at(series, SampleNames.BUCKET, le, OpenRequest.MAX_SAMPLE_BYTES)
            .sample(bits, unixMillis, startUnixMillis);
      } else {
        exemplars.loadExemplar(cursor, exemplar);
        int bytes = OpenRequest.MAX_SAMPLE_BYTES + exemplars.maxBytes();
        OpenRequest request = out.at(series, SampleNames.BUCKET, le, bytes);
        request.sample(bits, unixMillis, startUnixMillis);
        request.exemplar(exemplars);
      }
    }
    exemplars.end();
    if (cursor.hasSum()) {
      series.hasSum = true;
      out.at(series, SampleNames.SUM, null, OpenRequest.MAX_SAMPLE_BYTES)
          .sample(WriteSchema.bits(cursor.sum()), unixMillis, startUnixMillis);
    } else if (series.hasSum) {
      series.hasSum = false;
      stale(series, SampleNames.SUM, null, unixMillis);
    }
    out.at(series, SampleNames.COUNT, null, OpenRequest.MAX_SAMPLE_BYTES)
        .sample(bits(cursor.count()), unixMillis, startUnixMillis);
  }

  @Override
  final void writeStale(LiveSeries series, long unixMillis) {
    ExtraLabels extras = out.extras();
    for (int i = 0; i < series.extraCount; i++) {
      stale(series, SampleNames.BUCKET, extras.of(series.extras[i]), unixMillis);
    }
    stale(series, SampleNames.BUCKET, extras.infinite(), unixMillis);
    if (series.hasSum) {
      stale(series, SampleNames.SUM, null, unixMillis);
    }
    stale(series, SampleNames.COUNT, null, unixMillis);
  }

  /** The bits of an unsigned count as a number. */
  static long bits(long unsigned) {
    if (unsigned >= 0) {
      return Double.doubleToRawLongBits((double) unsigned);
    }
    // The lowest bit goes into the half that is rounded, so that it is rounded once only.
    return Double.doubleToRawLongBits((double) (unsigned >>> 1 | (unsigned & 1)) * 2);
  }
}
