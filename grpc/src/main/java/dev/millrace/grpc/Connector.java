package dev.millrace.grpc;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Makes one connection: looks the name up, then tries each address until one gives an HTTP/2
 * connection that is ready. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Of closing what is given up.
final class Connector {
  private final GrpcClient client;
  private final EventLoop loop;
  private final ByteBufAllocator allocator;
  private final Endpoint endpoint;
  private final @Nullable InetSocketAddress proxy;
  private final @Nullable SSLContext tls;
  private final int timeoutMillis;
  private final Deque<InetAddress> addresses = new ArrayDeque<>();
  private @Nullable GrpcConnection trying;
  private @Nullable Channel channel;
  private @Nullable ScheduledFuture<?> timer;
  private boolean ended;

  Connector(
      GrpcClient client,
      EventLoop loop,
      ByteBufAllocator allocator,
      Endpoint endpoint,
      @Nullable InetSocketAddress proxy,
      @Nullable SSLContext tls,
      int timeoutMillis) {
    this.client = client;
    this.loop = loop;
    this.allocator = allocator;
    this.endpoint = endpoint;
    this.proxy = proxy;
    this.tls = tls;
    this.timeoutMillis = timeoutMillis;
  }

  /** What a failure is, in words for a log. */
  static String describe(@Nullable Throwable failure) {
    if (failure == null) {
      return "nothing";
    }
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return message == null ? name : name + ": " + message;
  }

  void start() {
    String host = host();
    if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
      lookUp(host);
      return;
    }
    // The JDK's look-up blocks, for as long as the name server lets it: other calls have deadlines.
    new DefaultThreadFactory("millrace-grpc-lookup", true).newThread(() -> lookUp(host)).start();
  }

  boolean isTrying(GrpcConnection connection) {
    return trying == connection;
  }

  /** The connection that was tried is ready; this has done its work. */
  void succeeded() {
    end();
    trying = null;
    channel = null;
  }

  /** The connection that was tried is gone. */
  void failed(String reason, @Nullable Throwable cause) {
    end(timer);
    timer = null;
    trying = null;
    channel = null;
    if (ended) {
      return;
    }
    if (addresses.isEmpty()) {
      ended = true;
      client.connectFailed(reason, cause);
    } else {
      tryNext();
    }
  }

  /** Stops trying. */
  void cancel() {
    end();
    Channel open = channel;
    trying = null;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  private void end() {
    ended = true;
    addresses.clear();
    end(timer);
    timer = null;
  }

  private static void end(@Nullable ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private String host() {
    return proxy == null ? endpoint.host() : proxy.getHostString();
  }

  private int port() {
    return proxy == null ? endpoint.port() : proxy.getPort();
  }

  private void lookUp(String host) {
    try {
      InetAddress[] found = InetAddress.getAllByName(host);
      inLoop(
          () -> {
            Collections.addAll(addresses, found);
            if (!ended) {
              tryNext();
            }
          });
    } catch (UnknownHostException e) {
      inLoop(() -> failed("expected an address of " + host + ", found none", e));
    }
  }

  private void inLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The transport was closed in the meantime.
      ended = true;
    }
  }

  private void tryNext() {
    InetSocketAddress address = new InetSocketAddress(addresses.removeFirst(), port());
    GrpcConnection connection;
    SSLEngine engine;
    try {
      engine = tls == null ? null : engine(tls);
      connection = new GrpcConnectionBuilder(client, engine).build();
    } catch (RuntimeException e) {
      failed("expected to begin TLS, found " + describe(e), e);
      return;
    }
    trying = connection;
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.ALLOCATOR, allocator)
            .option(ChannelOption.TCP_NODELAY, true)
            // The timer below is for all of it.
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel made) {
                    build(made, address, engine, connection);
                  }
                });
    ChannelFuture connecting;
    if (proxy == null) {
      connecting = bootstrap.connect(address);
    } else {
      // The proxy looks the receiver's name up.
      connecting =
          bootstrap
              .resolver(NoopAddressResolverGroup.INSTANCE)
              .connect(InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port()));
    }
    channel = connecting.channel();
    timer = loop.schedule(() -> timedOut(connection), timeoutMillis, TimeUnit.MILLISECONDS);
    connecting.addListener(
        done -> {
          if (!done.isSuccess() && trying == connection) {
            failed(
                "expected to connect to " + address + ", found " + describe(done.cause()),
                done.cause());
          }
        });
  }

  private void build(
      Channel made,
      InetSocketAddress address,
      @Nullable SSLEngine engine,
      GrpcConnection connection) {
    if (proxy != null) {
      HttpProxyHandler tunnel = new HttpProxyHandler(address);
      tunnel.setConnectTimeoutMillis(0);
      made.pipeline().addLast(tunnel);
      // Before TLS says no more than that the channel was closed.
      tunnel
          .connectFuture()
          .addListener(
              done -> {
                if (!done.isSuccess() && trying == connection) {
                  failed(
                      "expected a tunnel through the proxy, found " + describe(done.cause()),
                      done.cause());
                }
              });
    }
    if (engine != null) {
      SslHandler handler = new SslHandler(engine);
      handler.setHandshakeTimeoutMillis(0);
      made.pipeline().addLast(handler);
    }
    made.pipeline().addLast(connection);
  }

  private void timedOut(GrpcConnection connection) {
    if (trying != connection) {
      return;
    }
    Channel open = channel;
    failed(
        "expected a connection to " + endpoint + " within " + timeoutMillis + " ms, found none",
        null);
    if (open != null) {
      open.close();
    }
  }

  private SSLEngine engine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine(endpoint.host(), endpoint.port());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    // Without it the JDK does not compare the host's name with the certificate's.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }
}
