package dev.millrace.format.prometheus;

import dev.millrace.model.FakePoint;
import java.util.Arrays;

/**
 * Values as an OpenTelemetry SDK would record them in an exponential histogram, found the slow and
 * obvious way. No value may lie so close to a bucket's bound that a logarithm errs.
 */
final class RecordedValues {
  private final int scale;
  private final double zeroThreshold;
  private final double[] values;

  RecordedValues(int scale, double zeroThreshold, double[] values) {
    this.scale = scale;
    this.zeroThreshold = zeroThreshold;
    this.values = values.clone();
  }

  static RecordedValues of(int scale, double... values) {
    return new RecordedValues(scale, 0, values);
  }

  FakePoint.Exponential point() {
    double[] positive = Arrays.stream(values).filter(v -> v > zeroThreshold).toArray();
    double[] negative =
        Arrays.stream(values).filter(v -> v < -zeroThreshold).map(Math::abs).toArray();
    int zero = values.length - positive.length - negative.length;
    int offset = Arrays.stream(positive).mapToInt(this::index).min().orElse(0);
    int negativeOffset = Arrays.stream(negative).mapToInt(this::index).min().orElse(0);
    return new FakePoint.Exponential(
        values.length,
        true,
        Arrays.stream(values).sum(),
        scale,
        zero,
        zeroThreshold,
        offset,
        counts(positive, offset),
        negativeOffset,
        counts(negative, negativeOffset));
  }

  /** How many values lie at or below a bound. */
  long atOrBelow(double bound) {
    return Arrays.stream(values).filter(value -> value <= bound).count();
  }

  private long[] counts(double[] absolute, int offset) {
    int last = Arrays.stream(absolute).mapToInt(this::index).max().orElse(offset - 1);
    long[] counts = new long[last - offset + 1];
    for (double value : absolute) {
      counts[index(value) - offset]++;
    }
    return counts;
  }

  private int index(double absolute) {
    return (int) Math.ceil(Math.scalb(Math.log(absolute) / Math.log(2), scale)) - 1;
  }
}
