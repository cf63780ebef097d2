package dev.millrace.grpc;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way. It is what flow control asks for bytes, so the payload is read here and
 * nowhere else: no buffer of Netty's ever points into it, and when the call is finished nobody
 * reads it any more. Event loop only.
 *
 * <pre>
 *   compressed (1) | length (4, big endian) | message
 * </pre>
 */
final class Call implements Runnable, Http2RemoteFlowController.FlowControlled {
  private static final System.Logger LOGGER = System.getLogger("dev.millrace");

  /** RFC 9113 section 4.1. */
  private static final int FRAME_HEADER_BYTES = 9;

  private final GrpcClient client;
  private final GrpcTransport owner;
  private final RequestHeaders headers;
  private final Map<String, String> more;
  private final long deadlineNanos;
  private final Transport.Completion done;
  private @Nullable Payload payload;
  private @Nullable Payload compressed;

  private Reply reply = new Reply();
  private @Nullable GrpcConnection connection;
  private int streamId;
  private long openedNanos;
  private boolean moved;
  private boolean finished;

  private int prefixLeft;
  private int bytesLeft;
  private @Nullable Chunk chunk;
  private int chunkOffset;

  /** Links in {@link GrpcClient}'s list of calls that are under way. */
  @Nullable Call previous;

  @Nullable Call next;
  boolean listed;

  /**
   * A call to be handed to the event loop.
   *
   * @param payload the caller's
   * @param compressed the same, which this call owns; {@code null} to send it as it is
   */
  Call(
      GrpcClient client,
      GrpcTransport owner,
      RequestHeaders headers,
      Map<String, String> more,
      Payload payload,
      @Nullable Payload compressed,
      long deadlineNanos,
      Transport.Completion done) {
    this.client = client;
    this.owner = owner;
    this.headers = headers;
    this.more = more;
    this.payload = payload;
    this.compressed = compressed;
    this.deadlineNanos = deadlineNanos;
    this.done = done;
  }

  @Override
  public void run() {
    client.begin(this);
  }

  GrpcTransport owner() {
    return owner;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isFinished() {
    return finished;
  }

  @Nullable GrpcConnection connection() {
    return connection;
  }

  int streamId() {
    return streamId;
  }

  long openedNanos() {
    return openedNanos;
  }

  boolean isLongerThan(long maxBytes) {
    Payload whole = sent();
    return whole != null && whole.lengthBytes() > maxBytes;
  }

  /** Whether it may move to another stream, which it may once. */
  boolean move() {
    if (moved || finished) {
      return false;
    }
    moved = true;
    connection = null;
    return true;
  }

  /** The headers to open a stream with, now. */
  Http2Headers headers(long nowNanos) {
    return headers.forRequest(more, Math.max(1, deadlineNanos - nowNanos));
  }

  /** Begins to be sent, from the first byte on, by a stream. */
  void attach(GrpcConnection connection, int streamId, long nowNanos) {
    Payload from = sent();
    this.connection = connection;
    this.streamId = streamId;
    openedNanos = nowNanos;
    reply = new Reply();
    prefixLeft = ReplyMessage.PREFIX_BYTES;
    bytesLeft = from == null ? 0 : (int) from.lengthBytes();
    chunk = from == null ? null : from.first();
    chunkOffset = 0;
  }

  Reply reply() {
    return reply;
  }

  /** Whether all of it is written, or will not be. */
  boolean isSent() {
    return size() == 0;
  }

  /** Ends the call, if it has not ended. The stream is reset where it is still open. */
  void finish(SendResult result) {
    if (finished) {
      return;
    }
    finished = true;
    GrpcConnection on = connection;
    client.forget(this);
    payload = null;
    chunk = null;
    prefixLeft = 0;
    bytesLeft = 0;
    Payload own = compressed;
    compressed = null;
    if (own != null) {
      own.close();
    }
    if (on != null) {
      on.finished(this);
    }
    try {
      done.done(result);
    } catch (RuntimeException e) {
      // The connection and the other calls are not to suffer from it.
      LOGGER.log(System.Logger.Level.WARNING, "expected a completion that does not throw", e);
    }
  }

  @Override
  public int size() {
    return prefixLeft + bytesLeft;
  }

  @Override
  public void write(ChannelHandlerContext ctx, int allowedBytes) {
    GrpcConnection on = connection;
    int allowed = Math.min(allowedBytes, size());
    while (on != null && allowed > 0) {
      int step = Math.min(allowed, on.maxFrameBytes());
      boolean last = step == size();
      ByteBuf frame = ctx.alloc().directBuffer(FRAME_HEADER_BYTES + step);
      frame.writeMedium(step);
      frame.writeByte(Http2FrameTypes.DATA);
      frame.writeByte(last ? Http2Flags.END_STREAM : 0);
      frame.writeInt(streamId);
      fill(frame, step);
      // A write that fails closes the connection, by the pipeline.
      var unused = ctx.write(frame, ctx.voidPromise());
      allowed -= step;
    }
  }

  private void fill(ByteBuf frame, int lengthBytes) {
    int left = lengthBytes;
    while (left > 0 && prefixLeft > 0) {
      prefixLeft--;
      // The last four bytes are the length, which nothing has been taken from yet.
      int shift = prefixLeft * Byte.SIZE;
      frame.writeByte(
          prefixLeft == ReplyMessage.PREFIX_BYTES - 1
              ? (compressed == null ? 0 : 1)
              : bytesLeft >>> shift);
      left--;
    }
    Chunk from = chunk;
    while (left > 0 && from != null) {
      int step = Math.min(left, from.lengthBytes() - chunkOffset);
      frame.writeBytes(from.bytes(), chunkOffset, step);
      chunkOffset += step;
      bytesLeft -= step;
      left -= step;
      if (chunkOffset == from.lengthBytes()) {
        from = from.next();
        chunk = from;
        chunkOffset = 0;
      }
    }
  }

  @Override
  public void writeComplete() {
    GrpcConnection on = connection;
    if (on != null && !finished) {
      on.sentAll(this);
    }
  }

  @Override
  public void error(ChannelHandlerContext ctx, Throwable cause) {
    // The stream is closed, or its write failed and the connection with it: both are told of
    // elsewhere.
  }

  @Override
  public boolean merge(ChannelHandlerContext ctx, Http2RemoteFlowController.FlowControlled next) {
    return false;
  }

  private @Nullable Payload sent() {
    return compressed == null ? payload : compressed;
  }
}
