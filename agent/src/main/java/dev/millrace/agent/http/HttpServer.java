package dev.millrace.agent.http;

import dev.millrace.export.tls.Tls;
import dev.millrace.model.Problems;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server on one address. Thread-safe.
 *
 * <p>Replies go out without waiting for one another's acknowledgement (TCP_NODELAY), so that a
 * kept-alive connection never stalls for the 40 ms of a delayed one.
 */
public final class HttpServer {
  /** How long sockets that were closed may take to be gone: the event loop has to look at them. */
  private static final long FORCED_CLOSE_MILLIS = 500;

  /** As long as a connection that is closed by force may take to say so to its peer. */
  private static final long CLOSE_NOTIFY_MILLIS = FORCED_CLOSE_MILLIS / 2;

  private final HttpServerOptions options;
  private final Endpoint endpoint;
  private final HttpProblems problems;
  private final HttpDate date = new HttpDate();
  private final ChannelGroup connections = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
  private volatile boolean stopping;
  private final @Nullable SSLContext tls;
  private @Nullable Channel listener;

  private HttpServer(HttpServerOptions options, Endpoint endpoint, Problems problems)
      throws IOException {
    this.options = options;
    this.endpoint = endpoint;
    this.problems = new HttpProblems(problems);
    this.tls = options.tls() == null ? null : context(options, options.tls(), problems);
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if it cannot, or a file of TLS cannot be used; the message names the
   *     address or the file, the reason and what to do
   */
  public static HttpServer start(
      HttpServerOptions options, Endpoint endpoint, HttpLoops loops, Problems problems)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (address.isUnresolved()) {
      throw new IOException(
          cannotListen(options)
              + "the host is not known; give an address of this machine, such as 127.0.0.1");
    }
    HttpServer server = new HttpServer(options, endpoint, problems);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops.group())
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.ALLOCATOR, loops.allocator())
            .childOption(ChannelOption.ALLOCATOR, loops.allocator())
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    server.accepted(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    Throwable cause = bound.cause();
    if (cause != null) {
      throw new IOException(cannotListen(options) + reason(options, cause), cause);
    }
    server.listener = bound.channel();
    return server;
  }

  /** The address that the server listens on, with the real port where 0 was asked for. */
  public InetSocketAddress localAddress() {
    Channel listening = listener;
    if (listening == null) {
      throw new IllegalStateException("expected a started server");
    }
    return (InetSocketAddress) listening.localAddress();
  }

  /** How many connections are open. */
  public int connectionCount() {
    return connections.size();
  }

  /**
   * Stops: accepts no more, closes what is idle, lets requests in progress finish until the
   * deadline, and closes what is left by force.
   *
   * @param timeoutMillis how long requests in progress may take
   * @return whether all of them finished
   */
  public boolean stop(long timeoutMillis) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    beginStop();
    return awaitStop(deadlineNanos);
  }

  /** Accepts no more and closes what is idle; waits for nothing. {@link #awaitStop} goes on. */
  public void beginStop() {
    stopping = true;
    Channel listening = listener;
    if (listening != null) {
      listening.close().awaitUninterruptibly(FORCED_CLOSE_MILLIS);
    }
    for (Channel channel : connections) {
      HttpConnection connection = channel.pipeline().get(HttpConnection.class);
      if (connection != null) {
        connection.closeWhenIdle();
      }
    }
  }

  /**
   * Lets requests in progress finish, and closes what is left by force.
   *
   * @param deadlineNanos on the clock of {@link System#nanoTime}
   * @return whether all requests finished
   */
  public boolean awaitStop(long deadlineNanos) {
    long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
    boolean finished =
        connections.newCloseFuture().awaitUninterruptibly(leftNanos, TimeUnit.NANOSECONDS);
    if (!finished) {
      connections.close().awaitUninterruptibly(FORCED_CLOSE_MILLIS);
    }
    return finished;
  }

  /** The open connections. */
  ChannelGroup connections() {
    return connections;
  }

  boolean isStopping() {
    return stopping;
  }

  HttpServerOptions options() {
    return options;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  HttpProblems problems() {
    return problems;
  }

  HttpDate date() {
    return date;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for these channels to be gone.
  private void accepted(SocketChannel channel) {
    if (stopping || connections.size() >= options.maxConnections()) {
      if (!stopping) {
        problems.tooManyConnections.add(
            1,
            () ->
                "expected at most "
                    + options.maxConnections()
                    + " open connections, found one more and closed it; keep connections alive"
                    + " and share them ("
                    + options.name()
                    + ")");
      }
      channel.close();
      return;
    }
    connections.add(channel);
    ReplyEncoder encoder = new ReplyEncoder();
    if (tls != null) {
      channel.pipeline().addLast(tlsHandler(tls));
    }
    channel.pipeline().addLast(new RequestDecoder(), encoder, new HttpConnection(this, encoder));
    if (stopping) {
      // Accepted while the server began to stop, maybe too late to be among those it closes.
      channel.close();
    }
  }

  private SslHandler tlsHandler(SSLContext tls) {
    SSLEngine engine = tls.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(options.tls() != null && options.tls().clientCertificateRequired());
    SslHandler handler = new SslHandler(engine);
    handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
    return handler;
  }

  private static SSLContext context(HttpServerOptions options, Tls tls, Problems problems)
      throws IOException {
    try {
      return tls.sslContext(problems);
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw new IOException(options.name() + ": tls: " + e.getMessage(), e);
    }
  }

  private static String cannotListen(HttpServerOptions options) {
    return options.name() + ": cannot listen on " + options.endpoint() + ": ";
  }

  private static String reason(HttpServerOptions options, Throwable cause) {
    String found = String.valueOf(cause.getMessage());
    if (cause instanceof BindException && found.contains("in use")) {
      return "port "
          + options.port()
          + " is in use by another program or another agent; stop that one, or set \"endpoint\" to"
          + " another port";
    }
    if (cause instanceof BindException && found.contains("assign")) {
      return options.host()
          + " is no address of this machine; set \"endpoint\" to one that is, such as 127.0.0.1";
    }
    if (found.contains("Permission denied")) {
      return "permission denied; set \"endpoint\" to a port from 1024 on, or let the user who runs"
          + " the agent use this one";
    }
    return found + "; set \"endpoint\" to an address and a port that are free";
  }
}
