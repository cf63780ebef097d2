package dev.millrace.grpc;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 server that answers each request as a test says, frame by frame. */
@SuppressWarnings("FutureReturnValueIgnored") // The test looks at what the client makes of it.
final class ScriptedServer implements AutoCloseable {
  /** What to do with a whole request. */
  interface Script {
    void answer(Exchange exchange);
  }

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final Channel channel;

  ScriptedServer(Script script) throws InterruptedException {
    this(script, new Http2Settings(), null);
  }

  ScriptedServer(Script script, Http2Settings settings, @Nullable Supplier<SSLEngine> tls)
      throws InterruptedException {
    channel =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel made) {
                    connections.incrementAndGet();
                    if (tls != null) {
                      made.pipeline().addLast(new SslHandler(tls.get()));
                    }
                    made.pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forServer().initialSettings(settings).build(),
                            new Frames(script));
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  int connections() {
    return connections.get();
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** One request, and the means to answer it. */
  final class Exchange {
    private final ChannelHandlerContext ctx;
    private final Http2FrameStream stream;

    Exchange(ChannelHandlerContext ctx, Http2FrameStream stream) {
      this.ctx = ctx;
      this.stream = stream;
    }

    int requestNumber() {
      return requests.get();
    }

    Exchange headers(boolean last, String... namesAndValues) {
      DefaultHttp2Headers headers = new DefaultHttp2Headers(false);
      for (int i = 0; i < namesAndValues.length; i += 2) {
        headers.add(namesAndValues[i], namesAndValues[i + 1]);
      }
      ctx.writeAndFlush(new DefaultHttp2HeadersFrame(headers, last).stream(stream));
      return this;
    }

    Exchange begin() {
      return headers(false, ":status", "200", "content-type", "application/grpc");
    }

    Exchange data(boolean last, byte... bytes) {
      ctx.writeAndFlush(
          new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes), last).stream(stream));
      return this;
    }

    Exchange ok() {
      return begin().data(false, new byte[5]).headers(true, "grpc-status", "0");
    }

    void reset(Http2Error error) {
      ctx.writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
    }

    /** Says that it takes no new streams, and has seen all of them. */
    void goAway() {
      ctx.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
    }

    /** Says that it has seen no stream at all. */
    void goAwayUnseen() {
      ByteBuf frame = Unpooled.buffer();
      frame.writeMedium(8).writeByte(Http2FrameTypes.GO_AWAY).writeByte(0).writeInt(0);
      frame.writeInt(0).writeInt(0);
      ctx.pipeline().context(Http2FrameCodec.class).writeAndFlush(frame);
    }

    void hangUp() {
      ctx.pipeline().firstContext().close();
    }
  }

  private final class Frames extends ChannelInboundHandlerAdapter {
    private final Script script;

    Frames(Script script) {
      this.script = script;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      boolean last = false;
      Http2FrameStream stream = null;
      if (message instanceof Http2HeadersFrame headers) {
        last = headers.isEndStream();
        stream = headers.stream();
      } else if (message instanceof Http2DataFrame data) {
        last = data.isEndStream();
        stream = data.stream();
        ctx.writeAndFlush(
            new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes()).stream(stream));
      }
      ReferenceCountUtil.release(message);
      if (last && stream != null) {
        requests.incrementAndGet();
        script.answer(new Exchange(ctx, stream));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /** A message with its prefix. */
  static byte[] message(boolean compressed, long length, byte[] bytes) {
    ByteBuf framed = Unpooled.buffer();
    framed.writeByte(compressed ? 1 : 0).writeInt((int) length).writeBytes(bytes);
    byte[] all = new byte[framed.readableBytes()];
    framed.readBytes(all);
    return all;
  }
}
