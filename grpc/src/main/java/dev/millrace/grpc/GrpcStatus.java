package dev.millrace.grpc;

import java.util.List;

/** The codes of gRPC ({@code statuscodes.md}), in the order of their numbers. */
enum GrpcStatus {
  OK(0, false),
  CANCELLED(1, true),
  UNKNOWN(2, false),
  INVALID_ARGUMENT(3, false),
  DEADLINE_EXCEEDED(4, true),
  NOT_FOUND(5, false),
  ALREADY_EXISTS(6, false),
  PERMISSION_DENIED(7, false),
  RESOURCE_EXHAUSTED(8, false),
  FAILED_PRECONDITION(9, false),
  ABORTED(10, true),
  OUT_OF_RANGE(11, true),
  UNIMPLEMENTED(12, false),
  INTERNAL(13, false),
  UNAVAILABLE(14, true),
  DATA_LOSS(15, true),
  UNAUTHENTICATED(16, false);

  private static final List<GrpcStatus> ALL = List.of(values());
  private static final int MAX_DIGITS = 2;

  private final int code;
  private final boolean retryable;

  GrpcStatus(int code, boolean retryable) {
    this.code = code;
    this.retryable = retryable;
  }

  /** Whether OTLP's specification allows to send again, whatever else the reply says. */
  boolean retryable() {
    return retryable;
  }

  /** gRPC's number. */
  int code() {
    return code;
  }

  /** Reads {@code grpc-status}; what is no known code is {@link #UNKNOWN}. */
  static GrpcStatus ofText(CharSequence text) {
    if (text.length() == 0 || text.length() > MAX_DIGITS) {
      return UNKNOWN;
    }
    int code = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return UNKNOWN;
      }
      code = code * 10 + digit;
    }
    return code < ALL.size() ? ALL.get(code) : UNKNOWN;
  }

  /** For a reply without {@code grpc-status}, by {@code http-grpc-status-mapping.md}. */
  static GrpcStatus ofHttp(int status) {
    return switch (status) {
      case 400 -> INTERNAL;
      case 401 -> UNAUTHENTICATED;
      case 403 -> PERMISSION_DENIED;
      case 404 -> UNIMPLEMENTED;
      case 429, 502, 503, 504 -> UNAVAILABLE;
      default -> UNKNOWN;
    };
  }

  /** For a stream that was reset, by the table in {@code PROTOCOL-HTTP2.md}. */
  static GrpcStatus ofReset(long errorCode) {
    return switch ((int) errorCode) {
      case 7 -> UNAVAILABLE; // REFUSED_STREAM
      case 8 -> CANCELLED; // CANCEL
      case 11 -> RESOURCE_EXHAUSTED; // ENHANCE_YOUR_CALM
      case 12 -> PERMISSION_DENIED; // INADEQUATE_SECURITY
      case 5, 13 -> UNKNOWN; // STREAM_CLOSED, HTTP_1_1_REQUIRED
      default -> INTERNAL;
    };
  }
}
