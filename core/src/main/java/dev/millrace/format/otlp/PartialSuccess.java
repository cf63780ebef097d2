package dev.millrace.format.otlp;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import java.nio.charset.StandardCharsets;

/**
 * What a receiver says of a request that it took, in {@code ExportMetricsServiceResponse} and its
 * like for spans and logs (OTLP specification, "Partial Success"). Such a request must not be sent
 * again.
 *
 * <p>A reply that is empty, that cannot be read, or that rejects nothing and says nothing, is
 * {@link #NONE}: the status, which came before the body, has said already that the request was
 * taken.
 *
 * @param rejectedItems how many points, spans or log records were not taken; 0 or more. With 0, a
 *     message is a warning
 * @param message why, for people: one line of at most {@link #MAX_MESSAGE_CHARS} characters; may be
 *     empty. It is the receiver's text, so nothing may depend on it
 */
public record PartialSuccess(long rejectedItems, String message) {
  /** The receiver took everything, and has nothing to say. */
  public static final PartialSuccess NONE = new PartialSuccess(0, "");

  /** A line of a log; what a receiver writes beyond it helps nobody. */
  public static final int MAX_MESSAGE_CHARS = 1_000;

  private static final int PARTIAL_SUCCESS = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int REJECTED = 1 << 3;
  private static final int ERROR_MESSAGE = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;

  /** Whether the receiver took everything, and has nothing to say. */
  public boolean isNone() {
    return rejectedItems == 0 && message.isEmpty();
  }

  /**
   * Reads a reply in protobuf.
   *
   * @param body all of it, bounded by the caller
   */
  public static PartialSuccess fromProtobuf(byte[] body) {
    ProtobufReader reader = new ProtobufReader();
    reader.reset(body, 0, body.length);
    long rejected = 0;
    String message = "";
    try {
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        if (tag != PARTIAL_SUCCESS) {
          reader.skip(tag);
          continue;
        }
        int outer = reader.enter(reader.readLength());
        for (int inner = reader.readTag(); inner != ProtobufReader.END; inner = reader.readTag()) {
          if (inner == REJECTED) {
            rejected = reader.readVarint();
          } else if (inner == ERROR_MESSAGE) {
            int length = reader.readLength();
            message = new String(body, reader.positionBytes(), length, StandardCharsets.UTF_8);
            reader.skipBytes(length);
          } else {
            reader.skip(inner);
          }
        }
        reader.leave(outer);
      }
    } catch (MalformedProtobufException e) {
      return NONE;
    }
    return of(rejected, message);
  }

  /**
   * Reads a reply in JSON.
   *
   * @param body all of it, in UTF-8, bounded by the caller
   */
  public static PartialSuccess fromJson(byte[] body) {
    JsonReply reply = new JsonReply(new String(body, StandardCharsets.UTF_8));
    return reply.read() ? of(reply.rejected(), reply.message()) : NONE;
  }

  private static PartialSuccess of(long rejected, String message) {
    String line = line(message);
    return rejected <= 0 && line.isEmpty() ? NONE : new PartialSuccess(Math.max(0, rejected), line);
  }

  /**
   * A text as one line: control characters and ends of lines become spaces, and it is cut short.
   */
  private static String line(String text) {
    StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_MESSAGE_CHARS));
    int at = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      int chars = Character.charCount(c);
      if (line.length() + chars > MAX_MESSAGE_CHARS) {
        break;
      }
      line.appendCodePoint(isPrinted(c) ? c : ' ');
      at += chars;
    }
    return line.toString().strip();
  }

  private static boolean isPrinted(int c) {
    return switch (Character.getType(c)) {
      // Among them those that turn the direction of what follows them in a log.
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
