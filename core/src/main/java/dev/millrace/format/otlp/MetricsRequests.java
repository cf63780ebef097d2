package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ProtobufWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages around the points of metrics requests. They are opened with the first point that is
 * written into them, so that none is empty, and each request has its own.
 *
 * <p>Not thread-safe; belongs to one encoder.
 */
final class MetricsRequests implements AutoCloseable {
  private static final int RESOURCE_METRICS = 1;
  private static final int SCOPE_METRICS = 2;
  private static final int METRICS = 2;
  private static final int SCHEMA_URL = 3;
  private static final int AGGREGATION_TEMPORALITY = 2;
  private static final int IS_MONOTONIC = 3;

  /** How many of the messages around points are open. */
  private static final int IN_NOTHING = 0;

  private static final int IN_RESOURCE = 1;
  private static final int IN_SCOPE = 2;

  /** In a {@code Metric} and in the message that has its points. */
  private static final int IN_METRIC = 3;

  /**
   * The most by which ending the four messages around a point can lengthen a request beside the
   * fields that stand in them after points: lengths that grow from one byte to five, and the
   * temporality and the monotonicity.
   */
  private static final int MAX_CLOSING_BYTES = 4 * 4 + 4;

  private final ProtobufWriter out;
  private final ByteArray encoded = new ByteArray();
  private final ByteArray scratch = new ByteArray();

  private MetricsPlan.@Nullable ResourceGroup resource;
  private MetricsPlan.@Nullable ScopeGroup scope;
  private MetricsPlan.@Nullable Metric metric;
  private @Nullable PayloadSink sink;
  private long maxPayloadBytes;
  private long mostBytes;
  private int level;
  private int levelAtMark;
  private int points;

  MetricsRequests(ChunkPool pool) {
    out = new ProtobufWriter(pool);
  }

  /** Where the fields of points are to be written. */
  ProtobufWriter out() {
    return out;
  }

  /** Begins a collection. */
  void begin(long maxPayloadBytes, PayloadSink sink) {
    this.maxPayloadBytes = maxPayloadBytes;
    this.sink = sink;
  }

  /** Goes to a resource. */
  void enter(MetricsPlan.ResourceGroup next) {
    closeTo(IN_NOTHING);
    resource = next;
  }

  /** Goes to a scope of the resource. */
  void enter(MetricsPlan.ScopeGroup next) {
    closeTo(IN_RESOURCE);
    scope = next;
  }

  /** Goes to a metric of the scope. */
  void enter(MetricsPlan.Metric next) {
    closeTo(IN_SCOPE);
    metric = next;
    int later =
        MAX_CLOSING_BYTES
            + Metadata.typeHint(next.descriptor().typeHint()).length
            + Objects.requireNonNull(scope).closingBytes()
            + Objects.requireNonNull(resource).closingBytes();
    mostBytes = maxPayloadBytes - later;
  }

  /** Begins a point: what surrounds it is open afterwards. */
  void beginPoint() {
    if (maxPayloadBytes != OtlpMetricsEncoder.NO_LIMIT) {
      out.mark();
      levelAtMark = level;
    }
    if (level != IN_METRIC) {
      open();
    }
  }

  /**
   * Ends a point.
   *
   * @return {@code false} if the request would be too large with it: the point is gone then, a new
   *     request is begun, and it has to be written again
   */
  boolean endPoint() {
    if (out.lengthBytes() > mostBytes && points > 0) {
      out.rollBack();
      level = levelAtMark;
      handOver();
      open();
      return false;
    }
    points++;
    return true;
  }

  /** Ends the collection. */
  void finish() {
    handOver();
  }

  /** Lets go of what was not handed over. */
  @Override
  public void close() {
    out.close();
    level = IN_NOTHING;
    points = 0;
    resource = null;
    scope = null;
    metric = null;
    sink = null;
  }

  private void handOver() {
    closeTo(IN_NOTHING);
    if (points > 0) {
      int count = points;
      points = 0;
      Objects.requireNonNull(sink).accept(out.finish(), count);
    }
  }

  private void open() {
    if (level == IN_NOTHING) {
      MetricsPlan.ResourceGroup current = Objects.requireNonNull(resource);
      out.begin(RESOURCE_METRICS);
      if (current.header() == null) {
        encoded.clear();
        Metadata.appendResource(current.resource(), encoded, scratch);
      }
      writeHeader(current.header());
      level = IN_RESOURCE;
    }
    if (level == IN_RESOURCE) {
      MetricsPlan.ScopeGroup current = Objects.requireNonNull(scope);
      out.begin(SCOPE_METRICS);
      if (current.header() == null) {
        encoded.clear();
        Metadata.appendScope(current.scope(), encoded, scratch);
      }
      writeHeader(current.header());
      level = IN_SCOPE;
    }
    if (level == IN_SCOPE) {
      MetricsPlan.Metric current = Objects.requireNonNull(metric);
      out.begin(METRICS);
      if (current.header() == null) {
        encoded.clear();
        Metadata.appendMetric(current.descriptor(), encoded);
      }
      writeHeader(current.header());
      out.begin(current.dataField());
      level = IN_METRIC;
    }
  }

  /** Writes what the plan has kept, or what was encoded instead. */
  private void writeHeader(byte @Nullable [] kept) {
    if (kept == null) {
      out.writeRaw(encoded.bytes(), 0, encoded.lengthBytes());
    } else {
      out.writeRaw(kept, 0, kept.length);
    }
  }

  private void closeTo(int outer) {
    if (level == IN_METRIC && outer < IN_METRIC) {
      MetricsPlan.Metric current = Objects.requireNonNull(metric);
      if (current.temporality() != 0) {
        out.writeVarint(AGGREGATION_TEMPORALITY, current.temporality());
      }
      if (current.isMonotonic()) {
        out.writeBoolean(IS_MONOTONIC, true);
      }
      out.end();
      byte[] hint = Metadata.typeHint(current.descriptor().typeHint());
      out.writeRaw(hint, 0, hint.length);
      out.end();
      level = IN_SCOPE;
    }
    if (level == IN_SCOPE && outer < IN_SCOPE) {
      closeGroup(Objects.requireNonNull(scope).scope().schemaUrl());
      level = IN_RESOURCE;
    }
    if (level == IN_RESOURCE && outer < IN_RESOURCE) {
      closeGroup(Objects.requireNonNull(resource).resource().schemaUrl());
      level = IN_NOTHING;
    }
  }

  private void closeGroup(String schemaUrl) {
    if (!schemaUrl.isEmpty()) {
      out.writeUtf8(SCHEMA_URL, schemaUrl);
    }
    out.end();
  }
}
