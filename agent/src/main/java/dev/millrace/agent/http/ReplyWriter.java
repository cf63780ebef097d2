package dev.millrace.agent.http;

import dev.millrace.export.scrape.ScrapeReply;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** Writes replies to one connection. Event loop only, {@link #writePart} aside. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // A write that fails closes the channel, which is seen.
final class ReplyWriter {
  private final ChannelHandlerContext context;
  private final HttpDate date;

  ReplyWriter(ChannelHandlerContext context, HttpDate date) {
    this.context = context;
    this.date = date;
  }

  ByteBufAllocator allocator() {
    return context.alloc();
  }

  /** Tells a client that waits for it to send its body. */
  void writeContinue() {
    context.writeAndFlush(
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
  }

  /** Writes a whole reply. */
  ChannelFuture write(HttpReply reply, HttpRequest to, boolean close) {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(reply.status()),
            Unpooled.wrappedBuffer(reply.body()));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
    reply.forEachHeader(response.headers()::set);
    setConnection(response, to, close);
    return context.writeAndFlush(response);
  }

  /** Writes the head of a reply whose body comes in parts. */
  void writeHead(
      String contentType, @Nullable String contentEncoding, HttpRequest to, boolean close) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
    response.headers().set(HttpHeaderNames.VARY, ScrapeReply.VARY);
    if (contentEncoding != null) {
      response.headers().set(HttpHeaderNames.CONTENT_ENCODING, contentEncoding);
    }
    if (!isHttp10(to)) {
      response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }
    setConnection(response, to, close);
    context.write(response);
  }

  /** Writes a part of a body; any thread. Netty releases the part on every path. */
  void writePart(HttpContent part) {
    context.channel().writeAndFlush(part);
  }

  /** Ends a body that came in parts. */
  ChannelFuture writeEnd() {
    return context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  /** Ends our side of the connection; the peer's is still read. */
  void endOutput() {
    DuplexChannel channel = (DuplexChannel) context.channel();
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls == null) {
      channel.shutdownOutput();
    } else {
      tls.closeOutbound().addListener(ended -> channel.shutdownOutput());
    }
  }

  /** Closes the connection. */
  void close() {
    context.close();
  }

  /** Whether a request is of the version that knows no chunks and closes by default. */
  static boolean isHttp10(HttpRequest request) {
    return request.protocolVersion().minorVersion() == 0;
  }

  private void setConnection(HttpResponse response, HttpRequest to, boolean close) {
    response.headers().set(HttpHeaderNames.DATE, date.now());
    if (close) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (isHttp10(to)) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
  }
}
