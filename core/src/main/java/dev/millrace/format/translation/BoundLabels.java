package dev.millrace.format.translation;

import dev.millrace.bytes.DoubleText;
import java.util.Arrays;

/**
 * The bounds of a histogram as the rest of a bucket's labels, <code>le="0.5"} </code>, in canonical
 * form (OpenMetrics 1.0.0, "Considerations: Canonical Numbers"). The last is that of the bucket
 * without a bound, {@code +Inf}. Immutable.
 */
public final class BoundLabels {
  private static final byte[] START = {'l', 'e', '=', '"'};
  private static final byte[] END = {'"', '}', ' '};

  private final double[] bounds;
  private final byte[][] labels;
  private final boolean rising;

  /**
   * Makes the labels.
   *
   * @param bounds of all buckets but the last; copied, because a source may fill an array anew
   */
  public BoundLabels(double[] bounds) {
    this.bounds = bounds.clone();
    labels = new byte[bounds.length + 1][];
    for (int i = 0; i < bounds.length; i++) {
      labels[i] = label(bounds[i]);
    }
    labels[bounds.length] = label(Double.POSITIVE_INFINITY);
    rising = isRising(bounds);
  }

  /** Whether these are the labels of such bounds. */
  public boolean isOf(double[] otherBounds) {
    return Arrays.equals(bounds, otherBounds);
  }

  /** How many bounds there are, without that of the last bucket. */
  public int size() {
    return bounds.length;
  }

  /** How many buckets are written before the one of {@code +Inf}: a bound may be that, too. */
  public int finiteBuckets() {
    return hasInfiniteBound() ? bounds.length - 1 : bounds.length;
  }

  /** The bounds; nobody may change them. */
  public double[] bounds() {
    return bounds;
  }

  /** Whether each bound is greater than the one before it, and none is NaN. */
  public boolean isRising() {
    return rising;
  }

  /** Whether the first bucket holds negative values only. */
  public boolean hasNegative() {
    return bounds.length > 0 && bounds[0] < 0;
  }

  /** The label of one bucket; nobody may change it. */
  public byte[] label(int index) {
    return labels[index];
  }

  /** The label of the bucket that holds all values. */
  public byte[] last() {
    return labels[bounds.length];
  }

  private boolean hasInfiniteBound() {
    return bounds.length > 0 && bounds[bounds.length - 1] == Double.POSITIVE_INFINITY;
  }

  private static boolean isRising(double[] bounds) {
    for (int i = 0; i < bounds.length; i++) {
      if (Double.isNaN(bounds[i]) || (i > 0 && !(bounds[i - 1] < bounds[i]))) {
        return false;
      }
    }
    return true;
  }

  /** The text of one bound. */
  public static byte[] label(double bound) {
    byte[] label = new byte[START.length + DoubleText.MAX_BYTES + END.length];
    System.arraycopy(START, 0, label, 0, START.length);
    int at = DoubleText.writeCanonical(bound, label, START.length);
    System.arraycopy(END, 0, label, at, END.length);
    return Arrays.copyOf(label, at + END.length);
  }
}
