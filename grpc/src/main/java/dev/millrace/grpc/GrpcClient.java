package dev.millrace.grpc;

import dev.millrace.export.push.TransportOptions;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What the transports to one endpoint share: the thread, the connection, the calls that wait for
 * one, and the clock that ends them. Only {@link #send}, {@link #release} and {@link #name} may be
 * called from any thread; everything else is the event loop's.
 */
final class GrpcClient {
  private static final long CLOSE_MILLIS = 1_000;

  private static final int PAGE_BYTES = 8 * 1024;

  /** 256 KiB: the smallest piece of pooled memory that holds several frames of 16 KiB. */
  private static final int MAX_ORDER = 5;

  private static final int CACHED_BUFFERS = 16;

  private final Endpoint endpoint;
  private final @Nullable InetSocketAddress proxy;
  private final @Nullable SSLContext tls;
  private final int connectTimeoutMillis;

  private final Object lock = new Object();
  // Under the lock.
  private int openTransports;
  private @Nullable EventLoop startedLoop;

  // The event loop's.
  private @Nullable ByteBufAllocator allocator;
  private @Nullable GrpcConnection current;
  private @Nullable Connector connecting;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final Runnable serveWaiting = this::serveWaiting;
  private boolean servePlanned;
  private @Nullable Call firstCall;
  private @Nullable ScheduledFuture<?> timer;
  private long timerNanos;
  private String lastFailure = "";
  private boolean closed;

  GrpcClient(TransportOptions options, int transports) {
    endpoint = Endpoint.of(options.endpoint());
    proxy = options.connection().proxy();
    connectTimeoutMillis = options.connection().connectTimeoutMillis();
    openTransports = transports;
    tls = options.encrypted() ? context(options) : null;
  }

  private static SSLContext context(TransportOptions options) {
    SSLContext given = options.connection().sslContext();
    if (given != null) {
      return given;
    }
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalArgumentException(
          "expected a JDK whose own authorities can be used, found one without", e);
    }
  }

  String name() {
    return endpoint.toString();
  }

  /** Hands a call to the event loop; where all transports are closed it ends here. */
  void send(Call call) {
    // Under the lock, so that no call comes after the task that ends them all.
    synchronized (lock) {
      if (openTransports > 0) {
        loop().execute(call);
        return;
      }
    }
    call.finish(Results.closed());
  }

  private EventLoop loop() {
    EventLoop loop = startedLoop;
    if (loop == null) {
      // A group would end with a thread of Netty's own, which would keep the JVM for a second.
      loop =
          new SingleThreadIoEventLoop(
              null, new DefaultThreadFactory("millrace-grpc", true), NioIoHandler.newFactory());
      startedLoop = loop;
    }
    return loop;
  }

  /** Ends one transport's calls, and with the last transport everything. */
  void release(GrpcTransport transport) {
    EventLoop loop;
    boolean last;
    synchronized (lock) {
      last = --openTransports == 0;
      loop = startedLoop;
      if (loop == null) {
        return;
      }
      loop.execute(() -> endCalls(transport, last, loop));
    }
    if (last && !loop.inEventLoop()) {
      loop.terminationFuture().awaitUninterruptibly(CLOSE_MILLIS);
    }
  }

  private void endCalls(GrpcTransport transport, boolean last, EventLoop loop) {
    closed = closed || last;
    Call call = firstCall;
    while (call != null) {
      if (last || call.owner() == transport) {
        call.finish(Results.closed());
        // Its completion may have ended others, too.
        call = firstCall;
      } else {
        call = call.next;
      }
    }
    if (last) {
      Connector connector = connecting;
      connecting = null;
      if (connector != null) {
        connector.cancel();
      }
      GrpcConnection connection = current;
      if (connection != null) {
        connection.leave();
      }
      // Not before: a loop that shuts down closes its connections before it runs its tasks.
      var unused = loop.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  void begin(Call call) {
    if (closed) {
      call.finish(Results.closed());
      return;
    }
    Call before = firstCall;
    call.next = before;
    if (before != null) {
      before.previous = call;
    }
    firstCall = call;
    call.listed = true;
    long now = System.nanoTime();
    if (call.deadlineNanos() - now <= 0) {
      timeOut(call);
      return;
    }
    arm(call.deadlineNanos(), now);
    place(call, now);
  }

  void forget(Call call) {
    if (!call.listed) {
      return;
    }
    call.listed = false;
    Call previous = call.previous;
    Call next = call.next;
    if (previous == null) {
      firstCall = next;
    } else {
      previous.next = next;
    }
    if (next != null) {
      next.previous = previous;
    }
    call.previous = null;
    call.next = null;
    if (call.connection() == null) {
      waiting.remove(call);
    }
  }

  private void place(Call call, long nowNanos) {
    if (call.isLongerThan(Integer.MAX_VALUE - ReplyMessage.PREFIX_BYTES)) {
      call.finish(Results.tooLong());
      return;
    }
    GrpcConnection connection = current;
    if (connection != null
        && connection.takesCalls()
        && waiting.isEmpty()
        && connection.hasRoom()) {
      connection.open(call, nowNanos);
      return;
    }
    waiting.add(call);
    connectIfNeeded();
  }

  private void connectIfNeeded() {
    GrpcConnection connection = current;
    if (closed || connecting != null || (connection != null && connection.takesCalls())) {
      return;
    }
    EventLoop loop;
    synchronized (lock) {
      loop = loop();
    }
    ByteBufAllocator buffers = allocator;
    if (buffers == null) {
      buffers = new Buffers();
      allocator = buffers;
    }
    Connector connector =
        new Connector(this, loop, buffers, endpoint, proxy, tls, connectTimeoutMillis);
    connecting = connector;
    connector.start();
  }

  /** Moves a call that the receiver has not looked at to the next stream, where it may. */
  boolean move(Call call) {
    if (closed || !call.move()) {
      return false;
    }
    waiting.addFirst(call);
    roomMade();
    return true;
  }

  void ready(GrpcConnection connection) {
    Connector connector = connecting;
    if (connector != null && connector.isTrying(connection)) {
      connector.succeeded();
      connecting = null;
      current = connection;
      lastFailure = "";
    }
  }

  void goesAway(GrpcConnection connection) {
    if (current == connection) {
      current = null;
      roomMade();
    }
  }

  void gone(GrpcConnection connection) {
    Connector connector = connecting;
    if (connector != null && connector.isTrying(connection)) {
      connector.failed(connection.reason(), connection.cause());
      return;
    }
    if (current == connection) {
      current = null;
      if (connection.hasServed()) {
        roomMade();
      } else {
        // Peers that hang up on every connection would be connected to without a pause.
        failWaiting(connection.reason(), connection.cause());
      }
    }
  }

  void connectFailed(String reason, @Nullable Throwable cause) {
    connecting = null;
    lastFailure = reason;
    failWaiting(reason, cause);
  }

  private void failWaiting(String reason, @Nullable Throwable cause) {
    // Only those that wait now: a completion may send again.
    for (int left = waiting.size(); left > 0; left--) {
      Call call = waiting.poll();
      if (call != null) {
        call.finish(Results.unavailable(reason, cause));
      }
    }
  }

  /** A stream ended, or the peer allows more: calls that wait are looked at soon. */
  void roomMade() {
    if (!servePlanned && !waiting.isEmpty()) {
      servePlanned = true;
      later(serveWaiting);
    }
  }

  /** Runs a task when what the event loop is at is over. */
  void later(Runnable task) {
    synchronized (lock) {
      loop().execute(task);
    }
  }

  private void serveWaiting() {
    servePlanned = false;
    long now = System.nanoTime();
    while (!waiting.isEmpty()) {
      GrpcConnection connection = current;
      if (connection == null || !connection.takesCalls()) {
        connectIfNeeded();
        return;
      }
      if (!connection.hasRoom()) {
        return;
      }
      Call call = waiting.removeFirst();
      if (!call.isFinished()) {
        connection.open(call, now);
      }
    }
  }

  /** Makes sure that deadlines are looked at by then. Later ones mostly cost nothing. */
  private void arm(long deadlineNanos, long nowNanos) {
    ScheduledFuture<?> armed = timer;
    if (armed != null) {
      if (timerNanos - deadlineNanos <= 0) {
        return;
      }
      armed.cancel(false);
    }
    timerNanos = deadlineNanos;
    synchronized (lock) {
      timer = loop().schedule(this::checkDeadlines, deadlineNanos - nowNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void checkDeadlines() {
    timer = null;
    long now = System.nanoTime();
    Call call = firstCall;
    while (call != null) {
      if (call.deadlineNanos() - now <= 0) {
        timeOut(call);
        // Its completion may have ended others, too.
        call = firstCall;
      } else {
        call = call.next;
      }
    }
    for (Call left = firstCall; left != null; left = left.next) {
      arm(left.deadlineNanos(), now);
    }
  }

  private void timeOut(Call call) {
    GrpcConnection on = call.connection();
    if (on == null) {
      call.finish(
          Results.timeout(
              "expected a connection to "
                  + endpoint
                  + " before the deadline, found none"
                  + (lastFailure.isEmpty() ? "" : "; the last one: " + lastFailure)));
      return;
    }
    call.finish(
        Results.timeout("expected a reply from " + endpoint + " before the deadline, found none"));
    on.timedOut(call);
  }

  /** A little memory for frames, with an arena for TLS, whose buffers are on the heap. */
  private static final class Buffers extends PooledByteBufAllocator {
    Buffers() {
      super(true, 1, 1, PAGE_BYTES, MAX_ORDER, CACHED_BUFFERS, CACHED_BUFFERS, true);
    }
  }
}
