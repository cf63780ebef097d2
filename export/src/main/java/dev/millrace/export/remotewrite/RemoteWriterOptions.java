package dev.millrace.export.remotewrite;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.http.HttpTransportOptions;
import dev.millrace.format.remotewrite.RemoteWriteEncodingOptions;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.model.Problems;
import java.net.URI;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a {@link RemoteWriter} sends where, and how. Immutable; every value is checked when it is
 * given.
 *
 * <pre>{@code
 * RemoteWriterOptions options =
 *     RemoteWriterOptions.to(URI.create("http://mimir:8080/api/v1/push"))
 *         .withHeaders(HeaderSource.of(Map.of("X-Scope-OrgID", "shop")));
 * assert options.versions() == VersionPolicy.V2_THEN_V1;
 * }</pre>
 *
 * @param endpoint where to; scheme {@code http} or {@code https}, with a host, without user
 *     information and fragment
 * @param encoding what requests hold, how large they get, and over how many shards series are
 *     spread; its version is the writer's to choose
 * @param versions which messages are sent
 * @param headers further headers, such as for authentication; {@code Content-Type}, {@code
 *     Content-Encoding}, {@code X-Prometheus-Remote-Write-Version} and {@code User-Agent} are the
 *     writer's, whatever the source gives
 * @param connection TLS, proxy and how long connecting may take
 * @param delivery times and attempts
 * @param queue what may wait, and where
 * @param problems counts what was lost, and logs the receiver's reasons once a minute
 */
public record RemoteWriterOptions(
    URI endpoint,
    RemoteWriteEncodingOptions encoding,
    VersionPolicy versions,
    HeaderSource headers,
    HttpConnection connection,
    RemoteWriteDelivery delivery,
    RemoteWriteQueue queue,
    Problems problems) {
  /** Checks the endpoint. */
  public RemoteWriterOptions {
    HttpTransportOptions unused =
        HttpTransportOptions.to(endpoint, RemoteWriteVersion.V1.contentType());
  }

  /** So many requests are under way at most: the distance to a receiver need not slow it down. */
  private static final int DEFAULT_SHARDS = 4;

  /** The defaults of all the parts, four shards, 2.0 with a fallback, no further headers. */
  public static RemoteWriterOptions to(URI endpoint) {
    return new RemoteWriterOptions(
        endpoint,
        RemoteWriteEncodingOptions.DEFAULT.withLimits(
            RemoteWriteLimits.DEFAULT.withShards(DEFAULT_SHARDS)),
        VersionPolicy.V2_THEN_V1,
        HeaderSource.of(Map.of()),
        HttpConnection.defaults(),
        RemoteWriteDelivery.defaults(),
        RemoteWriteQueue.defaults(),
        new Problems());
  }

  /** These options with another {@link #encoding()}. */
  public RemoteWriterOptions withEncoding(RemoteWriteEncodingOptions encoding) {
    return with(draft -> draft.encoding = encoding);
  }

  /** These options with other {@link #versions()}. */
  public RemoteWriterOptions withVersions(VersionPolicy versions) {
    return with(draft -> draft.versions = versions);
  }

  /** These options with other {@link #headers()}. */
  public RemoteWriterOptions withHeaders(HeaderSource headers) {
    return with(draft -> draft.headers = headers);
  }

  /** These options with another {@link #connection()}. */
  public RemoteWriterOptions withConnection(HttpConnection connection) {
    return with(draft -> draft.connection = connection);
  }

  /** These options with another {@link #delivery()}. */
  public RemoteWriterOptions withDelivery(RemoteWriteDelivery delivery) {
    return with(draft -> draft.delivery = delivery);
  }

  /** These options with another {@link #queue()}. */
  public RemoteWriterOptions withQueue(RemoteWriteQueue queue) {
    return with(draft -> draft.queue = queue);
  }

  /** These options with other {@link #problems()}. */
  public RemoteWriterOptions withProblems(Problems problems) {
    return with(draft -> draft.problems = problems);
  }

  /** Without the address's path and query, and without headers, which may be secrets. */
  @Override
  public String toString() {
    return "RemoteWriterOptions["
        + endpoint.getScheme()
        + "://"
        + endpoint.getHost()
        + ":"
        + endpoint.getPort()
        + ", versions="
        + versions
        + ", delivery="
        + delivery
        + ", queue="
        + queue
        + "]";
  }

  /** These options while one of them changes. */
  private static final class Draft {
    final URI endpoint;
    RemoteWriteEncodingOptions encoding;
    VersionPolicy versions;
    HeaderSource headers;
    HttpConnection connection;
    RemoteWriteDelivery delivery;
    RemoteWriteQueue queue;
    Problems problems;

    Draft(RemoteWriterOptions from) {
      endpoint = from.endpoint;
      encoding = from.encoding;
      versions = from.versions;
      headers = from.headers;
      connection = from.connection;
      delivery = from.delivery;
      queue = from.queue;
      problems = from.problems;
    }

    RemoteWriterOptions finished() {
      return new RemoteWriterOptions(
          endpoint, encoding, versions, headers, connection, delivery, queue, problems);
    }
  }

  private RemoteWriterOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }
}
