package dev.millrace.grpc;

import dev.millrace.export.push.SendResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection: opens a stream for each call, and tells the client what becomes of it.
 * Ready for calls once the peer's SETTINGS came; takes no new ones after GOAWAY, and closes when
 * the last has ended. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails closes the connection, which is told of.
final class GrpcConnection extends Http2ConnectionHandler {
  /** What a person needs of a peer's words on why it goes. */
  private static final int MAX_DEBUG_BYTES = 200;

  private static final String HTTP_2 = "h2";

  private final GrpcClient client;
  private final @Nullable SSLEngine engine;
  private final Http2Connection.PropertyKey callKey;
  private @Nullable ChannelHandlerContext context;
  private boolean ready;
  private boolean goingAway;
  private boolean served;
  private long lastReadNanos;
  private String reason = "expected a reply, found the connection closed by the peer";
  private @Nullable Throwable cause;

  GrpcConnection(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      GrpcClient client,
      @Nullable SSLEngine engine) {
    super(decoder, encoder, settings);
    this.client = client;
    this.engine = engine;
    callKey = connection().newKey();
    connection()
        .addListener(
            new Http2ConnectionAdapter() {
              @Override
              public void onStreamClosed(Http2Stream stream) {
                streamClosed(stream);
              }
            });
    decoder.frameListener(new Frames());
  }

  boolean takesCalls() {
    return ready
        && !goingAway
        && connection().local().lastStreamCreated() < Integer.MAX_VALUE - 2
        && channel().channel().isActive();
  }

  boolean hasRoom() {
    return connection().local().canOpenStream();
  }

  /** Whether any call ended with a reply here. */
  boolean hasServed() {
    return served;
  }

  String reason() {
    return reason;
  }

  @Nullable Throwable cause() {
    return cause;
  }

  int maxFrameBytes() {
    return encoder().configuration().frameSizePolicy().maxFrameSize();
  }

  /** Opens a stream and sends as much of the call as flow control allows. */
  void open(Call call, long nowNanos) {
    ChannelHandlerContext ctx = channel();
    int id = connection().local().incrementAndGetNextStreamId();
    var written =
        encoder().writeHeaders(ctx, id, call.headers(nowNanos), 0, false, ctx.newPromise());
    Http2Stream stream = connection().stream(id);
    if (stream == null || written.cause() != null) {
      call.finish(
          Results.unavailable("expected to open a stream, found a refusal", written.cause()));
      return;
    }
    call.attach(this, id, nowNanos);
    stream.setProperty(callKey, call);
    encoder().flowController().addFlowControlled(stream, call);
    flush(ctx);
  }

  /** All of the call's bytes are written. */
  void sentAll(Call call) {
    Http2Stream stream = connection().stream(call.streamId());
    if (stream != null) {
      closeStreamLocal(stream, channel().newSucceededFuture());
    }
  }

  /** Frees the stream of a call that has ended before its stream did. */
  void finished(Call call) {
    Http2Stream stream = connection().stream(call.streamId());
    if (stream == null || stream.<Call>getProperty(callKey) != call) {
      return;
    }
    stream.removeProperty(callKey);
    boolean replied = stream.state() == Http2Stream.State.CLOSED;
    ChannelHandlerContext ctx = channel();
    if (!replied && ctx.channel().isActive()) {
      resetStream(ctx, stream.id(), Http2Error.CANCEL.code(), ctx.newPromise());
      flush(ctx);
    }
  }

  /**
   * A call has timed out. A connection that nothing was heard from since the call began may be dead
   * without anybody having said so: the next call gets another.
   */
  void timedOut(Call call) {
    if (lastReadNanos - call.openedNanos() < 0) {
      goAwaySoon();
    }
  }

  /** Closes at once. */
  void abort(String reason, @Nullable Throwable cause) {
    this.reason = reason;
    this.cause = cause;
    goingAway = true;
    ChannelHandlerContext ctx = context;
    if (ctx != null) {
      ctx.close();
    }
  }

  /** Says goodbye and closes; no call is under way any more. */
  void leave() {
    goingAway = true;
    ChannelHandlerContext ctx = context;
    if (ctx != null && ctx.channel().isActive()) {
      goAway(
          ctx,
          connection().remote().lastStreamCreated(),
          Http2Error.NO_ERROR.code(),
          Unpooled.EMPTY_BUFFER,
          ctx.newPromise());
      ctx.flush();
      ctx.close();
    }
  }

  /** Takes no calls any more, and closes when the last one has ended. */
  private void goAwaySoon() {
    if (!goingAway) {
      goingAway = true;
      client.goesAway(this);
    }
    client.later(this::closeIfIdle);
  }

  private void closeIfIdle() {
    ChannelHandlerContext ctx = context;
    if (goingAway && ctx != null && connection().numActiveStreams() == 0) {
      leave();
    }
  }

  private void streamClosed(Http2Stream stream) {
    Call call = stream.removeProperty(callKey);
    if (call != null && !call.isFinished()) {
      boolean unseen =
          connection().goAwayReceived()
              && stream.id() > connection().local().lastStreamKnownByPeer();
      if (!unseen || !client.move(call)) {
        call.finish(Results.unavailable(reason, cause));
      }
    }
    if (goingAway) {
      client.later(this::closeIfIdle);
    } else {
      client.roomMade();
    }
  }

  private ChannelHandlerContext channel() {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      throw new IllegalStateException("expected a handler in a pipeline, found one without");
    }
    return ctx;
  }

  private @Nullable Call callOf(int streamId) {
    Http2Stream stream = connection().stream(streamId);
    return stream == null ? null : stream.<Call>getProperty(callKey);
  }

  private void end(int streamId, Call call, @Nullable SendResult result, boolean last) {
    if (result == null) {
      return;
    }
    served = true;
    if (last && call.isSent()) {
      // The stream closes by itself when this frame has been dealt with.
      Http2Stream stream = connection().stream(streamId);
      if (stream != null) {
        stream.removeProperty(callKey);
      }
    }
    call.finish(result);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    super.handlerAdded(ctx);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    lastReadNanos = System.nanoTime();
    super.channelRead(ctx, message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    goingAway = true;
    super.channelInactive(ctx);
    client.gone(this);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof SslHandshakeCompletionEvent handshake && engine != null) {
      if (!handshake.isSuccess()) {
        Throwable failure = handshake.cause();
        abort("expected a TLS handshake, found " + Connector.describe(failure), failure);
      } else if (!HTTP_2.equals(engine.getApplicationProtocol())) {
        abort(
            "expected a peer that agrees on h2 by ALPN, found \""
                + engine.getApplicationProtocol()
                + "\"; is this a gRPC port?",
            null);
      }
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) throws Exception {
    if (Http2CodecUtil.getEmbeddedHttp2Exception(failure) != null) {
      super.exceptionCaught(ctx, failure);
      return;
    }
    if (cause == null) {
      abort("expected a reply, found " + Connector.describe(failure), failure);
    } else {
      ctx.close();
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable failure, @Nullable Http2Exception h2) {
    reason =
        "expected HTTP/2, found "
            + Connector.describe(failure)
            + (ready ? "" : "; is this a gRPC port?");
    cause = failure;
    goingAway = true;
    super.onConnectionError(ctx, outbound, failure, h2);
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable failure,
      Http2Exception.StreamException h2) {
    Call call = callOf(h2.streamId());
    super.onStreamError(ctx, outbound, failure, h2);
    if (call != null) {
      call.finish(
          Results.broken(
              GrpcStatus.INTERNAL,
              "expected a reply that follows HTTP/2, found " + Connector.describe(failure)));
    }
  }

  /** What the peer sends. */
  private final class Frames extends Http2FrameAdapter {
    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
      if (!ready) {
        ready = true;
        client.ready(GrpcConnection.this);
      }
      client.roomMade();
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endOfStream) {
      Call call = callOf(streamId);
      if (call != null) {
        end(streamId, call, call.reply().headers(headers, endOfStream), endOfStream);
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endOfStream) {
      onHeadersRead(ctx, streamId, headers, padding, endOfStream);
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
      int bytes = data.readableBytes() + padding;
      Call call = callOf(streamId);
      if (call != null) {
        end(streamId, call, call.reply().data(data, endOfStream), endOfStream);
      }
      return bytes;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
      Call call = callOf(streamId);
      if (call == null) {
        return;
      }
      Http2Stream stream = connection().stream(streamId);
      if (stream != null) {
        stream.removeProperty(callKey);
      }
      if (errorCode != Http2Error.REFUSED_STREAM.code() || !client.move(call)) {
        Http2Error error = Http2Error.valueOf(errorCode);
        call.finish(
            Results.of(
                GrpcStatus.ofReset(errorCode),
                "expected a reply, found the stream reset with "
                    + (error == null ? Long.toString(errorCode) : error.name()),
                null));
      }
    }

    @Override
    public void onGoAwayRead(
        ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData) {
      Http2Error error = Http2Error.valueOf(errorCode);
      reason =
          "expected a reply, found GOAWAY with "
              + (error == null ? Long.toString(errorCode) : error.name())
              + " "
              + debugData.toString(
                  debugData.readerIndex(),
                  Math.min(debugData.readableBytes(), MAX_DEBUG_BYTES),
                  StandardCharsets.UTF_8);
      goAwaySoon();
    }
  }
}
