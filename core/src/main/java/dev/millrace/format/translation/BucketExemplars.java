package dev.millrace.format.translation;

import dev.millrace.model.ExplicitBounds;
import dev.millrace.model.MetricCursor;
import java.util.Arrays;

/**
 * Chooses which of a point's exemplars are written: of each bucket's the newest, and of a counter's
 * the newest (OpenTelemetry specification, Prometheus compatibility, "Sums" and "Histograms"). Of
 * exemplars that are equally old the last one holds; one without a time is older than all others.
 *
 * <p>Not thread-safe; it keeps its memory between points, and nothing else.
 */
public final class BucketExemplars {
  /** There is no such exemplar. */
  public static final int NONE = -1;

  private int[] chosen = new int[32];
  private boolean any;
  private int withoutBucket;

  /** The newest exemplar of the point on which the cursor stands, or {@link #NONE}. */
  public static int newest(MetricCursor cursor) {
    int newest = NONE;
    for (int i = 0; i < cursor.exemplarCount(); i++) {
      newest = newer(cursor, newest, i);
    }
    return newest;
  }

  /**
   * Chooses one exemplar for each bucket of the point on which the cursor stands.
   *
   * @param bounds the upper bounds of the buckets, rising, none of them NaN; a value that is a
   *     bound lies below it
   * @param boundCount how many of these have a bucket of their own; one more bucket holds what lies
   *     above the last
   */
  public void choose(MetricCursor cursor, double[] bounds, int boundCount) {
    int exemplars = cursor.exemplarCount();
    any = exemplars > 0;
    withoutBucket = 0;
    if (!any) {
      return;
    }
    if (chosen.length <= boundCount) {
      chosen = new int[Math.max(boundCount + 1, 2 * chosen.length)];
    }
    Arrays.fill(chosen, 0, boundCount + 1, NONE);
    for (int i = 0; i < exemplars; i++) {
      double value = value(cursor, i);
      if (Double.isNaN(value)) {
        withoutBucket++;
      } else {
        int bucket = ExplicitBounds.bucketOf(value, bounds, boundCount);
        chosen[bucket] = newer(cursor, chosen[bucket], i);
      }
    }
  }

  /**
   * The exemplar that was chosen for a bucket, or {@link #NONE}.
   *
   * @param bucket from 0 to the number of bounds
   */
  public int of(int bucket) {
    return any ? chosen[bucket] : NONE;
  }

  /** How many exemplars no bucket takes, because they are not numbers. */
  public int withoutBucket() {
    return withoutBucket;
  }

  /** The value of an exemplar, rounded where it is a whole number that no double can hold. */
  public static double value(MetricCursor cursor, int exemplar) {
    return cursor.exemplarIsLong(exemplar)
        ? cursor.exemplarLongValue(exemplar)
        : cursor.exemplarDoubleValue(exemplar);
  }

  private static int newer(MetricCursor cursor, int chosen, int candidate) {
    boolean older =
        chosen != NONE
            && cursor.exemplarTimeUnixNanos(candidate) < cursor.exemplarTimeUnixNanos(chosen);
    return older ? chosen : candidate;
  }
}
