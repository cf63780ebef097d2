package dev.millrace.agent.otlp;

import dev.millrace.bytes.ByteArray;

/**
 * Builds the bodies of replies (OTLP specification, "OTLP/HTTP Response"): {@code
 * ExportMetricsServiceResponse} and {@code google.rpc.Status}, in both encodings.
 *
 * <pre>
 *   ExportMetricsServiceResponse { ExportMetricsPartialSuccess partial_success = 1; }
 *   ExportMetricsPartialSuccess  { int64 rejected_data_points = 1; string error_message = 2; }
 *   Status                       { int32 code = 1; string message = 2; }
 * </pre>
 */
final class OtlpReplies {
  private static final OtlpReply PROTOBUF_SUCCESS =
      new OtlpReply(200, OtlpEncoding.PROTOBUF, new byte[0]);
  private static final OtlpReply JSON_SUCCESS =
      new OtlpReply(200, OtlpEncoding.JSON, new byte[] {'{', '}'});

  private static final int TAG_1_VARINT = 1 << 3;
  private static final int TAG_1_BYTES = 1 << 3 | 2;
  private static final int TAG_2_BYTES = 2 << 3 | 2;

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private OtlpReplies() {}

  static OtlpReply success(OtlpEncoding encoding) {
    return encoding == OtlpEncoding.JSON ? JSON_SUCCESS : PROTOBUF_SUCCESS;
  }

  /** The reply of a request of which something was not taken over, or that earns a warning. */
  static OtlpReply partialSuccess(OtlpEncoding encoding, long rejectedDataPoints, String message) {
    ByteArray body = new ByteArray();
    if (encoding == OtlpEncoding.JSON) {
      body.appendUtf8("{\"partialSuccess\":{\"rejectedDataPoints\":\"");
      body.appendLong(rejectedDataPoints);
      body.appendUtf8("\",\"errorMessage\":");
      appendJsonString(body, message);
      body.appendUtf8("}}");
    } else {
      ByteArray partial = new ByteArray();
      appendVarintField(partial, rejectedDataPoints);
      appendMessage(partial, message);
      body.append(TAG_1_BYTES);
      appendVarint(body, partial.lengthBytes());
      body.append(partial.bytes(), 0, partial.lengthBytes());
    }
    return new OtlpReply(200, encoding, body.toByteArray());
  }

  static OtlpReply failure(OtlpEncoding encoding, int httpStatus, String message) {
    ByteArray body = new ByteArray();
    int code = statusCode(httpStatus);
    if (encoding == OtlpEncoding.JSON) {
      body.appendUtf8("{\"code\":");
      body.appendLong(code);
      body.appendUtf8(",\"message\":");
      appendJsonString(body, message);
      body.append('}');
    } else {
      appendVarintField(body, code);
      appendMessage(body, message);
    }
    return new OtlpReply(httpStatus, encoding, body.toByteArray());
  }

  /** The {@code google.rpc.Code} that the OpenTelemetry Collector gives for an HTTP status. */
  private static int statusCode(int httpStatus) {
    return switch (httpStatus) {
      case 400 -> 3; // INVALID_ARGUMENT
      case 401 -> 16; // UNAUTHENTICATED
      case 403 -> 7; // PERMISSION_DENIED
      case 404 -> 12; // UNIMPLEMENTED
      case 429 -> 8; // RESOURCE_EXHAUSTED
      case 502, 503, 504 -> 14; // UNAVAILABLE
      default -> 2; // UNKNOWN
    };
  }

  private static void appendVarintField(ByteArray to, long value) {
    if (value != 0) {
      to.append(TAG_1_VARINT);
      appendVarint(to, value);
    }
  }

  private static void appendMessage(ByteArray to, String message) {
    if (message.isEmpty()) {
      return;
    }
    ByteArray text = new ByteArray();
    text.appendUtf8(message);
    to.append(TAG_2_BYTES);
    appendVarint(to, text.lengthBytes());
    to.append(text.bytes(), 0, text.lengthBytes());
  }

  private static void appendVarint(ByteArray to, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      to.append((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    to.append((int) rest);
  }

  private static void appendJsonString(ByteArray to, String text) {
    ByteArray utf8 = new ByteArray();
    utf8.appendUtf8(text);
    to.append('"');
    for (int i = 0; i < utf8.lengthBytes(); i++) {
      int b = utf8.bytes()[i];
      if (b == '"' || b == '\\') {
        to.append('\\');
        to.append(b);
      } else if (b >= 0 && b < ' ') {
        to.appendUtf8("\\u00");
        to.append(HEX[b >> 4]);
        to.append(HEX[b & 15]);
      } else {
        to.append(b);
      }
    }
    to.append('"');
  }
}
