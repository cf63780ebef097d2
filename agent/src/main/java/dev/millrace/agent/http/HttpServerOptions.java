package dev.millrace.agent.http;

import dev.millrace.export.tls.Tls;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens, and the bounds on its connections. Immutable.
 *
 * @param name what messages call the server, such as {@code receivers: otlp}
 * @param host an IP address without brackets or a host name
 * @param port 1 to 65535, or 0 for any free one
 * @param maxConnections how many connections are open at once at most; further ones are closed as
 *     soon as they are accepted
 * @param idleMillis how long a connection may be open without a whole request head
 * @param requestMillis how long a request's body may take to arrive after its head
 * @param stallMillis how long a reply may make no progress, which is 64 KiB or its end
 * @param replyMillis how long a reply may take in all
 * @param tls what encrypts connections; null if nothing does
 */
public record HttpServerOptions(
    String name,
    String host,
    int port,
    int maxConnections,
    long idleMillis,
    long requestMillis,
    long stallMillis,
    long replyMillis,
    @Nullable Tls tls) {
  /** A host with a thousand short-lived JVMs, each with a connection of its own. */
  public static final int DEFAULT_MAX_CONNECTIONS = 1_024;

  /** As the OpenTelemetry Collector: a client that exports each minute keeps its connection. */
  public static final long DEFAULT_IDLE_MILLIS = 65_000;

  /** 20 MiB at 3 Mbit/s; a client that is slower gives up on the request before we do. */
  public static final long DEFAULT_REQUEST_MILLIS = 60_000;

  /** Three times Prometheus' own patience of 10 seconds. */
  public static final long DEFAULT_STALL_MILLIS = 30_000;

  /** The longest scrape interval in common use; whoever is slower is scraped by no schedule. */
  public static final long DEFAULT_REPLY_MILLIS = 60_000;

  /** Checks the bounds. */
  public HttpServerOptions {
    atLeastOne("maxConnections", maxConnections);
    atLeastOne("idleMillis", idleMillis);
    atLeastOne("requestMillis", requestMillis);
    atLeastOne("stallMillis", stallMillis);
    atLeastOne("replyMillis", replyMillis);
  }

  /** The default bounds. */
  public static HttpServerOptions of(String name, String host, int port) {
    return new HttpServerOptions(
        name,
        host,
        port,
        DEFAULT_MAX_CONNECTIONS,
        DEFAULT_IDLE_MILLIS,
        DEFAULT_REQUEST_MILLIS,
        DEFAULT_STALL_MILLIS,
        DEFAULT_REPLY_MILLIS,
        null);
  }

  /** The same with another bound on connections. */
  public HttpServerOptions withMaxConnections(int maxConnections) {
    return new HttpServerOptions(
        name, host, port, maxConnections, idleMillis, requestMillis, stallMillis, replyMillis, tls);
  }

  /** The same with another {@link #idleMillis}. */
  public HttpServerOptions withIdleMillis(long idleMillis) {
    return new HttpServerOptions(
        name, host, port, maxConnections, idleMillis, requestMillis, stallMillis, replyMillis, tls);
  }

  /** The same with another {@link #requestMillis}. */
  public HttpServerOptions withRequestMillis(long requestMillis) {
    return new HttpServerOptions(
        name, host, port, maxConnections, idleMillis, requestMillis, stallMillis, replyMillis, tls);
  }

  /** The same with another {@link #stallMillis}. */
  public HttpServerOptions withStallMillis(long stallMillis) {
    return new HttpServerOptions(
        name, host, port, maxConnections, idleMillis, requestMillis, stallMillis, replyMillis, tls);
  }

  /** The same with another {@link #replyMillis}. */
  public HttpServerOptions withReplyMillis(long replyMillis) {
    return new HttpServerOptions(
        name, host, port, maxConnections, idleMillis, requestMillis, stallMillis, replyMillis, tls);
  }

  /** The same with connections encrypted, or not. */
  public HttpServerOptions withTls(@Nullable Tls tls) {
    return new HttpServerOptions(
        name, host, port, maxConnections, idleMillis, requestMillis, stallMillis, replyMillis, tls);
  }

  /** The address as a configuration file has it. */
  public String endpoint() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }

  private static void atLeastOne(String field, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(field + ": expected 1 or more, found " + value);
    }
  }
}
