package dev.millrace.export.http;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Posts payloads over HTTP/1.1 with the JDK's client.
 *
 * <p>The reply is read up to {@link SendResult#MAX_BODY_BYTES}; of a longer one the connection is
 * closed. Redirects are not followed. Each new connection resolves the host's name (the JVM keeps
 * names as its security property {@code networkaddress.cache.ttl} says, 30 seconds by default) and
 * uses the certificates that the files hold then. Where a kept connection turns out to be closed,
 * the payload is sent once more at once.
 *
 * <p><b>Ownership.</b> A payload stays the caller's. Its chunks are written to the socket as they
 * are; if a send is aborted half-way, one or two of them go back to their pool only when the JDK's
 * client has let go of them, after the next garbage collection.
 *
 * <p>Thread-safe. Three daemon threads, and the JDK client's own.
 *
 * <pre>{@code
 * try (HttpTransport transport =
 *     new HttpTransport(
 *         HttpTransportOptions.to(URI.create("http://collector:4318/v1/logs"), "application/x-protobuf"),
 *         pool)) {
 *   assert transport.name().equals("http://collector:4318");
 * }
 * }</pre>
 */
public final class HttpTransport implements Transport {
  private final HttpTransportOptions options;
  private final LongSupplier timeOfDayMillis;
  private final DaemonThreads threads;
  private final GzipBodies gzip;
  private final Quarantine quarantine = new Quarantine();
  private final Set<HttpExchange> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable HttpClient client;

  /** Whether a connection of before may be used again: only then can it have been closed. */
  private volatile boolean answeredBefore;

  /**
   * A transport on the system's time of day, which dates in {@code Retry-After} are compared to.
   *
   * @param pool for compressed bodies
   * @throws UncheckedIOException if a file of the TLS options cannot be read
   * @throws IllegalArgumentException if such a file holds something else than expected
   */
  public HttpTransport(HttpTransportOptions options, ChunkPool pool) {
    this(options, pool, System::currentTimeMillis);
  }

  /**
   * A transport on another time of day.
   *
   * @param timeOfDayMillis milliseconds since 1970
   */
  public HttpTransport(HttpTransportOptions options, ChunkPool pool, LongSupplier timeOfDayMillis) {
    this.options = options;
    this.timeOfDayMillis = timeOfDayMillis;
    gzip = new GzipBodies(pool);
    HttpConnection connection = options.connection();
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofMillis(connection.connectTimeoutMillis()));
    if (connection.proxy() != null) {
      builder.proxy(connection.proxy());
    }
    if (options.uri().getScheme().toLowerCase(Locale.ROOT).equals("https")) {
      builder.sslContext(connection.tls().sslContext(options.problems()));
    }
    threads = new DaemonThreads("millrace-http " + options.name());
    client = builder.executor(threads.workers()).build();
  }

  @Override
  public void send(Payload payload, long deadlineNanos, Completion done) {
    send(payload, Map.of(), deadlineNanos, done);
  }

  /**
   * As {@link #send(Payload, long, Completion)}, for payloads of several kinds.
   *
   * @param bodyHeaders what the headers say of this payload, such as its content type; they win
   *     over all others
   */
  public void send(
      Payload payload, Map<String, String> bodyHeaders, long deadlineNanos, Completion done) {
    Payload compressed = options.gzip() ? gzip.compressed(payload) : null;
    HttpExchange exchange = new HttpExchange(this, payload, compressed, bodyHeaders, done);
    underWay.add(exchange);
    exchange.start(deadlineNanos);
  }

  @Override
  public String name() {
    return options.name();
  }

  @Override
  public void close() {
    client = null;
    for (HttpExchange exchange : underWay) {
      exchange.abort();
    }
    threads.close();
  }

  HttpTransportOptions options() {
    return options;
  }

  DaemonThreads threads() {
    return threads;
  }

  Quarantine quarantine() {
    return quarantine;
  }

  /** The client, or {@code null} after close. */
  @Nullable HttpClient client() {
    return client;
  }

  boolean answeredBefore() {
    return answeredBefore;
  }

  void answered() {
    answeredBefore = true;
  }

  void ended(HttpExchange exchange) {
    underWay.remove(exchange);
  }

  long timeOfDayMillis() {
    return timeOfDayMillis.getAsLong();
  }

  /**
   * The request for a body.
   *
   * @throws IllegalArgumentException if a header cannot be sent; the message shows no value
   */
  HttpRequest request(
      BodyPublisher body, Map<String, String> headers, Map<String, String> bodyHeaders) {
    HttpRequest.Builder request = HttpRequest.newBuilder(options.uri()).POST(body);
    setAll(request, headers);
    request.setHeader("Content-Type", options.contentType());
    request.setHeader("User-Agent", UserAgent.TEXT);
    if (options.gzip()) {
      request.setHeader("Content-Encoding", "gzip");
    }
    setAll(request, bodyHeaders);
    return request.build();
  }

  private static void setAll(HttpRequest.Builder request, Map<String, String> headers) {
    for (Map.Entry<String, String> header : headers.entrySet()) {
      try {
        request.setHeader(header.getKey(), header.getValue());
      } catch (IllegalArgumentException e) {
        // The JDK's message shows the value, which may be a secret, so it is not kept as the cause.
        throw new IllegalArgumentException(
            "header "
                + header.getKey()
                + ": expected a name and a value that HTTP can carry and the client lets one set,"
                + " found another");
      }
    }
  }
}
