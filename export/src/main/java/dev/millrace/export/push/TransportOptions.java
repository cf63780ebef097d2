package dev.millrace.export.push;

import dev.millrace.bytes.ChunkPool;
import java.net.URI;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a transport of a {@link TransportProvider} sends to, and how. Immutable.
 *
 * <pre>{@code
 * TransportOptions options =
 *     TransportOptions.to(URI.create("http://localhost:4317"), pool).withGzip(true);
 * assert options.gzip() && options.headers().isEmpty();
 * }</pre>
 *
 * @param endpoint {@code http://host:port} or {@code https://host:port}; a path is ignored
 * @param headers sent with each request, by name; names in any case
 * @param headerSupplier asked for more headers with each request, by the thread that sends; they
 *     win over {@code headers} of the same name. {@code null} for none
 * @param gzip whether requests are compressed
 * @param userAgent who sends, as {@code product/version} tokens (RFC 9110 section 10.1.5); the
 *     transport appends itself. May be empty
 * @param connection how connections are made
 * @param pool gives the memory for compressed requests
 */
public record TransportOptions(
    URI endpoint,
    Map<String, String> headers,
    @Nullable Supplier<Map<String, String>> headerSupplier,
    boolean gzip,
    String userAgent,
    ConnectionOptions connection,
    ChunkPool pool) {
  /** Checks the endpoint, and copies the headers. */
  public TransportOptions {
    requireEndpoint(endpoint);
    if (endpoint.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "endpoint: expected no user information, found some; send a password as a header");
    }
    headers = Map.copyOf(headers);
  }

  /**
   * Checks that an endpoint has a scheme, a host and a port that a transport can connect to.
   *
   * @throws IllegalArgumentException if it has not
   */
  public static void requireEndpoint(URI endpoint) {
    String scheme = endpoint.getScheme();
    boolean known = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
    if (!known || endpoint.getHost() == null) {
      throw new IllegalArgumentException(
          "endpoint: expected http://host:port or https://host:port, found scheme "
              + scheme
              + " and host "
              + endpoint.getHost()
              + "; host names have letters, digits, dots and hyphens");
    }
    if (endpoint.getPort() == 0 || endpoint.getPort() > ConnectionOptions.MAX_PORT) {
      throw new IllegalArgumentException(
          "endpoint: expected a port from 1 to "
              + ConnectionOptions.MAX_PORT
              + ", found "
              + endpoint.getPort());
    }
  }

  /** To one place, uncompressed, without headers. */
  public static TransportOptions to(URI endpoint, ChunkPool pool) {
    return new TransportOptions(
        endpoint, Map.of(), null, false, "", ConnectionOptions.defaults(), pool);
  }

  /** Whether connections are encrypted, which the endpoint's scheme says. */
  public boolean encrypted() {
    return "https".equalsIgnoreCase(endpoint.getScheme());
  }

  /** These options with other {@link #headers()}. */
  public TransportOptions withHeaders(Map<String, String> headers) {
    return with(draft -> draft.headers = headers);
  }

  /** These options with another {@link #headerSupplier()}. */
  public TransportOptions withHeaderSupplier(
      @Nullable Supplier<Map<String, String>> headerSupplier) {
    return with(draft -> draft.headerSupplier = headerSupplier);
  }

  /** These options with another {@link #gzip()}. */
  public TransportOptions withGzip(boolean gzip) {
    return with(draft -> draft.gzip = gzip);
  }

  /** These options with another {@link #userAgent()}. */
  public TransportOptions withUserAgent(String userAgent) {
    return with(draft -> draft.userAgent = userAgent);
  }

  /** These options with another {@link #connection()}. */
  public TransportOptions withConnection(ConnectionOptions connection) {
    return with(draft -> draft.connection = connection);
  }

  /** Without what may be secret: of the headers only how many there are. */
  @Override
  public String toString() {
    return "TransportOptions[endpoint="
        + endpoint.getScheme()
        + "://"
        + endpoint.getHost()
        + ":"
        + endpoint.getPort()
        + ", headers="
        + headers.size()
        + ", gzip="
        + gzip
        + ", userAgent="
        + userAgent
        + ", connection="
        + connection
        + "]";
  }

  /** These options while one of them changes. */
  private static final class Draft {
    final URI endpoint;
    Map<String, String> headers;
    @Nullable Supplier<Map<String, String>> headerSupplier;
    boolean gzip;
    String userAgent;
    ConnectionOptions connection;
    final ChunkPool pool;

    Draft(TransportOptions from) {
      endpoint = from.endpoint;
      headers = from.headers;
      headerSupplier = from.headerSupplier;
      gzip = from.gzip;
      userAgent = from.userAgent;
      connection = from.connection;
      pool = from.pool;
    }

    TransportOptions finished() {
      return new TransportOptions(
          endpoint, headers, headerSupplier, gzip, userAgent, connection, pool);
    }
  }

  private TransportOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }
}
