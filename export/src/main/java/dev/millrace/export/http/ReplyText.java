package dev.millrace.export.http;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a reply to a failed request says in words: text as it is, and of protobuf the message of a
 * {@code google.rpc.Status}, which is what OTLP's receivers answer with.
 */
final class ReplyText {
  private static final int STATUS_MESSAGE_FIELD = 2;

  /** No more than this is looked at: the reason of a result is shorter. */
  private static final int MAX_TEXT_BYTES = 2_048;

  private ReplyText() {}

  /** The words, or nothing. */
  static String of(String contentType, byte[] body) {
    String type = contentType.toLowerCase(Locale.ROOT);
    if (type.contains("protobuf")) {
      return statusMessage(body);
    }
    if (type.isEmpty() || type.startsWith("text/") || type.contains("json")) {
      return text(body, 0, body.length);
    }
    return "";
  }

  private static String statusMessage(byte[] body) {
    ProtobufReader reader = new ProtobufReader();
    reader.reset(body, 0, body.length);
    try {
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        if (ProtobufReader.fieldNumber(tag) == STATUS_MESSAGE_FIELD
            && ProtobufReader.wireType(tag) == ProtobufReader.LENGTH_DELIMITED) {
          int lengthBytes = reader.readLength();
          int from = reader.positionBytes();
          return text(body, from, lengthBytes);
        }
        reader.skip(tag);
      }
    } catch (MalformedProtobufException e) {
      // Words are a help only; the status says what to do.
      return "";
    }
    return "";
  }

  private static String text(byte[] body, int from, int lengthBytes) {
    int to = from + Math.min(lengthBytes, MAX_TEXT_BYTES);
    return new String(Arrays.copyOfRange(body, from, to), StandardCharsets.UTF_8);
  }
}
