package dev.millrace.grpc;

import dev.millrace.export.push.SendResult;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads one reply: headers, at most one message, trailers; or trailers only. */
final class Reply {
  private static final AsciiString STATUS = AsciiString.cached("grpc-status");
  private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
  private static final AsciiString DETAILS = AsciiString.cached("grpc-status-details-bin");
  private static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString GRPC_TYPE = AsciiString.cached("application/grpc");

  private static final int HTTP_OK = 200;
  private static final int FIRST_FINAL_STATUS = 200;
  private static final int STATUS_DIGITS = 3;

  /** Enough of another content type to see what answered. */
  private static final int MAX_SHOWN_CHARS = 100;

  private int httpStatus;
  private @Nullable CharSequence encoding;
  private @Nullable ReplyMessage message;

  /**
   * Takes a block of headers.
   *
   * @return the outcome, once it is certain
   */
  @Nullable SendResult headers(Http2Headers headers, boolean last) {
    CharSequence grpcStatus = headers.get(STATUS);
    if (httpStatus == 0) {
      int status = httpStatus(headers.status());
      if (status < FIRST_FINAL_STATUS && status > 0) {
        return null;
      }
      httpStatus = status == 0 ? -1 : status;
      encoding = headers.get(ENCODING);
      if (grpcStatus == null && (status != HTTP_OK || !isGrpc(headers))) {
        return notGrpc(headers);
      }
      if (!last) {
        return null;
      }
    }
    if (grpcStatus == null) {
      return withoutStatus();
    }
    GrpcStatus status = GrpcStatus.ofText(grpcStatus);
    if (status == GrpcStatus.OK) {
      return success();
    }
    return Results.of(status, PercentText.decode(headers.get(MESSAGE)), headers.get(DETAILS));
  }

  /**
   * Takes a part of the message.
   *
   * @return the outcome, once it is certain
   */
  @Nullable SendResult data(ByteBuf data, boolean last) {
    ReplyMessage to = message;
    if (to == null) {
      to = new ReplyMessage();
      message = to;
    }
    String wrong = to.add(data);
    if (wrong != null) {
      return Results.broken(
          to.isTooLarge() ? GrpcStatus.RESOURCE_EXHAUSTED : GrpcStatus.INTERNAL, wrong);
    }
    return last ? withoutStatus() : null;
  }

  private SendResult success() {
    ReplyMessage whole = message;
    if (whole == null) {
      return Results.success();
    }
    if (!whole.isWhole()) {
      return Results.broken(
          GrpcStatus.INTERNAL, "expected a whole message in the reply, found the reply's end");
    }
    try {
      return Results.success(whole.message(encoding));
    } catch (IOException e) {
      return Results.broken(GrpcStatus.INTERNAL, "the reply: " + e.getMessage());
    }
  }

  private static SendResult withoutStatus() {
    return Results.broken(
        GrpcStatus.UNKNOWN, "expected grpc-status at the end of the reply, found none");
  }

  private SendResult notGrpc(Http2Headers headers) {
    CharSequence type = headers.get(CONTENT_TYPE);
    String shown = type == null ? "none" : type.toString();
    return Results.of(
        GrpcStatus.ofHttp(httpStatus),
        "expected a gRPC reply, found HTTP status "
            + httpStatus
            + " and content-type "
            + shown.substring(0, Math.min(shown.length(), MAX_SHOWN_CHARS)),
        null);
  }

  private static boolean isGrpc(Http2Headers headers) {
    CharSequence type = headers.get(CONTENT_TYPE);
    if (type == null || !AsciiString.of(type).startsWith(GRPC_TYPE)) {
      return false;
    }
    int end = GRPC_TYPE.length();
    return type.length() == end || type.charAt(end) == '+' || type.charAt(end) == ';';
  }

  private static int httpStatus(@Nullable CharSequence text) {
    if (text == null || text.length() != STATUS_DIGITS) {
      return 0;
    }
    int status = 0;
    for (int i = 0; i < STATUS_DIGITS; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      status = status * 10 + digit;
    }
    return status;
  }
}
