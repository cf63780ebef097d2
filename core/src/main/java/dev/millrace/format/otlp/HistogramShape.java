package dev.millrace.format.otlp;

import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Finds histograms whose bounds and buckets do not belong together (opentelemetry-proto 1.11,
 * {@code HistogramDataPoint.explicit_bounds}). Bounds are looked at once for all points that share
 * them. Not thread-safe.
 */
final class HistogramShape {
  private double @Nullable [] lastBounds;
  private boolean lastRise;

  /** Whether the point on which a cursor stands can be written; one without a value always can. */
  boolean isConsistent(MetricCursor cursor) {
    if (cursor.noRecordedValue()) {
      return true;
    }
    int buckets = cursor.bucketCount();
    if (buckets == 0) {
      return true;
    }
    double[] bounds = cursor.explicitBounds();
    return buckets == bounds.length + 1 && rise(bounds);
  }

  /** Lets go of the last bounds, which a source may fill with others. */
  void forget() {
    lastBounds = null;
  }

  private boolean rise(double[] bounds) {
    if (bounds != lastBounds) {
      lastBounds = bounds;
      lastRise = bounds.length == 0 || !Double.isNaN(bounds[0]);
      for (int i = 1; i < bounds.length; i++) {
        lastRise &= bounds[i - 1] < bounds[i];
      }
    }
    return lastRise;
  }
}
