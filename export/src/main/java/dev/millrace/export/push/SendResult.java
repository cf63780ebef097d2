package dev.millrace.export.push;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of one send. Immutable, apart from {@link #body()}, which nobody may change.
 *
 * <pre>{@code
 * SendResult busy = SendResult.retryable(503, "503", "HTTP 503: try later").withRetryAfterMillis(2_000);
 * assert busy.kind() == SendResult.Kind.RETRYABLE && busy.retryAfterMillis() == 2_000;
 * }</pre>
 */
public final class SendResult {
  /** How to go on. */
  public enum Kind {
    /** The receiver has the payload; its reply may still tell of a partial success. */
    SUCCESS,
    /** The same payload may be sent again later. */
    RETRYABLE,
    /** The receiver takes no payload of this size: smaller ones may be sent. */
    TOO_LARGE,
    /** Sending this payload again would end the same way. */
    FATAL
  }

  /** {@link #errorType()} where the deadline passed first. */
  public static final String TIMEOUT = "timeout";

  /** {@link #retryAfterMillis()} where the receiver did not say. */
  public static final long NOT_SAID = -1;

  /** {@link #statusCode()} where no status came. */
  public static final int NO_STATUS = -1;

  /** How much of a reply a transport keeps: the bound that OTLP's specification recommends. */
  public static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

  /** A line of a log that a person can still read; replies can be whole HTML pages. */
  public static final int MAX_REASON_CHARS = 400;

  private static final byte[] NO_BODY = {};

  private final Kind kind;
  private final int statusCode;
  private final String errorType;
  private final String reason;
  private final long retryAfterMillis;
  private final byte[] body;
  private final Map<String, String> headers;

  private SendResult(
      Kind kind,
      int statusCode,
      String errorType,
      String reason,
      long retryAfterMillis,
      byte[] body,
      Map<String, String> headers) {
    this.kind = kind;
    this.statusCode = statusCode;
    this.errorType = errorType;
    this.reason = reason;
    this.retryAfterMillis = retryAfterMillis;
    this.body = body;
    this.headers = headers;
  }

  /**
   * The receiver has it.
   *
   * @param statusCode HTTP's status, or gRPC's code
   * @param body the reply, at most {@link #MAX_BODY_BYTES}, which the result owns from here on
   */
  public static SendResult success(int statusCode, byte[] body) {
    return new SendResult(Kind.SUCCESS, statusCode, "", "", NOT_SAID, body, Map.of());
  }

  /** It may be sent again; the parameters are those of {@link #fatal}. */
  public static SendResult retryable(int statusCode, String errorType, String reason) {
    return failed(Kind.RETRYABLE, statusCode, errorType, reason);
  }

  /** It is too large; the parameters are those of {@link #fatal}. */
  public static SendResult tooLarge(int statusCode, String errorType, String reason) {
    return failed(Kind.TOO_LARGE, statusCode, errorType, reason);
  }

  /**
   * It is lost.
   *
   * @param statusCode HTTP's status or gRPC's code, or {@link #NO_STATUS}
   * @param errorType the semantic conventions' {@code error.type}: the status as text ({@code
   *     503}), gRPC's name of its code ({@code UNAVAILABLE}), {@link #TIMEOUT}, or the simple name
   *     of an exception's class
   * @param reason what was expected and what was found, without secrets; control characters become
   *     spaces, and what is over {@link #MAX_REASON_CHARS} is cut off
   */
  public static SendResult fatal(int statusCode, String errorType, String reason) {
    return failed(Kind.FATAL, statusCode, errorType, reason);
  }

  private static SendResult failed(Kind kind, int statusCode, String errorType, String reason) {
    return new SendResult(
        kind, statusCode, errorType, oneLine(reason), NOT_SAID, NO_BODY, Map.of());
  }

  /**
   * The same with the time that the receiver wants to be left alone.
   *
   * @param retryAfterMillis 0 or more, or {@link #NOT_SAID}
   */
  public SendResult withRetryAfterMillis(long retryAfterMillis) {
    return new SendResult(kind, statusCode, errorType, reason, retryAfterMillis, body, headers);
  }

  /**
   * The same with a reply's body.
   *
   * @param body at most {@link #MAX_BODY_BYTES}; the result owns it from here on
   */
  public SendResult withBody(byte[] body) {
    return new SendResult(kind, statusCode, errorType, reason, retryAfterMillis, body, headers);
  }

  /**
   * The same with headers of the reply.
   *
   * @param headers by name in lower case
   */
  public SendResult withHeaders(Map<String, String> headers) {
    return new SendResult(
        kind, statusCode, errorType, reason, retryAfterMillis, body, Map.copyOf(headers));
  }

  /** How to go on. */
  public Kind kind() {
    return kind;
  }

  /** HTTP's status or gRPC's code; {@link #NO_STATUS} where none came. */
  public int statusCode() {
    return statusCode;
  }

  /** The semantic conventions' {@code error.type}; empty for a success. */
  public String errorType() {
    return errorType;
  }

  /** One line for a log, without control characters and secrets; empty for a success. */
  public String reason() {
    return reason;
  }

  /**
   * How long the receiver wants to be left alone, in milliseconds; {@link #NOT_SAID} where it did
   * not say.
   */
  public long retryAfterMillis() {
    return retryAfterMillis;
  }

  /** The reply's body, at most {@link #MAX_BODY_BYTES}; empty where there was none. Not a copy. */
  public byte[] body() {
    return body;
  }

  /**
   * A header of the reply, where the transport was asked to keep it.
   *
   * @param name in lower case
   */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  @Override
  public String toString() {
    return "SendResult["
        + kind
        + ", statusCode="
        + statusCode
        + ", errorType="
        + errorType
        + ", reason="
        + reason
        + ", retryAfterMillis="
        + retryAfterMillis
        + ", bodyBytes="
        + body.length
        + "]";
  }

  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_REASON_CHARS));
    for (int i = 0; i < text.length() && line.length() < MAX_REASON_CHARS; i++) {
      char c = text.charAt(i);
      boolean shown = !Character.isISOControl(c) && c != '\u2028' && c != '\u2029';
      line.append(shown ? c : ' ');
    }
    return line.toString().strip();
  }
}
