package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.DoubleText;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.Quantiles;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes summaries: quantiles, the sum and the count. */
final class SummaryWriter extends PointWriter {
  private static final byte[][] RESERVED = {{'q', 'u', 'a', 'n', 't', 'i', 'l', 'e'}};
  private static final byte[] LABEL_START = {'q', 'u', 'a', 'n', 't', 'i', 'l', 'e', '=', '"'};
  private static final byte[] LABEL_END = {'"', '}', ' '};

  private final boolean strict;
  private final Faults faults;
  private final Quantiles quantiles;
  private final ByteArray series = new ByteArray();

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
    quantiles = new Quantiles(strict);
  }

  @Override
  public byte[][] reservedNames() {
    return RESERVED;
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return null;
  }

  @Override
  void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    quantiles.begin(cursor);
    while (quantiles.hasNext()) {
      int index = quantiles.next(cursor);
      if (index == Quantiles.NOT_ALLOWED) {
        faults.count(Fault.QUANTILE, 1);
      } else {
        double quantile = cursor.quantile(index);
        double value = cursor.quantileValue(index);
        writeQuantile(quantile, value, family, block, blockLengthBytes, out);
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
