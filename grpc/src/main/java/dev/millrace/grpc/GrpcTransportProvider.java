package dev.millrace.grpc;

import dev.millrace.export.push.Transport;
import dev.millrace.export.push.TransportOptions;
import dev.millrace.export.push.TransportProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes {@link GrpcTransport}s for whoever asks for the protocol {@code grpc}. Transports that are
 * made together share one connection and one thread. Thread-safe.
 */
public final class GrpcTransportProvider implements TransportProvider {
  /** For the service loader. */
  public GrpcTransportProvider() {}

  @Override
  public String protocol() {
    return "grpc";
  }

  @Override
  public List<Transport> create(TransportOptions options, List<String> methods) {
    List<RequestHeaders> headers = new ArrayList<>(methods.size());
    for (String method : methods) {
      headers.add(new RequestHeaders(options, method));
    }
    GrpcClient client = new GrpcClient(options, methods.size());
    List<Transport> transports = new ArrayList<>(methods.size());
    for (RequestHeaders each : headers) {
      transports.add(new GrpcTransport(options, client, each));
    }
    return transports;
  }
}
