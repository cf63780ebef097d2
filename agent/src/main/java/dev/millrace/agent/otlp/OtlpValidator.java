package dev.millrace.agent.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.format.otlp.OtlpSchema;
import dev.millrace.format.otlp.OtlpSignal;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the bytes of a request are well-formed protobuf in every message that OTLP knows,
 * down to the last attribute, so that a request is taken over as a whole or not at all. A known
 * field of another wire type than its own is one that is not known, as for protobuf's libraries.
 *
 * <p>Used again and again by one thread at a time; a good request costs no allocation.
 */
final class OtlpValidator {
  /** How deep messages may nest: as deep as protobuf's libraries read them. */
  static final int MAX_DEPTH = 100;

  private final int[] starts = new int[MAX_DEPTH];
  private final int[] tagPositions = new int[MAX_DEPTH];
  private final OtlpSchema.@Nullable Field[] fields = new OtlpSchema.@Nullable Field[MAX_DEPTH];
  private int depth;

  /** Stays empty: what is read in one piece is not copied. */
  private final ByteArray scratch = new ByteArray();

  /**
   * Checks a request from the reader's position to its limit.
   *
   * @throws MalformedProtobufException with the path of the field in the message
   */
  void check(ProtobufReader reader) throws MalformedProtobufException {
    int start = reader.positionBytes();
    int limit = reader.limitBytes();
    depth = 0;
    try {
      checkMessage(reader, OtlpSchema.request(OtlpSignal.METRICS));
    } catch (MalformedProtobufException e) {
      reader.leave(limit);
      String path = path(reader, depth);
      throw new MalformedProtobufException(
          (path.isEmpty() ? "" : "in " + path + ": ") + e.getMessage(), e.positionBytes());
    }
    reader.leave(limit);
    reader.seek(start);
  }

  private void checkMessage(ProtobufReader reader, OtlpSchema.Message type)
      throws MalformedProtobufException {
    int level = depth;
    starts[level] = reader.positionBytes();
    while (true) {
      fields[level] = null;
      tagPositions[level] = reader.positionBytes();
      int tag = reader.readTag();
      if (tag == ProtobufReader.END) {
        return;
      }
      OtlpSchema.Field field = type.field(ProtobufReader.fieldNumber(tag));
      if (field == null || ProtobufReader.wireType(tag) != ProtobufReader.LENGTH_DELIMITED) {
        fields[level] = field;
        reader.skip(tag);
        continue;
      }
      fields[level] = field;
      int length = reader.readLength();
      OtlpSchema.Message embedded = field.message();
      if (embedded == OtlpSchema.keyValue() && skipSimplePair(reader, length)) {
        continue;
      }
      if (embedded != null) {
        if (depth + 1 == MAX_DEPTH) {
          throw new MalformedProtobufException(
              "expected messages at most " + MAX_DEPTH + " deep, found more",
              reader.positionBytes());
        }
        int outer = reader.enter(length);
        depth++;
        checkMessage(reader, embedded);
        depth--;
        reader.leave(outer);
      } else if (field.isRepeated()) {
        checkPacked(reader, field, length);
      } else {
        reader.skipBytes(length);
      }
    }
  }

  /** Goes past an attribute if it is of the form that needs no further check. */
  private boolean skipSimplePair(ProtobufReader reader, int lengthBytes) {
    // The attribute is a level of its own, and its value is another.
    if (depth + 2 >= MAX_DEPTH || !reader.isInOnePiece(lengthBytes)) {
      return false;
    }
    int position = reader.positionBytes();
    reader.readSlice(lengthBytes, scratch);
    if (SimplePair.keyLength(reader.slice(), reader.sliceOffset(), lengthBytes) >= 0) {
      return true;
    }
    reader.seek(position);
    return false;
  }

  private static void checkPacked(ProtobufReader reader, OtlpSchema.Field field, int lengthBytes)
      throws MalformedProtobufException {
    int end = reader.positionBytes() + lengthBytes;
    if (field.type() == OtlpSchema.Type.UINT64) {
      int outer = reader.enter(lengthBytes);
      while (reader.positionBytes() < end) {
        reader.readVarint();
      }
      reader.leave(outer);
    } else if (field.type() != OtlpSchema.Type.STRING && lengthBytes % Long.BYTES != 0) {
      throw new MalformedProtobufException(
          "expected a multiple of 8 bytes, found " + lengthBytes, reader.positionBytes());
    } else {
      reader.seek(end);
    }
  }

  /** The path to the field that is being read, such as {@code resource_metrics[1].resource}. */
  private String path(ProtobufReader reader, int deepest) {
    StringBuilder path = new StringBuilder();
    for (int level = 0; level <= deepest; level++) {
      OtlpSchema.Field field = fields[level];
      if (field == null) {
        break;
      }
      path.append(level == 0 ? "" : ".").append(field.name());
      if (field.isRepeated() && field.message() != null) {
        path.append('[').append(countBefore(reader, level, field)).append(']');
      }
    }
    return path.toString();
  }

  /** How many elements of a repeated field stand before the one that is being read. */
  private int countBefore(ProtobufReader reader, int level, OtlpSchema.Field field) {
    int count = 0;
    try {
      reader.seek(starts[level]);
      while (reader.positionBytes() < tagPositions[level]) {
        int tag = reader.readTag();
        reader.skip(tag);
        if (ProtobufReader.fieldNumber(tag) == field.number()) {
          count++;
        }
      }
    } catch (MalformedProtobufException e) {
      throw new IllegalStateException("expected fields that were read once to be readable", e);
    }
    return count;
  }
}
