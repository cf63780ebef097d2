package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.http.HttpTransport;
import dev.millrace.export.http.HttpTransportOptions;
import dev.millrace.export.http.RetryableStatuses;
import dev.millrace.export.push.Transport;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Posts requests with the headers of their version. */
final class HttpRequestTransport implements RequestTransport {
  private final String name;
  private final Map<RemoteWriteVersion, Transport> transports =
      new EnumMap<>(RemoteWriteVersion.class);

  /**
   * A transport of the options' endpoint.
   *
   * @param wrapper makes of each version's transport the one that is used, which closes it
   */
  HttpRequestTransport(
      RemoteWriterOptions options, ChunkPool pool, UnaryOperator<Transport> wrapper) {
    HttpTransport http =
        new HttpTransport(
            HttpTransportOptions.to(options.endpoint(), RemoteWriteVersion.V1.contentType())
                .withHeaders(options.headers())
                .withStatuses(
                    RetryableStatuses.remoteWrite(options.delivery().retryTooManyRequests()))
                .withConnection(options.connection())
                .withReplyHeaders(Written.HEADERS)
                .withProblems(options.problems()),
            pool);
    name = http.name();
    for (RemoteWriteVersion version : RemoteWriteVersion.values()) {
      transports.put(version, wrapper.apply(new OneVersion(http, headersOf(version))));
    }
  }

  private static Map<String, String> headersOf(RemoteWriteVersion version) {
    return Map.of(
        "Content-Type",
        version.contentType(),
        "Content-Encoding",
        "snappy",
        "X-Prometheus-Remote-Write-Version",
        version.version());
  }

  /** Sends one version; both share the connections. */
  private record OneVersion(HttpTransport http, Map<String, String> headers) implements Transport {
    @Override
    public void send(Payload payload, long deadlineNanos, Completion done) {
      http.send(payload, headers, deadlineNanos, done);
    }

    @Override
    public String name() {
      return http.name();
    }

    @Override
    public void close() {
      http.close();
    }
  }

  @Override
  public void send(
      Payload request, RemoteWriteVersion version, long deadlineNanos, Transport.Completion done) {
    Transport transport = transports.get(version);
    if (transport == null) {
      throw new IllegalStateException("expected a transport of " + version + ", found none");
    }
    transport.send(request, deadlineNanos, done);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void close() {
    transports.values().forEach(Transport::close);
  }
}
