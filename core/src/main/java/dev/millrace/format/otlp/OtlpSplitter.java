package dev.millrace.format.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.ProtobufWriter;
import org.jspecify.annotations.Nullable;

/**
 * Counts the items of finished export requests in protobuf, and splits a request into two of about
 * as many items. Nothing is decoded but the messages around items.
 *
 * <p>Each item is in exactly one half, in the order that it had. What surrounds it is in that half
 * too: resource, scope, schema URLs, the description of a metric, and fields that are not known; a
 * metric is split between its points. A resource or a scope without items is in one of the halves.
 *
 * <p>Used again and again by one thread at a time.
 */
public final class OtlpSplitter {
  /**
   * For each level of messages, from the request to that which has the items, the numbers of the
   * fields that lead to them, as bits.
   */
  private static final int[] METRIC_LEVELS = {
    1 << 1, 1 << 2, 1 << 2, 1 << 5 | 1 << 7 | 1 << 9 | 1 << 10 | 1 << 11, 1 << 1
  };

  private static final int[] SPAN_OR_LOG_LEVELS = {1 << 1, 1 << 2, 1 << 2};

  private final ProtobufReader reader = new ProtobufReader();
  private final ProtobufWriter out;
  private final int[] levels;

  /** The items that are copied, and the number of the next. */
  private int from;

  private int to;
  private boolean toTheEnd;
  private int next;

  /**
   * Two requests, whose payloads the caller owns.
   *
   * @param first has the items that came first
   * @param firstItems how many those are; 1 or more
   * @param second has the rest
   * @param secondItems how many those are; as many as the first has, or one more
   */
  public record Halves(Payload first, int firstItems, Payload second, int secondItems) {}

  /**
   * A splitter.
   *
   * @param pool where the chunks of the halves come from
   * @param signal what the requests hold
   */
  public OtlpSplitter(ChunkPool pool, OtlpSignal signal) {
    out = new ProtobufWriter(pool);
    levels =
        switch (signal) {
          case METRICS -> METRIC_LEVELS;
          case TRACES, LOGS -> SPAN_OR_LOG_LEVELS;
        };
  }

  /**
   * Counts the metric points, spans or log records of a request.
   *
   * @param request stays open, and the caller's; less than 2 GiB
   * @throws MalformedProtobufException if it is no request
   */
  public int countItems(Payload request) throws MalformedProtobufException {
    reader.reset(request);
    try {
      return count(0);
    } finally {
      reader.clear();
    }
  }

  /**
   * Splits a request.
   *
   * @param request stays open, and the caller's; less than 2 GiB
   * @return the halves, or {@code null} where there are fewer than two items
   * @throws MalformedProtobufException if it is no request
   */
  public @Nullable Halves split(Payload request) throws MalformedProtobufException {
    int items = countItems(request);
    if (items < 2) {
      return null;
    }
    int middle = items / 2;
    Payload first = null;
    try {
      first = part(request, 0, middle, false);
      Halves halves = new Halves(first, middle, part(request, middle, items, true), items - middle);
      first = null;
      return halves;
    } finally {
      if (first != null) {
        first.close();
      }
    }
  }

  private Payload part(Payload request, int from, int to, boolean toTheEnd)
      throws MalformedProtobufException {
    this.from = from;
    this.to = to;
    this.toTheEnd = toTheEnd;
    next = 0;
    reader.reset(request);
    try {
      copy(0);
      return out.finish();
    } finally {
      reader.clear();
      out.close();
    }
  }

  /** Counts the items from the reader's position to its limit. */
  private int count(int level) throws MalformedProtobufException {
    int items = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (!leadsToItems(tag, level)) {
        reader.skip(tag);
      } else if (level == levels.length - 1) {
        reader.skip(tag);
        items++;
      } else {
        int outer = reader.enter(reader.readLength());
        items += count(level + 1);
        reader.leave(outer);
      }
    }
    return items;
  }

  /** Copies what belongs to the part from the reader's position to its limit. */
  private void copy(int level) throws MalformedProtobufException {
    while (true) {
      int start = reader.positionBytes();
      int tag = reader.readTag();
      if (tag == ProtobufReader.END) {
        return;
      }
      if (!leadsToItems(tag, level)) {
        copyField(start, tag);
      } else if (level == levels.length - 1) {
        if (next >= from && next < to) {
          copyField(start, tag);
        } else {
          reader.skip(tag);
        }
        next++;
      } else {
        copyMessage(tag, level);
      }
    }
  }

  private void copyField(int start, int tag) throws MalformedProtobufException {
    reader.skip(tag);
    int end = reader.positionBytes();
    reader.seek(start);
    reader.copyTo(out, end - start);
  }

  /** Copies a message that may have items, if some of them belong to the part. */
  private void copyMessage(int tag, int level) throws MalformedProtobufException {
    int outer = reader.enter(reader.readLength());
    int start = reader.positionBytes();
    int items = count(level + 1);
    if (isInPart(items)) {
      reader.seek(start);
      out.begin(ProtobufReader.fieldNumber(tag));
      copy(level + 1);
      out.end();
    } else {
      next += items;
    }
    reader.leave(outer);
  }

  /** Whether the part has some of the next items; of a message without items, whether it has it. */
  private boolean isInPart(int items) {
    if (items == 0) {
      return next >= from && (next < to || toTheEnd);
    }
    return next < to && next + items > from;
  }

  private boolean leadsToItems(int tag, int level) {
    int number = ProtobufReader.fieldNumber(tag);
    return number < Integer.SIZE
        && (levels[level] >>> number & 1) != 0
        && ProtobufReader.wireType(tag) == ProtobufReader.LENGTH_DELIMITED;
  }
}
