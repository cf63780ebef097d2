package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Which histograms with explicit bounds can be written, in any format. A point that counts less
 * than its buckets hold is inconsistent; one that counts more has observations that no bucket took,
 * such as NaN. Not thread-safe; belongs to one writer.
 */
public final class HistogramRules {
  private static final byte[][] RESERVED = {{'l', 'e'}};

  private final BoundLabelCache boundLabels = new BoundLabelCache();
  private BoundLabels bounds = new BoundLabels(new double[0]);

  /** The name of the label that the formats give buckets; nobody may change it. */
  public static byte[][] reservedNames() {
    return RESERVED;
  }

  /**
   * Looks at a point; the parameters and the result are those of the rules of points: what keeps it
   * from being written, or {@code null}.
   */
  public @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    bounds = boundLabels.of(cursor.explicitBounds(), member);
    int buckets = cursor.bucketCount();
    boolean fits = buckets == 0 ? bounds.size() == 0 : buckets == bounds.size() + 1;
    if (!fits || !bounds.isRising()) {
      return Fault.HISTOGRAM;
    }
    long total = 0;
    for (int i = 0; i < buckets; i++) {
      long sum = total + cursor.bucket(i);
      if (Long.compareUnsigned(sum, total) < 0) {
        return Fault.HISTOGRAM;
      }
      total = sum;
    }
    return Long.compareUnsigned(total, cursor.count()) > 0 ? Fault.HISTOGRAM : null;
  }

  /** The bounds of the point that was checked last. */
  public BoundLabels bounds() {
    return bounds;
  }
}
