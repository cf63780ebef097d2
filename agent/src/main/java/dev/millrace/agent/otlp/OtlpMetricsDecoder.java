package dev.millrace.agent.otlp;

import dev.millrace.agent.series.ByteSlice;
import dev.millrace.agent.series.Outcome;
import dev.millrace.agent.series.PointValues;
import dev.millrace.agent.series.Recorder;
import dev.millrace.agent.series.Refusals;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import java.nio.charset.StandardCharsets;

/**
 * Takes the points of a request into a {@link SeriesTable}, straight from the bytes received.
 *
 * <p>Messages that hold others are walked where they lie, across chunks; what is small and at the
 * end of the way, such as a data point or a name, is copied only where it straddles chunks. Fields
 * may come in any order: each message is gone through first for what its parts need to know, such
 * as the name of a metric, and then for these parts.
 *
 * <p>Used again and again by one thread at a time; a request whose series are all in the table
 * costs no allocation.
 */
final class OtlpMetricsDecoder {
  /**
   * 1 MiB for a data point, a resource, a scope or a text: room for more buckets, exemplars and
   * attributes than anything sends, and little enough to be copied together and kept.
   */
  static final int MAX_PIECE_BYTES = 1024 * 1024;

  private static final int RESOURCE_METRICS = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int RESOURCE = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SCOPE_METRICS = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SCOPE = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRICS = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SCHEMA_URL = 3 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final int RESOURCE_ATTRIBUTES = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SCOPE_NAME = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SCOPE_VERSION = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SCOPE_ATTRIBUTES = 3 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final int METRIC_NAME = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_DESCRIPTION = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_UNIT = 3 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_GAUGE = 5 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_SUM = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_HISTOGRAM = 9 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_EXPONENTIAL = 10 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_SUMMARY = 11 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int METRIC_METADATA = 12 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final int DATA_POINTS = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int TEMPORALITY = 2 << 3 | ProtobufReader.VARINT;
  private static final int IS_MONOTONIC = 3 << 3 | ProtobufReader.VARINT;

  /** The tag under which the elements of a metric's metadata are kept. */
  private static final int METADATA_ELEMENT = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final byte[] TYPE_HINT_KEY = "prometheus.type".getBytes(StandardCharsets.UTF_8);

  private final Recorder recorder;
  private final OtlpValidator validator = new OtlpValidator();
  private final ProtobufReader reader = new ProtobufReader();
  private final ProtobufReader part = new ProtobufReader();
  private final PointValues point;
  private final WireAttributes pointAttributes;
  private final OtlpPointReader points;

  private final ByteArray resourceBytes = new ByteArray();
  private final WireAttributes resourceAttributes;
  private final ByteArray scopeBytes = new ByteArray();
  private final WireAttributes scopeAttributes;
  private final ByteArray metadataBytes = new ByteArray();
  private final WireAttributes metadata;
  private final ByteArray pointBytes = new ByteArray();

  private final OwnedSlice resourceSchemaUrl = new OwnedSlice();
  private final OwnedSlice scopeSchemaUrl = new OwnedSlice();
  private final ByteSlice scopeName = new ByteSlice();
  private final ByteSlice scopeVersion = new ByteSlice();
  private final OwnedSlice metricName = new OwnedSlice();
  private final OwnedSlice metricDescription = new OwnedSlice();
  private final OwnedSlice metricUnit = new OwnedSlice();

  /** Text of a request, with memory of its own for where it straddles chunks. */
  private static final class OwnedSlice {
    final ByteSlice text = new ByteSlice();
    private final ByteArray memory = new ByteArray();

    void read(ProtobufReader reader) throws MalformedProtobufException {
      int length = reader.readLength();
      if (length > MAX_PIECE_BYTES) {
        text.setTooLong();
        reader.skipBytes(length);
        return;
      }
      reader.readSlice(length, memory);
      text.set(reader.slice(), reader.sliceOffset(), length);
    }
  }

  OtlpMetricsDecoder(SeriesTable table) {
    recorder = table.recorder();
    point = new PointValues(table.options().maxBuckets());
    pointAttributes = new WireAttributes(table.labelHash());
    points = new OtlpPointReader(point, pointAttributes, new WireAttributes(table.labelHash()));
    resourceAttributes = new WireAttributes(table.labelHash());
    scopeAttributes = new WireAttributes(table.labelHash());
    metadata = new WireAttributes(table.labelHash());
  }

  /**
   * Takes over the points of an {@code ExportMetricsServiceRequest}.
   *
   * @param request stays open, and the caller's
   * @return what was not recorded; valid until the next call
   * @throws MalformedProtobufException if the request is not well-formed; nothing of it was taken
   *     over then
   */
  Refusals decode(Payload request) throws MalformedProtobufException {
    reader.reset(request);
    try {
      validator.check(reader);
      recorder.begin();
      try {
        readRequest();
      } finally {
        recorder.end();
      }
    } finally {
      clear();
    }
    return recorder.refusals();
  }

  /** How much memory for pieces the decoder keeps for the next request. */
  int keptBytes() {
    return resourceBytes.bytes().length
        + scopeBytes.bytes().length
        + metadataBytes.bytes().length
        + pointBytes.bytes().length
        + resourceSchemaUrl.memory.bytes().length
        + scopeSchemaUrl.memory.bytes().length
        + metricName.memory.bytes().length
        + metricDescription.memory.bytes().length
        + metricUnit.memory.bytes().length;
  }

  private void clear() {
    reader.clear();
    part.clear();
    points.clear();
    resourceAttributes.clear();
    scopeAttributes.clear();
    metadata.clear();
  }

  private void readRequest() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == RESOURCE_METRICS) {
        int outer = reader.enter(reader.readLength());
        readResourceMetrics();
        reader.leave(outer);
      } else {
        reader.skip(tag);
      }
    }
  }

  private void readResourceMetrics() throws MalformedProtobufException {
    int start = reader.positionBytes();
    resourceSchemaUrl.text.clear();
    // An embedded message that stands twice is one with the fields of both.
    resourceBytes.clear();
    boolean fits = true;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case RESOURCE -> fits &= appendPiece(resourceBytes);
        case SCHEMA_URL -> resourceSchemaUrl.read(reader);
        default -> reader.skip(tag);
      }
    }
    readAttributes(resourceBytes, RESOURCE_ATTRIBUTES, resourceAttributes);
    if (!fits) {
      resourceAttributes.setTooLarge();
    }
    recorder.resource(resourceAttributes, resourceSchemaUrl.text);
    reader.seek(start);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == SCOPE_METRICS) {
        int outer = reader.enter(reader.readLength());
        readScopeMetrics();
        reader.leave(outer);
      } else {
        reader.skip(tag);
      }
    }
  }

  private void readScopeMetrics() throws MalformedProtobufException {
    int start = reader.positionBytes();
    scopeSchemaUrl.text.clear();
    scopeBytes.clear();
    boolean fits = true;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case SCOPE -> fits &= appendPiece(scopeBytes);
        case SCHEMA_URL -> scopeSchemaUrl.read(reader);
        default -> reader.skip(tag);
      }
    }
    readAttributes(scopeBytes, SCOPE_ATTRIBUTES, scopeAttributes);
    if (!fits) {
      scopeAttributes.setTooLarge();
    }
    readScopeNames();
    recorder.scope(scopeName, scopeVersion, scopeAttributes, scopeSchemaUrl.text);
    reader.seek(start);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == METRICS) {
        int outer = reader.enter(reader.readLength());
        readMetric();
        reader.leave(outer);
      } else {
        reader.skip(tag);
      }
    }
  }

  /** Appends an embedded message to those of its kind, unless that would be too large. */
  private boolean appendPiece(ByteArray to) throws MalformedProtobufException {
    int length = reader.readLength();
    if (to.lengthBytes() + length > MAX_PIECE_BYTES) {
      reader.skipBytes(length);
      return false;
    }
    reader.appendTo(to, length);
    return true;
  }

  private void readAttributes(ByteArray message, int attributeTag, WireAttributes into)
      throws MalformedProtobufException {
    into.clear();
    part.reset(message.bytes(), 0, message.lengthBytes());
    for (int tag = part.readTag(); tag != ProtobufReader.END; tag = part.readTag()) {
      if (tag == attributeTag) {
        into.add(part, message.bytes(), 0, part.readLength());
      } else {
        part.skip(tag);
      }
    }
  }

  private void readScopeNames() throws MalformedProtobufException {
    scopeName.clear();
    scopeVersion.clear();
    part.reset(scopeBytes.bytes(), 0, scopeBytes.lengthBytes());
    for (int tag = part.readTag(); tag != ProtobufReader.END; tag = part.readTag()) {
      if (tag == SCOPE_NAME || tag == SCOPE_VERSION) {
        int length = part.readLength();
        int offset = part.positionBytes();
        (tag == SCOPE_NAME ? scopeName : scopeVersion).set(scopeBytes.bytes(), offset, length);
        part.seek(offset + length);
      } else {
        part.skip(tag);
      }
    }
  }

  private void readMetric() throws MalformedProtobufException {
    int start = reader.positionBytes();
    metricName.text.clear();
    metricDescription.text.clear();
    metricUnit.text.clear();
    metadataBytes.clear();
    // Of the fields of a oneof the last holds; of one that stands again, with those before it.
    int dataTag = 0;
    int dataStart = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case METRIC_NAME -> metricName.read(reader);
        case METRIC_DESCRIPTION -> metricDescription.read(reader);
        case METRIC_UNIT -> metricUnit.read(reader);
        case METRIC_METADATA -> appendMetadata();
        case METRIC_GAUGE, METRIC_SUM, METRIC_HISTOGRAM, METRIC_EXPONENTIAL, METRIC_SUMMARY -> {
          dataStart = tag == dataTag ? dataStart : reader.positionBytes();
          dataTag = tag;
          reader.skip(tag);
        }
        default -> reader.skip(tag);
      }
    }
    if (dataTag != 0) {
      reader.seek(start);
      readData(dataTag, dataStart);
    }
  }

  /** Keeps an element of the metadata as a field of a message, to be read as other attributes. */
  private void appendMetadata() throws MalformedProtobufException {
    int length = reader.readLength();
    if (metadataBytes.lengthBytes() + length > MAX_PIECE_BYTES) {
      reader.skipBytes(length);
      return;
    }
    metadataBytes.append(METADATA_ELEMENT);
    NestedValues.appendVarint(metadataBytes, length);
    reader.appendTo(metadataBytes, length);
  }

  /** Reads the data of a metric: what lies in fields of that tag from a position on. */
  private void readData(int dataTag, int dataStart) throws MalformedProtobufException {
    int start = reader.positionBytes();
    Temporality temporality = Temporality.UNSPECIFIED;
    boolean monotonic = false;
    while (nextData(dataTag, dataStart) != ProtobufReader.END) {
      int outer = reader.enter(reader.readLength());
      for (int inner = reader.readTag(); inner != ProtobufReader.END; inner = reader.readTag()) {
        switch (inner) {
          case TEMPORALITY -> temporality = temporality((int) reader.readVarint());
          case IS_MONOTONIC -> monotonic = reader.readVarint() != 0;
          default -> reader.skip(inner);
        }
      }
      reader.leave(outer);
    }
    MetricKind kind = kind(dataTag);
    recorder.metric(
        metricName.text,
        metricDescription.text,
        metricUnit.text,
        kind,
        monotonic,
        temporality,
        typeHint());
    reader.seek(start);
    while (nextData(dataTag, dataStart) != ProtobufReader.END) {
      int outer = reader.enter(reader.readLength());
      readPoints(kind);
      reader.leave(outer);
    }
  }

  /** Goes past the next tag of a metric's data, and gives it, or the end. */
  private int nextData(int dataTag, int dataStart) throws MalformedProtobufException {
    while (true) {
      int tag = reader.readTag();
      if (tag == ProtobufReader.END || (tag == dataTag && reader.positionBytes() >= dataStart)) {
        return tag;
      }
      reader.skip(tag);
    }
  }

  private void readPoints(MetricKind kind) throws MalformedProtobufException {
    Outcome refusal = recorder.refusal();
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag != DATA_POINTS) {
        reader.skip(tag);
        continue;
      }
      int length = reader.readLength();
      if (refusal != null || length > MAX_PIECE_BYTES) {
        recorder.refuse(refusal == null ? Outcome.POINT_TOO_LARGE : refusal, 1);
        reader.skipBytes(length);
        continue;
      }
      reader.readSlice(length, pointBytes);
      points.read(kind, reader.slice(), reader.sliceOffset(), length);
      if (recorder.record(pointAttributes, point).rejected()) {
        refusal = recorder.refusal();
      }
    }
  }

  private TypeHint typeHint() throws MalformedProtobufException {
    if (metadataBytes.lengthBytes() == 0) {
      return TypeHint.NONE;
    }
    readAttributes(metadataBytes, METADATA_ELEMENT, metadata);
    String hint = metadata.text(TYPE_HINT_KEY);
    if (hint == null) {
      return TypeHint.NONE;
    }
    return switch (hint) {
      case "unknown" -> TypeHint.UNKNOWN;
      case "info" -> TypeHint.INFO;
      case "stateset" -> TypeHint.STATESET;
      default -> TypeHint.NONE;
    };
  }

  private static Temporality temporality(int number) {
    return switch (number) {
      case 1 -> Temporality.DELTA;
      case 2 -> Temporality.CUMULATIVE;
      default -> Temporality.UNSPECIFIED;
    };
  }

  private static MetricKind kind(int dataTag) {
    return switch (dataTag) {
      case METRIC_SUM -> MetricKind.SUM;
      case METRIC_HISTOGRAM -> MetricKind.HISTOGRAM;
      case METRIC_EXPONENTIAL -> MetricKind.EXPONENTIAL_HISTOGRAM;
      case METRIC_SUMMARY -> MetricKind.SUMMARY;
      default -> MetricKind.GAUGE;
    };
  }
}
