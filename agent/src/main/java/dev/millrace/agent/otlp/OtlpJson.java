package dev.millrace.agent.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.format.otlp.OtlpSchema;
import dev.millrace.format.otlp.OtlpSignal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Translates requests from OTLP's JSON encoding into protobuf, field by field as they come, so that
 * both encodings are taken over by the same code (OTLP specification, "JSON Protobuf Encoding", and
 * the JSON mapping of proto3).
 *
 * <p>Names are in lower camel case; fields of other names are ignored, and {@code null} leaves a
 * field out. Whole numbers may be numbers or text. Enums should be numbers, but their names are
 * read as well, as the OpenTelemetry Collector does. A field given twice, or two fields of which a
 * message has only one, are faults. Used again and again by one thread at a time.
 */
final class OtlpJson {
  /** Two levels of JSON for each level of messages: an object, and the list that it is in. */
  private static final int MAX_JSON_DEPTH = 2 * OtlpValidator.MAX_DEPTH + 2;

  /** As long as a data point may be in all. */
  private static final int MAX_STRING_CHARS = OtlpMetricsDecoder.MAX_PIECE_BYTES;

  /** Far more than any field of OTLP has; longer ones are not ours. */
  private static final int MAX_NAME_CHARS = 1_024;

  /** As many digits as the longest double has when it is written out in full. */
  private static final int MAX_NUMBER_CHARS = 1_100;

  /** How many buffers lie idle at most: those of as many requests at once. */
  private static final int IDLE_BUFFERS = 16;

  /** Too short for an id: the exemplar is left out and counted as one with a wrong id. */
  private static final byte[] NO_ID = {0};

  private static final String END_OF_JSON = "the end of the JSON";

  private final JsonFactory factory;
  private final ProtobufWriter out;

  /** A translator that writes into chunks of a pool. */
  OtlpJson(JsonFactory factory, ChunkPool pool) {
    this.factory = factory;
    out = new ProtobufWriter(pool);
  }

  /** What all translators of one receiver share; thread-safe. */
  static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_JSON_DEPTH)
                .maxStringLength(MAX_STRING_CHARS)
                .maxNameLength(MAX_NAME_CHARS)
                .maxNumberLength(MAX_NUMBER_CHARS)
                .build())
        // Jackson's other pools keep buffers by thread.
        .recyclerPool(JsonRecyclerPools.newBoundedPool(IDLE_BUFFERS))
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }

  /**
   * Translates a request.
   *
   * @param json stays open, and the caller's
   * @return the request in protobuf; the caller owns it
   * @throws OtlpJsonException if it is not a request; its message says where and why
   */
  Payload translate(Payload json) throws OtlpJsonException {
    try (JsonParser parser = factory.createParser(new PayloadInputStream(json))) {
      writeRequest(parser);
      return out.finish();
    } catch (IOException e) {
      throw new OtlpJsonException("expected text in UTF-8: " + e.getMessage());
    } finally {
      out.close();
    }
  }

  private void writeRequest(JsonParser parser) throws IOException, OtlpJsonException {
    try {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        throw fault(parser, "expected an object", first);
      }
      writeMessage(parser, OtlpSchema.request(OtlpSignal.METRICS), 0);
      JsonToken after = parser.nextToken();
      if (after != null) {
        throw fault(parser, "expected nothing after the request", after);
      }
    } catch (JsonProcessingException e) {
      throw fault(parser, e);
    }
  }

  /** Writes the fields of an object whose start was read. */
  private void writeMessage(JsonParser parser, OtlpSchema.Message type, int depth)
      throws IOException, OtlpJsonException {
    if (depth == OtlpValidator.MAX_DEPTH) {
      throw fault(
          parser, "expected messages at most " + OtlpValidator.MAX_DEPTH + " deep, found more");
    }
    long seen = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      OtlpSchema.Field field = type.field(parser.currentName());
      JsonToken value = parser.nextToken();
      if (field == null) {
        parser.skipChildren();
        continue;
      }
      if (value == JsonToken.VALUE_NULL) {
        continue;
      }
      if ((seen & field.bit()) != 0) {
        throw fault(
            parser,
            "expected "
                + field.jsonName()
                + " once, and only one of the fields that it is a choice of, found more");
      }
      seen |= field.bit();
      if (field.isRepeated()) {
        writeList(parser, field, depth);
      } else {
        writeValue(parser, field, depth);
      }
    }
  }

  private void writeList(JsonParser parser, OtlpSchema.Field field, int depth)
      throws IOException, OtlpJsonException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw fault(parser, "expected a list", parser.currentToken());
    }
    boolean packed = field.message() == null && field.type() != OtlpSchema.Type.STRING;
    if (packed) {
      out.begin(field.number());
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!packed) {
        writeValue(parser, field, depth);
      } else if (field.type() == OtlpSchema.Type.DOUBLE) {
        out.writeRawFixed64(Double.doubleToRawLongBits(readDouble(parser)));
      } else if (field.type() == OtlpSchema.Type.FIXED64) {
        out.writeRawFixed64(readNumber(parser, field));
      } else {
        out.writeRawVarint(readNumber(parser, field));
      }
    }
    if (packed) {
      out.end();
    }
  }

  private void writeValue(JsonParser parser, OtlpSchema.Field field, int depth)
      throws IOException, OtlpJsonException {
    int number = field.number();
    OtlpSchema.Message embedded = field.message();
    if (embedded != null) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw fault(parser, "expected an object", parser.currentToken());
      }
      out.begin(number);
      writeMessage(parser, embedded, depth + 1);
      out.end();
      return;
    }
    switch (field.type()) {
      case STRING -> out.writeUtf8(number, readText(parser, "text"));
      case BYTES -> {
        byte[] bytes = OtlpJsonValues.base64(readText(parser, "bytes in base64"));
        if (bytes == null) {
          throw fault(parser, "expected bytes in base64, found other text");
        }
        out.writeBytes(number, bytes, 0, bytes.length);
      }
      case ID -> {
        byte[] hex = OtlpJsonValues.hex(readText(parser, "an id in hexadecimal"));
        byte[] bytes = hex == null ? NO_ID : hex;
        out.writeBytes(number, bytes, 0, bytes.length);
      }
      case BOOL -> {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
          throw fault(parser, "expected true or false", token);
        }
        out.writeBoolean(number, token == JsonToken.VALUE_TRUE);
      }
      case DOUBLE -> out.writeDouble(number, readDouble(parser));
      case FIXED64, SFIXED64 -> out.writeFixed64(number, readNumber(parser, field));
      case FIXED32 -> out.writeFixed32(number, (int) readNumber(parser, field));
      case SINT32 -> out.writeZigZag(number, readNumber(parser, field));
      case ENUM, INT32, UINT32, INT64, UINT64 -> out.writeVarint(number, readNumber(parser, field));
      case MESSAGE -> throw new IllegalStateException("expected the type of a message, found none");
    }
  }

  private static String readText(JsonParser parser, String what)
      throws IOException, OtlpJsonException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw fault(parser, "expected " + what, parser.currentToken());
    }
    return parser.getText();
  }

  private static double readDouble(JsonParser parser) throws IOException, OtlpJsonException {
    JsonToken token = parser.currentToken();
    if (token == null || (!token.isNumeric() && token != JsonToken.VALUE_STRING)) {
      throw fault(parser, "expected a number", token);
    }
    Double value = OtlpJsonValues.floating(parser.getText(), token == JsonToken.VALUE_STRING);
    if (value == null) {
      throw fault(
          parser,
          "expected a number that a double can hold, \"NaN\", \"Infinity\" or \"-Infinity\", found "
              + OtlpJsonValues.quote(parser.getText()));
    }
    return value;
  }

  private static long readNumber(JsonParser parser, OtlpSchema.Field field)
      throws IOException, OtlpJsonException {
    JsonToken token = parser.currentToken();
    if (token == null || (!token.isNumeric() && token != JsonToken.VALUE_STRING)) {
      throw fault(parser, "expected a whole number", token);
    }
    Long value = OtlpJsonValues.whole(parser.getText(), field);
    if (value == null) {
      throw fault(
          parser,
          "expected "
              + OtlpJsonValues.range(field)
              + ", found "
              + OtlpJsonValues.quote(parser.getText()));
    }
    return value;
  }

  private static OtlpJsonException fault(
      JsonParser parser, String expected, @Nullable JsonToken found) throws IOException {
    String what =
        found == null
            ? END_OF_JSON
            : switch (found) {
              case START_OBJECT -> "an object";
              case START_ARRAY -> "a list";
              case VALUE_STRING -> "text";
              case VALUE_NULL -> "null";
              default -> OtlpJsonValues.quote(parser.getText());
            };
    return fault(parser, expected + ", found " + what);
  }

  private static OtlpJsonException fault(JsonParser parser, String message) {
    return fault(parser, message, parser.currentTokenLocation());
  }

  private static OtlpJsonException fault(JsonParser parser, JsonProcessingException cause) {
    JsonLocation where = cause.getLocation();
    return fault(
        parser,
        "expected well-formed JSON: " + cause.getOriginalMessage(),
        where == null ? parser.currentLocation() : where);
  }

  private static OtlpJsonException fault(JsonParser parser, String message, JsonLocation where) {
    String path = parser.getParsingContext().pathAsPointer().toString();
    return new OtlpJsonException(
        "line "
            + where.getLineNr()
            + ", column "
            + where.getColumnNr()
            + (path.isEmpty() ? "" : ", at " + OtlpJsonValues.quote(path))
            + ": "
            + message);
  }
}
