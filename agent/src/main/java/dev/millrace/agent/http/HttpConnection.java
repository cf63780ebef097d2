package dev.millrace.agent.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection: one request after the other, read only when its turn has come.
 *
 * <pre>
 *   HEAD --head--> BODY --end--> BUSY --reply--> REPLYING --written--> HEAD
 *     |              |                              ^  |
 *     +---refused----+--> DISCARD --end-------------+  +--close--> LINGER --> CLOSED
 * </pre>
 *
 * <p>Nothing is read from the socket while a request is worked on, so a client that sends requests
 * ahead waits in its own kernel. A request that is refused before its body has come is answered
 * after the body was read and dropped, and the connection lives on; where that would be much, it is
 * answered at once and the connection closed. Closing means: end our side, then read and drop for a
 * short time, because data that nobody reads makes the kernel throw away the reply as well (RFC
 * 9112, section 9.6).
 *
 * <p>All state belongs to the event loop; other threads come in by {@link #onLoop}.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /** How much of a refused request's body is read so that the connection can be kept. */
  static final long MAX_DISCARD_BYTES = 256 * 1024;

  /** How long a closing connection is read from: a client on a slow link has the reply by then. */
  private static final long LINGER_MILLIS = 1_000;

  /** How much is read from a closing connection. */
  private static final long MAX_LINGER_BYTES = 4L * 1024 * 1024;

  private enum State {
    HEAD,
    BODY,
    DISCARD,
    BUSY,
    REPLYING,
    LINGER,
    CLOSED
  }

  private final HttpServer server;
  private final ReplyEncoder encoder;
  private final ArrayDeque<Object> waiting = new ArrayDeque<>(2);
  private State state = State.HEAD;
  private boolean draining;
  private @Nullable HttpExchange exchange;
  private @Nullable BodyConsumer body;
  private @Nullable HttpReply refusal;
  private @Nullable StreamedReply streamed;
  private boolean keepAlive;
  private long droppedBytes;
  private long sinceNanos;
  private volatile long progressNanos;

  // Netty adds the handler to its pipeline, once, before it calls anything else.
  @SuppressWarnings("NullAway.Init")
  private ChannelHandlerContext context;

  @SuppressWarnings("NullAway.Init")
  private ReplyWriter writer;

  @SuppressWarnings("NullAway.Init")
  private LazyTimer timer;

  HttpConnection(HttpServer server, ReplyEncoder encoder) {
    this.server = server;
    this.encoder = encoder;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    this.context = context;
    writer = new ReplyWriter(context, server.date());
    timer = new LazyTimer(context.executor(), this::onTimer);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    sinceNanos = System.nanoTime();
    timer.arm(deadlineNanos());
    context.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    waiting.add(message);
    drain();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    timer.arm(deadlineNanos());
    proceed();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    state = State.CLOSED;
    timer.cancel();
    for (Object message = waiting.poll(); message != null; message = waiting.poll()) {
      ReferenceCountUtil.release(message);
    }
    if (body != null) {
      server
          .problems()
          .abortedRequest
          .add(1, () -> "expected the rest of a request body, found a closed connection" + peer());
      abortBody();
    }
    StreamedReply reply = streamed;
    if (reply != null) {
      reply.onClosed();
    }
    exchange = null;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof DecoderException && cause.getCause() instanceof SSLException refused) {
      server
          .problems()
          .tlsFailed
          .add(1, () -> "expected TLS, found: " + refused.getMessage() + peer());
    } else if (!(cause instanceof IOException)) {
      server
          .problems()
          .failed
          .add(1, () -> "expected to serve a connection, found " + Failures.describe(cause));
    }
    writer.close();
  }

  /** Replies to an exchange; any thread. */
  void reply(HttpExchange to, HttpReply reply) {
    onLoop(
        () -> {
          if (exchange == to && state == State.BUSY) {
            send(to, reply, closesAfterReply());
          }
        });
  }

  /** Begins a streamed reply; any thread. */
  void beginStream(
      HttpExchange to, StreamedReply reply, String contentType, @Nullable String contentEncoding) {
    onLoop(
        () -> {
          if (exchange != to || state != State.BUSY) {
            reply.onClosed();
            return;
          }
          beginReply();
          streamed = reply;
          // HTTP/1.0 has no chunks: such a body ends with its connection.
          keepAlive &= !ReplyWriter.isHttp10(to.request());
          writer.writeHead(contentType, contentEncoding, to.request(), closesAfterReply());
          timer.arm(deadlineNanos());
        });
  }

  /** Writes a part of a streamed reply; any thread. The part is released on every path. */
  void writeStream(HttpContent part) {
    writer.writePart(part);
  }

  /** Ends a streamed reply; any thread. */
  void endStream(HttpExchange to) {
    onLoop(
        () -> {
          if (exchange == to && state == State.REPLYING) {
            whenWritten(writer.writeEnd(), closesAfterReply());
          }
        });
  }

  /** Closes the connection in the middle of a reply; any thread. */
  void cutOff(HttpExchange of) {
    onLoop(
        () -> {
          if (exchange == of) {
            writer.close();
          }
        });
  }

  /** Notes that the peer took a part of a streamed reply; any thread. */
  void progressed() {
    progressNanos = System.nanoTime();
  }

  /** Closes the connection now if nothing is in progress, else after the reply; any thread. */
  void closeWhenIdle() {
    onLoop(
        () -> {
          if (state == State.HEAD) {
            writer.close();
          }
        });
  }

  ByteBufAllocator allocator() {
    return writer.allocator();
  }

  private void onLoop(Runnable task) {
    if (context.executor().inEventLoop()) {
      task.run();
      return;
    }
    try {
      context.executor().execute(task);
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and with it every connection: nobody is left to reply to.
    }
  }

  private boolean wantsInput() {
    return switch (state) {
      case HEAD, BODY, DISCARD, LINGER -> true;
      case BUSY, REPLYING, CLOSED -> false;
    };
  }

  private void proceed() {
    drain();
    if (wantsInput() && waiting.isEmpty()) {
      context.read();
    }
  }

  /** Handles what was decoded, for as long as its turn has come. */
  private void drain() {
    if (draining) {
      return;
    }
    draining = true;
    try {
      while (wantsInput()) {
        Object message = waiting.poll();
        if (message == null) {
          return;
        }
        try {
          handle(message);
        } finally {
          ReferenceCountUtil.release(message);
        }
      }
    } finally {
      draining = false;
    }
  }

  private void handle(Object message) {
    if (state == State.HEAD) {
      if (message instanceof HttpRequest request) {
        onHead(request);
      }
    } else if (message instanceof HttpContent content) {
      onContent(content);
    }
  }

  private void onHead(HttpRequest request) {
    encoder.expectHead(HttpMethod.HEAD.equals(request.method()));
    sinceNanos = System.nanoTime();
    droppedBytes = 0;
    HttpExchange begun = new HttpExchange(this, request);
    exchange = begun;
    RequestFault fault = RequestFault.of(request);
    if (fault != null) {
      refuse(begun, fault);
      return;
    }
    keepAlive = HttpUtil.isKeepAlive(request);
    boolean waits = HttpUtil.is100ContinueExpected(request) && hasBody(request);
    RequestPlan plan = server.endpoint().plan(begun);
    if (plan instanceof RequestPlan.Reject reject) {
      refuse(begun, reject.reply(), waits);
    } else if (plan instanceof RequestPlan.Receive receive) {
      body = receive.consumer();
      state = State.BODY;
      if (waits) {
        writer.writeContinue();
      }
    }
  }

  private void onContent(HttpContent content) {
    HttpExchange of = exchange;
    int readableBytes = content.content().readableBytes();
    if (of == null || state == State.LINGER) {
      droppedBytes += readableBytes;
      if (droppedBytes > MAX_LINGER_BYTES) {
        writer.close();
      }
      return;
    }
    Throwable cause = content.decoderResult().cause();
    if (cause != null) {
      abortBody();
      refuse(of, RequestFault.unreadable(cause));
      return;
    }
    boolean last = content instanceof LastHttpContent;
    BodyConsumer to = body;
    if (to == null) {
      droppedBytes += readableBytes;
    } else {
      HttpReply reply = readableBytes == 0 ? null : to.onBytes(content.content());
      if (reply != null) {
        body = null;
        refuse(of, reply, false);
      } else if (last) {
        body = null;
        state = State.BUSY;
        to.onEnd();
      }
    }
    HttpReply refused = refusal;
    if (state == State.DISCARD && refused != null) {
      if (last || droppedBytes > MAX_DISCARD_BYTES) {
        send(of, refused, !last || closesAfterReply());
      }
    }
  }

  /** Answers a request that is not HTTP as it should be. */
  private void refuse(HttpExchange refused, RequestFault fault) {
    server.problems().malformed.add(1, () -> fault.message() + peer());
    send(refused, failure(refused, fault.status(), fault.message()), true);
  }

  /** Answers a request whose body has not come yet. */
  private void refuse(HttpExchange refused, HttpReply reply, boolean clientWaits) {
    if (clientWaits || refused.contentLengthBytes() > MAX_DISCARD_BYTES) {
      send(refused, reply, true);
    } else {
      refusal = reply;
      state = State.DISCARD;
    }
  }

  private HttpReply failure(HttpExchange of, int status, String message) {
    String contentType = of.header("Content-Type");
    return server.endpoint().failure(status, contentType == null ? "" : contentType, message);
  }

  private void send(HttpExchange to, HttpReply reply, boolean close) {
    beginReply();
    whenWritten(writer.write(reply, to.request(), close), close);
  }

  private void beginReply() {
    state = State.REPLYING;
    sinceNanos = System.nanoTime();
    progressNanos = sinceNanos;
  }

  private void whenWritten(ChannelFuture written, boolean close) {
    if (written.isDone()) {
      onReplyWritten(written.isSuccess(), close);
      return;
    }
    timer.arm(deadlineNanos());
    written.addListener(
        (ChannelFutureListener) future -> onReplyWritten(future.isSuccess(), close));
  }

  private void onReplyWritten(boolean success, boolean close) {
    if (state == State.CLOSED) {
      return;
    }
    exchange = null;
    streamed = null;
    refusal = null;
    if (!success) {
      writer.close();
      return;
    }
    sinceNanos = System.nanoTime();
    if (close || server.isStopping()) {
      state = State.LINGER;
      droppedBytes = 0;
      writer.endOutput();
      timer.arm(deadlineNanos());
    } else {
      state = State.HEAD;
    }
    proceed();
  }

  private boolean closesAfterReply() {
    return !keepAlive || server.isStopping();
  }

  private void abortBody() {
    BodyConsumer aborted = body;
    body = null;
    if (aborted != null) {
      aborted.onAbort();
    }
  }

  private long deadlineNanos() {
    HttpServerOptions options = server.options();
    return switch (state) {
      case HEAD -> after(sinceNanos, options.idleMillis());
      case BODY, DISCARD -> after(sinceNanos, options.requestMillis());
      case REPLYING -> {
        long stalled = after(progressNanos, options.stallMillis());
        long late = after(sinceNanos, options.replyMillis());
        yield stalled - late < 0 ? stalled : late;
      }
      case LINGER -> after(sinceNanos, LINGER_MILLIS);
      // Whoever works on the request has bounds of its own; look again later.
      case BUSY, CLOSED -> after(System.nanoTime(), options.stallMillis());
    };
  }

  private static long after(long nanos, long millis) {
    return nanos + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void onTimer() {
    if (state == State.CLOSED) {
      return;
    }
    if (System.nanoTime() - deadlineNanos() < 0) {
      timer.arm(deadlineNanos());
      return;
    }
    HttpExchange of = exchange;
    if (of != null && (state == State.BODY || state == State.DISCARD)) {
      abortBody();
      String message =
          "expected a whole request within "
              + server.options().requestMillis()
              + " ms, found less; send smaller requests";
      server.problems().slowRequest.add(1, () -> message + peer());
      send(of, failure(of, 408, message), true);
      return;
    }
    if (state == State.REPLYING) {
      server
          .problems()
          .stalledReply
          .add(1, () -> "expected the peer to take its reply, found it too slow" + peer());
    }
    writer.close();
  }

  private static boolean hasBody(HttpRequest request) {
    return HttpUtil.isTransferEncodingChunked(request)
        || HttpUtil.getContentLength(request, 0L) > 0;
  }

  /** Who is at the other end; any thread. */
  SocketAddress peerAddress() {
    return context.channel().remoteAddress();
  }

  private String peer() {
    return " (" + server.options().name() + ", peer " + peerAddress() + ")";
  }
}
