package dev.millrace.agent.series;

import dev.millrace.model.Labels;

/** A series of a gauge or a sum. */
final class NumberSeries extends TableSeries {
  /** The value itself, or the bits of a floating-point one. */
  private long bits;

  NumberSeries(Labels labels, int hash) {
    super(labels, hash);
  }

  void setLong(long value) {
    bits = value;
    set(LONG, true);
  }

  void setDouble(double value) {
    bits = Double.doubleToRawLongBits(value);
    set(LONG, false);
  }

  @Override
  void replace(MetricEntry metric, PointValues point) {
    if (point.isLong) {
      setLong(point.longValue);
    } else {
      setDouble(point.doubleValue);
    }
  }

  /** Whole numbers stay whole as long as all are and their sum fits. */
  @Override
  boolean accumulate(PointValues point) {
    if (has(LONG) && point.isLong) {
      long sum = bits + point.longValue;
      boolean overflows = ((bits ^ sum) & (point.longValue ^ sum)) < 0;
      if (!overflows) {
        bits = sum;
        return true;
      }
    }
    double held = has(LONG) ? bits : Double.longBitsToDouble(bits);
    setDouble(held + (point.isLong ? point.longValue : point.doubleValue));
    return true;
  }

  @Override
  void readValues(PointValues into) {
    into.isLong = has(LONG);
    into.longValue = bits;
    into.doubleValue = Double.longBitsToDouble(bits);
  }
}
