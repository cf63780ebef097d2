package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.http.HttpTransport;
import dev.millrace.export.http.HttpTransportOptions;
import dev.millrace.export.push.ConnectionOptions;
import dev.millrace.export.push.Transport;
import dev.millrace.export.push.TransportOptions;
import dev.millrace.export.push.TransportProvider;
import dev.millrace.format.otlp.OtlpJsonWriter;
import dev.millrace.format.otlp.OtlpMetricsEncoder;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.model.Problems;
import dev.millrace.opentelemetry.self.SuppressedTransport;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Makes the transport that an exporter's protocol needs. */
final class Transports {
  private Transports() {}

  /**
   * Makes a transport; it connects to nothing yet.
   *
   * @throws IllegalArgumentException if the protocol's library is missing, or an option cannot be
   *     used
   * @throws java.io.UncheckedIOException if a file of TLS cannot be read
   */
  static Transport transport(
      OtlpSignal signal, OtlpExporterBuilder options, URI endpoint, ChunkPool pool) {
    Transport transport =
        switch (options.protocol) {
          case GRPC -> grpc(signal, options, endpoint, pool);
          case HTTP_PROTOBUF -> http(options, endpoint, OtlpMetricsEncoder.CONTENT_TYPE, pool);
          case HTTP_JSON ->
              new JsonTransport(
                  http(options, endpoint, OtlpJsonWriter.CONTENT_TYPE, pool), pool, signal);
        };
    return new SuppressedTransport(transport);
  }

  private static Transport http(
      OtlpExporterBuilder options, URI endpoint, String contentType, ChunkPool pool) {
    return new HttpTransport(
        HttpTransportOptions.to(endpoint, contentType)
            .withGzip(options.gzip)
            .withHeaders(options.headers)
            .withConnection(options.connection)
            .withProblems(options.problems()),
        pool);
  }

  private static Transport grpc(
      OtlpSignal signal, OtlpExporterBuilder options, URI endpoint, ChunkPool pool) {
    HeaderSource headers = options.headers;
    TransportOptions transport =
        TransportOptions.to(endpoint, pool)
            .withGzip(options.gzip)
            .withHeaderSupplier(headers::headers)
            .withConnection(connection(options.connection, endpoint, options.problems()));
    return provider(OtlpProtocol.GRPC.text()).create(transport, List.of(grpcMethod(signal))).get(0);
  }

  private static TransportProvider provider(String protocol) {
    for (TransportProvider provider :
        ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader())) {
      if (provider.protocol().equals(protocol)) {
        return provider;
      }
    }
    throw new IllegalArgumentException(
        "protocol grpc: expected dev.millrace:millrace-grpc beside"
            + " dev.millrace:millrace-opentelemetry, found it missing; add it, or use"
            + " http/protobuf");
  }

  private static ConnectionOptions connection(
      HttpConnection connection, URI endpoint, Problems problems) {
    ConnectionOptions options =
        ConnectionOptions.defaults()
            .withProxy(proxy(connection.proxy(), endpoint))
            .withConnectTimeoutMillis((int) connection.connectTimeoutMillis());
    return "https".equalsIgnoreCase(endpoint.getScheme())
        ? options.withSslContext(connection.tls().sslContext(problems))
        : options;
  }

  private static @Nullable InetSocketAddress proxy(@Nullable ProxySelector selector, URI endpoint) {
    ProxySelector of = selector == null ? ProxySelector.getDefault() : selector;
    if (of == null) {
      return null;
    }
    for (Proxy proxy : of.select(endpoint)) {
      SocketAddress address = proxy.address();
      if (proxy.type() == Proxy.Type.HTTP && address instanceof InetSocketAddress inet) {
        return InetSocketAddress.createUnresolved(inet.getHostString(), inet.getPort());
      }
    }
    return null;
  }

  private static String grpcMethod(OtlpSignal signal) {
    return switch (signal) {
      case TRACES -> "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
      case METRICS -> "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
      case LOGS -> "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
    };
  }
}
