package dev.millrace.export.push;

import java.util.List;

/**
 * Makes transports for one protocol, so that an exporter can use a protocol without depending on
 * the library that carries it. Found by {@link java.util.ServiceLoader}; has a constructor without
 * parameters, and no state.
 *
 * <pre>{@code
 * TransportProvider grpc =
 *     ServiceLoader.load(TransportProvider.class, TransportProvider.class.getClassLoader()).stream()
 *         .map(ServiceLoader.Provider::get)
 *         .filter(provider -> provider.protocol().equals("grpc"))
 *         .findFirst()
 *         .orElseThrow();
 * }</pre>
 */
public interface TransportProvider {
  /** The protocol, by the name that {@code OTEL_EXPORTER_OTLP_PROTOCOL} has for it. */
  String protocol();

  /**
   * Makes one transport for each method. They share what the protocol lets them share, such as the
   * connection and its thread; each is closed by itself, and the last one ends what they share.
   * Nothing is connected, and no thread is started, before the first send.
   *
   * @param options where to send to, and how
   * @param methods what is called there: for gRPC {@code /package.Service/Method}
   * @return the transports in the order of the methods
   * @throws IllegalArgumentException if an option cannot be used
   */
  List<Transport> create(TransportOptions options, List<String> methods);
}
