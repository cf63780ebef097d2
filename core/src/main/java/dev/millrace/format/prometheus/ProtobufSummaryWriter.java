package dev.millrace.format.prometheus;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.Quantiles;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes summaries in protobuf. */
final class ProtobufSummaryWriter extends ProtobufPointWriter {
  private static final byte[][] RESERVED = {{'q', 'u', 'a', 'n', 't', 'i', 'l', 'e'}};

  private final Faults faults;
  private final Quantiles quantiles = new Quantiles(false);

  /**
   * A writer.
   *
   * @param faults where quantiles that are left out are counted
   */
  ProtobufSummaryWriter(Faults faults) {
    this.faults = faults;
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
  void write(MetricCursor cursor, ProtobufBuffer out) {
    int summary = out.begin(ProtobufSchema.METRIC_SUMMARY);
    out.writeVarint(ProtobufSchema.SUMMARY_COUNT, cursor.count());
    out.writeDouble(ProtobufSchema.SUMMARY_SUM, cursor.sum());
    quantiles.begin(cursor);
    while (quantiles.hasNext()) {
      int index = quantiles.next(cursor);
      if (index == Quantiles.NOT_ALLOWED) {
        faults.count(Fault.QUANTILE, 1);
        continue;
      }
      int quantile = out.begin(ProtobufSchema.SUMMARY_QUANTILE);
      out.writeDouble(ProtobufSchema.QUANTILE_QUANTILE, cursor.quantile(index));
      out.writeDouble(ProtobufSchema.QUANTILE_VALUE, cursor.quantileValue(index));
      out.end(quantile);
    }
    writeCreated(ProtobufSchema.SUMMARY_CREATED, cursor, out);
    out.end(summary);
  }
}
