package dev.millrace.export.push;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a transport makes its connections. Immutable.
 *
 * <pre>{@code
 * assert ConnectionOptions.defaults().connectTimeoutMillis() == 10_000;
 * }</pre>
 *
 * @param sslContext encrypts the connections of an {@code https} endpoint, each with a new engine,
 *     so that one whose files are read again is heeded by the next connection; {@code null} for the
 *     authorities that the JDK trusts, and no certificate of ours
 * @param proxy an HTTP proxy that is asked for a tunnel ({@code CONNECT}), best unresolved so that
 *     its name is resolved for each connection; {@code null} for none
 * @param connectTimeoutMillis how long one address is tried at most, until it can take requests, 1
 *     to 86,400,000; a send that has to wait for it gives up at its own deadline, too
 */
public record ConnectionOptions(
    @Nullable SSLContext sslContext, @Nullable InetSocketAddress proxy, int connectTimeoutMillis) {
  /** The highest port that there is; addresses with a higher one are refused. */
  public static final int MAX_PORT = 65_535;

  /** A day: longer waits are mistakes. */
  private static final int MAX_TIMEOUT_MILLIS = 86_400_000;

  /** As long as the whole export may take by the specification's default. */
  private static final int DEFAULT_TIMEOUT_MILLIS = 10_000;

  /** Checks the bounds. */
  public ConnectionOptions {
    if (connectTimeoutMillis < 1 || connectTimeoutMillis > MAX_TIMEOUT_MILLIS) {
      throw new IllegalArgumentException(
          "connectTimeoutMillis: expected 1 to "
              + MAX_TIMEOUT_MILLIS
              + ", found "
              + connectTimeoutMillis);
    }
  }

  /** The JDK's authorities, no proxy, 10 seconds. */
  public static ConnectionOptions defaults() {
    return new ConnectionOptions(null, null, DEFAULT_TIMEOUT_MILLIS);
  }

  /** These options with another {@link #sslContext()}. */
  public ConnectionOptions withSslContext(@Nullable SSLContext sslContext) {
    return new ConnectionOptions(sslContext, proxy, connectTimeoutMillis);
  }

  /** These options with another {@link #proxy()}. */
  public ConnectionOptions withProxy(@Nullable InetSocketAddress proxy) {
    return new ConnectionOptions(sslContext, proxy, connectTimeoutMillis);
  }

  /** These options with another {@link #connectTimeoutMillis()}. */
  public ConnectionOptions withConnectTimeoutMillis(int connectTimeoutMillis) {
    return new ConnectionOptions(sslContext, proxy, connectTimeoutMillis);
  }
}
