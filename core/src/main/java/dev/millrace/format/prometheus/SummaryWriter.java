package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.DoubleText;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes summaries: quantiles, the sum and the count. */
final class SummaryWriter extends PointWriter {
  private static final byte[][] RESERVED = {{'q', 'u', 'a', 'n', 't', 'i', 'l', 'e'}};
  private static final byte[] LABEL_START = {'q', 'u', 'a', 'n', 't', 'i', 'l', 'e', '=', '"'};
  private static final byte[] LABEL_END = {'"', '}', ' '};

  private final boolean strict;
  private final Faults faults;
  private final ByteArray series = new ByteArray();
  private int[] order = new int[16];

  /**
   * A writer.
   *
   * @param strict whether negative quantile values and sums are left out, as OpenMetrics has it
   * @param faults where quantiles that are left out are counted
   */
  SummaryWriter(boolean strict, boolean createdTimestamps, Faults faults) {
    super(createdTimestamps);
    this.strict = strict;
    this.faults = faults;
  }

  @Override
  byte[][] reservedNames() {
    return RESERVED;
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return null;
  }

  @Override
  void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    int quantiles = sortQuantiles(cursor);
    double last = -1;
    for (int i = 0; i < quantiles; i++) {
      double quantile = cursor.quantile(order[i]);
      double value = cursor.quantileValue(order[i]);
      boolean allowed = quantile > last && quantile >= 0 && quantile <= 1;
      if (allowed && !(strict && value < 0)) {
        writeQuantile(quantile, value, family, block, blockLengthBytes, out);
        last = quantile;
      } else {
        faults.count(Fault.QUANTILE, 1);
      }
    }
    if (!strict || cursor.sum() >= 0) {
      SampleWriter.writeSeries(out, family.sumName, block, blockLengthBytes);
      SampleWriter.writeDouble(out, cursor.sum());
    }
    SampleWriter.writeSeries(out, family.countName, block, blockLengthBytes);
    SampleWriter.writeCount(out, cursor.count());
    writeCreated(cursor, family, block, blockLengthBytes, out);
  }

  /** Orders the point's quantiles from the lowest to the highest; Shell's sort, without memory. */
  private int sortQuantiles(MetricCursor cursor) {
    int count = cursor.quantileCount();
    if (count > order.length) {
      order = new int[Math.max(count, 2 * order.length)];
    }
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    int gap = 1;
    while (gap < count / 3) {
      gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
      for (int i = gap; i < count; i++) {
        int index = order[i];
        int at = i;
        while (at >= gap && isAfter(cursor, order[at - gap], index)) {
          order[at] = order[at - gap];
          at -= gap;
        }
        order[at] = index;
      }
    }
    return count;
  }

  /** Whether a quantile comes after another: it is higher, or as high and given later. */
  private static boolean isAfter(MetricCursor cursor, int index, int other) {
    int compared = Double.compare(cursor.quantile(index), cursor.quantile(other));
    return compared > 0 || (compared == 0 && index > other);
  }

  private void writeQuantile(
      double quantile,
      double value,
      Family family,
      byte[] block,
      int blockLengthBytes,
      ChunkWriter out) {
    series.clear();
    family.valueName.appendOpen(series, block, blockLengthBytes);
    series.append(LABEL_START);
    series.reserve(DoubleText.MAX_BYTES);
    series.advanceTo(DoubleText.writeCanonical(quantile, series.bytes(), series.lengthBytes()));
    series.append(LABEL_END);
    out.write(series.bytes(), 0, series.lengthBytes());
    SampleWriter.writeDouble(out, value);
  }
}
