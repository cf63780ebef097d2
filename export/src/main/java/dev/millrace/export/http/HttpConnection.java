package dev.millrace.export.http;

import dev.millrace.export.tls.ClientTls;
import dev.millrace.export.tls.Tls;
import java.net.ProxySelector;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link HttpTransport} connects. Immutable.
 *
 * @param tls for {@code https}
 * @param proxy chooses proxies; {@code null} for the JVM's own choice, which follows the system
 *     properties {@code http.proxyHost}, {@code https.proxyHost} and so on
 * @param connectTimeoutMillis how long connecting may take, 1 to {@link #MAX_MILLIS}; the deadline
 *     of a send holds beside it
 */
public record HttpConnection(
    ClientTls tls, @Nullable ProxySelector proxy, long connectTimeoutMillis) {
  /** A day: longer waits are mistakes, such as nanoseconds given for milliseconds. */
  public static final long MAX_MILLIS = 86_400_000;

  /** The whole time that an export has by OTLP's specification. */
  private static final long DEFAULT_CONNECT_TIMEOUT_MILLIS = 10_000;

  /** Checks the bounds. */
  public HttpConnection {
    if (connectTimeoutMillis < 1 || connectTimeoutMillis > MAX_MILLIS) {
      throw new IllegalArgumentException(
          "connectTimeoutMillis: expected 1 to " + MAX_MILLIS + ", found " + connectTimeoutMillis);
    }
  }

  /** The JDK's trust store, the JVM's proxies, 10 seconds to connect. */
  public static HttpConnection defaults() {
    return new HttpConnection(Tls.client(), null, DEFAULT_CONNECT_TIMEOUT_MILLIS);
  }

  /** The same with another {@link #tls()}. */
  public HttpConnection withTls(ClientTls tls) {
    return new HttpConnection(tls, proxy, connectTimeoutMillis);
  }

  /** The same with another {@link #proxy()}. */
  public HttpConnection withProxy(@Nullable ProxySelector proxy) {
    return new HttpConnection(tls, proxy, connectTimeoutMillis);
  }

  /** The same with another {@link #connectTimeoutMillis()}. */
  public HttpConnection withConnectTimeoutMillis(long connectTimeoutMillis) {
    return new HttpConnection(tls, proxy, connectTimeoutMillis);
  }
}
