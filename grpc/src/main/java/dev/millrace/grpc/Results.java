package dev.millrace.grpc;

import dev.millrace.export.push.SendResult;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what a receiver said, or what happened instead, into a result. */
final class Results {
  private static final byte[] NO_BODY = {};

  private Results() {}

  /** A receiver's success. */
  static SendResult success(byte[] body) {
    return SendResult.success(GrpcStatus.OK.code(), body);
  }

  /** A success whose reply is empty, as nearly all are. */
  static SendResult success() {
    return success(NO_BODY);
  }

  /**
   * A receiver's status.
   *
   * @param message decoded
   * @param details {@code grpc-status-details-bin}, where there was one
   */
  static SendResult of(GrpcStatus status, String message, @Nullable CharSequence details) {
    String reason = "the receiver answered " + status + (message.isEmpty() ? "" : ": " + message);
    if (saysTooLarge(status, message)) {
      return SendResult.tooLarge(status.code(), status.name(), reason);
    }
    long delayMillis =
        details == null ? SendResult.NOT_SAID : StatusDetails.retryDelayMillis(details.toString());
    boolean told = status == GrpcStatus.RESOURCE_EXHAUSTED && delayMillis != SendResult.NOT_SAID;
    SendResult result =
        status.retryable() || told
            ? SendResult.retryable(status.code(), status.name(), reason)
            : SendResult.fatal(status.code(), status.name(), reason);
    return result.withRetryAfterMillis(delayMillis);
  }

  /**
   * Whether the receiver's limit for a message is why. No code says so, only the texts: of grpc-go
   * and the C core ("received message larger than max"), of Java ("message exceeds maximum size"),
   * of .NET ("exceeds the maximum configured message size") and of Rust's tonic, which gives
   * OUT_OF_RANGE ("message length too large").
   */
  private static boolean saysTooLarge(GrpcStatus status, String message) {
    if (status != GrpcStatus.RESOURCE_EXHAUSTED && status != GrpcStatus.OUT_OF_RANGE) {
      return false;
    }
    String text = message.toLowerCase(Locale.ROOT);
    return text.contains("message larger than max")
        || text.contains("message after decompression larger than max")
        || text.contains("message exceeds maximum size")
        || text.contains("exceeds the maximum configured message size")
        || text.contains("message length too large");
  }

  /** A reply that breaks the protocol; the receiver may have taken the payload. */
  static SendResult broken(GrpcStatus status, String reason) {
    return SendResult.fatal(status.code(), status.name(), reason);
  }

  /** No connection, or one that was lost. */
  static SendResult unavailable(String reason, @Nullable Throwable cause) {
    String type = cause == null ? GrpcStatus.UNAVAILABLE.name() : cause.getClass().getSimpleName();
    return SendResult.retryable(SendResult.NO_STATUS, type, reason);
  }

  /** What gRPC's length field cannot say. */
  static SendResult tooLong() {
    return SendResult.tooLarge(
        SendResult.NO_STATUS,
        GrpcStatus.RESOURCE_EXHAUSTED.name(),
        "expected a message of less than 2 GiB, found a longer one");
  }

  /** The deadline passed. */
  static SendResult timeout(String reason) {
    return SendResult.retryable(SendResult.NO_STATUS, SendResult.TIMEOUT, reason);
  }

  /** The transport is closed. */
  static SendResult closed() {
    return SendResult.fatal(
        SendResult.NO_STATUS,
        GrpcStatus.CANCELLED.name(),
        "expected an open transport, found one that was closed");
  }
}
