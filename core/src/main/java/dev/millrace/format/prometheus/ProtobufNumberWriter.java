package dev.millrace.format.prometheus;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes counters, gauges and untyped metrics in protobuf; infos and state sets are gauges there. A
 * whole number that no double can hold is rounded, since the schema has doubles only.
 */
final class ProtobufNumberWriter extends ProtobufPointWriter {
  private final int tag;
  private final boolean counter;
  private final ProtobufExemplars exemplars;

  ProtobufNumberWriter(FamilyType type, ProtobufExemplars exemplars) {
    counter = type == FamilyType.COUNTER;
    tag =
        switch (type) {
          case COUNTER -> ProtobufSchema.METRIC_COUNTER;
          case UNKNOWN -> ProtobufSchema.METRIC_UNTYPED;
          case GAUGE, INFO, STATESET, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY ->
              ProtobufSchema.METRIC_GAUGE;
        };
    this.exemplars = exemplars;
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return null;
  }

  @Override
  void write(MetricCursor cursor, ProtobufBuffer out) {
    int number = out.begin(tag);
    double value = cursor.isLong() ? cursor.longValue() : cursor.doubleValue();
    out.writeDouble(ProtobufSchema.NUMBER_VALUE, value);
    if (counter) {
      exemplars.writeNewest(ProtobufSchema.COUNTER_EXEMPLAR, cursor, out);
      writeCreated(ProtobufSchema.COUNTER_CREATED, cursor, out);
    }
    out.end(number);
  }
}
