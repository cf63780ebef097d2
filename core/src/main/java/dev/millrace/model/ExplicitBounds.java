package dev.millrace.model;

/** The bounds of histograms with explicit ones. Stateless. */
public final class ExplicitBounds {
  private ExplicitBounds() {}

  /**
   * The bucket that takes a value: the first whose upper bound is not below it (OpenTelemetry
   * specification, metrics data model, "Histogram": bounds are inclusive).
   *
   * @param value not NaN
   * @param bounds the upper bounds of all buckets but the last, rising
   * @param count how many of them there are; the array may be longer
   * @return from 0 to {@code count}, which is the last bucket
   */
  public static int bucketOf(double value, double[] bounds, int count) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bounds[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
