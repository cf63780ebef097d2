package dev.millrace.format.remotewrite;

import java.util.Arrays;

/**
 * The bounds or quantiles that a series was written with. Where a point has others, the series of
 * those that it has no more have ended. Stateless.
 */
final class SeriesExtras {
  private SeriesExtras() {}

  /**
   * Takes the bounds or quantiles of the point that is about to be written, and ends what is not
   * among them.
   *
   * @param numbers rising
   * @param shared whether nobody will change them
   * @param part which samples they tell apart
   */
  static void replace(
      PointWriter writer,
      LiveSeries series,
      double[] numbers,
      int count,
      boolean shared,
      int part,
      long unixMillis) {
    double[] before = series.extras;
    int beforeCount = series.extraCount;
    if (beforeCount == count
        && (before == numbers || Arrays.equals(before, 0, count, numbers, 0, count))) {
      return;
    }
    if (series.isOpen()) {
      int at = 0;
      for (int i = 0; i < beforeCount; i++) {
        double number = before[i];
        while (at < count && Double.compare(numbers[at], number) < 0) {
          at++;
        }
        if (at == count || Double.compare(numbers[at], number) != 0) {
          ExtraLabel extra = writer.out.extras().of(number);
          writer.stale(series, part, extra, unixMillis);
        }
      }
    }
    series.extras = shared ? numbers : Arrays.copyOf(numbers, count);
    series.extraCount = count;
  }
}
