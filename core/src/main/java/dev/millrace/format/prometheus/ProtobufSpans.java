package dev.millrace.format.prometheus;

import dev.millrace.format.translation.ExponentialSide;
import dev.millrace.model.MetricCursor;

/**
 * Writes one side of a native histogram: spans of neighbouring buckets, and what each bucket holds
 * as the difference to the one before it (Prometheus documentation, "Native Histograms",
 * "Buckets"). Not thread-safe; it keeps its memory between points.
 */
final class ProtobufSpans {
  /**
   * So many empty buckets are cheaper to write than another span; Prometheus' own client agrees.
   */
  private static final long MAX_GAP = 2;

  private final ProtobufBuffer deltas = new ProtobufBuffer();
  private long previous;

  /**
   * Writes a side that was read.
   *
   * @param shift by how much the point's scale is lowered
   */
  void write(
      int spanTag,
      int deltaTag,
      MetricCursor cursor,
      ExponentialSide side,
      int shift,
      ProtobufBuffer out) {
    if (side.isEmpty()) {
      return;
    }
    deltas.clear();
    previous = 0;
    long first = side.lowest(shift);
    // Prometheus counts buckets by their upper bounds: its bucket 0 ends where ours begins.
    long offset = first + 1;
    long length = 0;
    long gap = 0;
    for (long index = first; index <= side.highest(shift); index++) {
      long count = side.count(cursor, index, shift);
      if (count == 0) {
        gap++;
        continue;
      }
      if (gap > MAX_GAP) {
        writeSpan(spanTag, offset, length, out);
        offset = gap;
        length = 0;
        gap = 0;
      }
      for (; gap > 0; gap--) {
        addDelta(deltaTag, 0);
        length++;
      }
      addDelta(deltaTag, count);
      length++;
    }
    writeSpan(spanTag, offset, length, out);
    out.append(deltas.bytes(), 0, deltas.lengthBytes());
  }

  private void addDelta(int deltaTag, long count) {
    deltas.writeZigZag(deltaTag, count - previous);
    previous = count;
  }

  private static void writeSpan(int spanTag, long offset, long length, ProtobufBuffer out) {
    int span = out.begin(spanTag);
    out.writeZigZag(ProtobufSchema.SPAN_OFFSET, offset);
    out.writeVarint(ProtobufSchema.SPAN_LENGTH, length);
    out.end(span);
  }
}
