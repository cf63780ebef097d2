package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufReader;
import org.jspecify.annotations.Nullable;

/**
 * Translates finished export requests from protobuf into OTLP's JSON encoding (OTLP specification,
 * "JSON Protobuf Encoding", and the JSON mapping of proto3): names in lower camel case, trace and
 * span ids in hexadecimal, other bytes in base64, enums as numbers, numbers of 64 bits as text, and
 * {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}.
 *
 * <p>What protobuf leaves out is left out here; fields that the schema does not know are left out
 * too, as JSON has no place for them. A field that occurs twice, or a list in pieces, is read as
 * protobuf's libraries read it. Text that is not UTF-8 has U+FFFD in place of what is wrong in it.
 *
 * <p>Used again and again by one thread at a time; the requests of Millrace's encoders cost no
 * allocation but their payload.
 */
public final class OtlpJsonWriter {
  /** The media type of what is written. */
  public static final String CONTENT_TYPE = "application/json";

  /** How deep messages may nest: as deep as protobuf's libraries read them. */
  public static final int MAX_DEPTH = 100;

  /** The most memory that is kept for text that lies in two chunks. */
  private static final int MAX_SCRATCH_BYTES = 64 * 1024;

  private final OtlpSchema.Message request;
  private final ProtobufReader reader = new ProtobufReader();
  private final ChunkWriter out;
  private final JsonValues values;
  private ByteArray scratch = new ByteArray();

  /**
   * A writer.
   *
   * @param pool where the chunks of payloads come from
   * @param signal what the requests hold
   */
  public OtlpJsonWriter(ChunkPool pool, OtlpSignal signal) {
    request = OtlpSchema.request(signal);
    out = new ChunkWriter(pool);
    values = new JsonValues(out);
  }

  /**
   * Translates a request.
   *
   * @param protobuf stays open, and the caller's; less than 2 GiB
   * @return the request in JSON; the caller owns it
   * @throws MalformedProtobufException if it is no request, or nests deeper than {@link #MAX_DEPTH}
   */
  public Payload write(Payload protobuf) throws MalformedProtobufException {
    reader.reset(protobuf);
    try {
      writeMessage(reader, request, 0);
      return out.finish();
    } finally {
      reader.clear();
      out.close();
      if (scratch.bytes().length > MAX_SCRATCH_BYTES) {
        scratch = new ByteArray();
      }
    }
  }

  /** Writes the message from a reader's position to its limit. */
  private void writeMessage(ProtobufReader in, OtlpSchema.Message type, int depth)
      throws MalformedProtobufException {
    if (depth == MAX_DEPTH) {
      throw new MalformedProtobufException(
          "expected messages at most " + MAX_DEPTH + " deep, found more", in.positionBytes());
    }
    int start = in.positionBytes();
    boolean together = isTogether(in, type);
    in.seek(start);
    out.writeByte('{');
    if (together) {
      writeFields(in, type, depth);
    } else {
      writeScatteredFields(in, type, depth);
    }
    out.writeByte('}');
  }

  /** Whether each field is there once, and each list in one piece. */
  private static boolean isTogether(ProtobufReader in, OtlpSchema.Message type)
      throws MalformedProtobufException {
    long seen = 0;
    OtlpSchema.Field last = null;
    for (int tag = in.readTag(); tag != ProtobufReader.END; tag = in.readTag()) {
      in.skip(tag);
      OtlpSchema.Field field = fieldOf(type, tag);
      if (field == null || (field == last && field.isRepeated())) {
        continue;
      }
      if ((seen & field.bit()) != 0) {
        return false;
      }
      seen |= field.bit();
      last = field;
    }
    return true;
  }

  private void writeFields(ProtobufReader in, OtlpSchema.Message type, int depth)
      throws MalformedProtobufException {
    OtlpSchema.Field last = null;
    boolean firstElement = true;
    for (int tag = in.readTag(); tag != ProtobufReader.END; tag = in.readTag()) {
      OtlpSchema.Field field = fieldOf(type, tag);
      if (field == null) {
        in.skip(tag);
        continue;
      }
      if (field != last) {
        endList(last);
        writeKey(field, last == null);
        last = field;
        firstElement = true;
      }
      if (field.isRepeated()) {
        firstElement = writeElements(in, field, tag, firstElement, depth);
      } else {
        writeValue(in, field, depth);
      }
    }
    endList(last);
  }

  private void writeKey(OtlpSchema.Field field, boolean first) {
    if (!first) {
      out.writeByte(',');
    }
    out.write(field.jsonKey());
    if (field.isRepeated()) {
      out.writeByte('[');
    }
  }

  private void endList(OtlpSchema.@Nullable Field field) {
    if (field != null && field.isRepeated()) {
      out.writeByte(']');
    }
  }

  /** Writes a message whose fields do not stand as encoders write them: each where it is found. */
  private void writeScatteredFields(ProtobufReader in, OtlpSchema.Message type, int depth)
      throws MalformedProtobufException {
    int start = in.positionBytes();
    boolean first = true;
    for (int number = 1; number < OtlpSchema.Message.NUMBERS; number++) {
      OtlpSchema.Field field = type.field(number);
      int at = field == null ? -1 : find(in, start, type, field);
      if (field == null || at < 0) {
        continue;
      }
      writeKey(field, first);
      first = false;
      if (field.isRepeated()) {
        writeScatteredList(in, start, type, field, depth);
      } else if (field.message() != null) {
        writeMerged(in, at, type, field, depth);
      } else {
        in.seek(at);
        writeLast(in, type, field, depth);
      }
      endList(field);
    }
    in.seek(in.limitBytes());
  }

  /**
   * Where the occurrences of a field begin that count: for one of a choice, those after the last of
   * the others.
   *
   * @return the position of a tag, or -1 where there are none
   */
  private static int find(
      ProtobufReader in, int start, OtlpSchema.Message type, OtlpSchema.Field wanted)
      throws MalformedProtobufException {
    int found = -1;
    in.seek(start);
    while (true) {
      int at = in.positionBytes();
      int tag = in.readTag();
      if (tag == ProtobufReader.END) {
        return found;
      }
      in.skip(tag);
      OtlpSchema.Field field = fieldOf(type, tag);
      if (field == wanted) {
        found = found < 0 ? at : found;
      } else if (field != null && field.bit() == wanted.bit()) {
        found = -1;
      }
    }
  }

  private void writeScatteredList(
      ProtobufReader in, int start, OtlpSchema.Message type, OtlpSchema.Field field, int depth)
      throws MalformedProtobufException {
    boolean firstElement = true;
    in.seek(start);
    for (int tag = in.readTag(); tag != ProtobufReader.END; tag = in.readTag()) {
      if (fieldOf(type, tag) == field) {
        firstElement = writeElements(in, field, tag, firstElement, depth);
      } else {
        in.skip(tag);
      }
    }
  }

  /** Writes a message that is there in pieces, which one after another are the whole. */
  private void writeMerged(
      ProtobufReader in, int at, OtlpSchema.Message type, OtlpSchema.Field field, int depth)
      throws MalformedProtobufException {
    ByteArray merged = new ByteArray();
    in.seek(at);
    for (int tag = in.readTag(); tag != ProtobufReader.END; tag = in.readTag()) {
      if (fieldOf(type, tag) == field) {
        in.appendTo(merged, in.readLength());
      } else {
        in.skip(tag);
      }
    }
    ProtobufReader whole = new ProtobufReader();
    whole.reset(merged.bytes(), 0, merged.lengthBytes());
    OtlpSchema.Message embedded = field.message();
    if (embedded != null) {
      writeMessage(whole, embedded, depth + 1);
    }
  }

  /** Writes the last of the values of a field, from the first that counts on. */
  private void writeLast(
      ProtobufReader in, OtlpSchema.Message type, OtlpSchema.Field field, int depth)
      throws MalformedProtobufException {
    int last = in.positionBytes();
    for (int tag = in.readTag(); tag != ProtobufReader.END; tag = in.readTag()) {
      if (fieldOf(type, tag) == field) {
        last = in.positionBytes();
      }
      in.skip(tag);
    }
    in.seek(last);
    writeValue(in, field, depth);
  }

  /** Writes one element, or those of a packed field; gives whether the next is still the first. */
  private boolean writeElements(
      ProtobufReader in, OtlpSchema.Field field, int tag, boolean first, int depth)
      throws MalformedProtobufException {
    if (ProtobufReader.wireType(tag) == field.type().wireType()) {
      if (!first) {
        out.writeByte(',');
      }
      writeValue(in, field, depth);
      return false;
    }
    boolean next = first;
    int outer = in.enter(in.readLength());
    while (in.positionBytes() < in.limitBytes()) {
      if (!next) {
        out.writeByte(',');
      }
      writeValue(in, field, depth);
      next = false;
    }
    in.leave(outer);
    return next;
  }

  private void writeValue(ProtobufReader in, OtlpSchema.Field field, int depth)
      throws MalformedProtobufException {
    switch (field.type()) {
      case MESSAGE -> {
        OtlpSchema.Message embedded = field.message();
        int outer = in.enter(in.readLength());
        if (embedded != null) {
          writeMessage(in, embedded, depth + 1);
        }
        in.leave(outer);
      }
      case STRING, BYTES, ID -> {
        int length = in.readLength();
        in.readSlice(length, scratch);
        values.writeBytes(field.type(), in.slice(), in.sliceOffset(), length);
      }
      case DOUBLE -> values.writeDouble(in.readDouble());
      case FIXED64 -> values.writeUnsigned(in.readFixed64());
      case SFIXED64 -> values.writeSigned(in.readFixed64());
      case UINT64 -> values.writeUnsigned(in.readVarint());
      case INT64 -> values.writeSigned(in.readVarint());
      case FIXED32 -> out.writeLong(in.readFixed32() & 0xffff_ffffL);
      case UINT32 -> out.writeLong(in.readVarint() & 0xffff_ffffL);
      case INT32, ENUM -> values.writeInt((int) in.readVarint());
      case SINT32 ->
          values.writeInt((int) ProtobufReader.decodeZigZag(in.readVarint() & 0xffff_ffffL));
      case BOOL -> values.writeBoolean(in.readVarint() != 0);
    }
  }

  /** The field that a tag begins; {@code null} where it is not known, or of another type. */
  private static OtlpSchema.@Nullable Field fieldOf(OtlpSchema.Message type, int tag) {
    OtlpSchema.Field field = type.field(ProtobufReader.fieldNumber(tag));
    if (field == null) {
      return null;
    }
    int wireType = ProtobufReader.wireType(tag);
    boolean packed = field.isRepeated() && wireType == ProtobufReader.LENGTH_DELIMITED;
    return wireType == field.type().wireType() || packed ? field : null;
  }
}
