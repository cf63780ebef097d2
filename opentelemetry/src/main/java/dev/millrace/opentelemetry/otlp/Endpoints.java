package dev.millrace.opentelemetry.otlp;

import dev.millrace.export.push.TransportOptions;
import dev.millrace.format.otlp.OtlpSignal;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where each signal goes to (OpenTelemetry specification, "OpenTelemetry Protocol Exporter",
 * "Endpoint URLs for OTLP/HTTP"): a signal's own address as it is, or a path of the signal under
 * the common address. gRPC has no paths.
 */
final class Endpoints {
  private final Map<OtlpSignal, URI> own = new EnumMap<>(OtlpSignal.class);
  private @Nullable URI base;

  Endpoints copy() {
    Endpoints copy = new Endpoints();
    copy.own.putAll(own);
    copy.base = base;
    return copy;
  }

  void setBase(URI endpoint) {
    requireUsable(endpoint);
    base = endpoint;
  }

  void set(OtlpSignal signal, URI endpoint) {
    requireUsable(endpoint);
    own.put(signal, endpoint);
  }

  /** The address of a signal. */
  URI of(OtlpSignal signal, OtlpProtocol protocol) {
    URI endpoint = own.get(signal);
    boolean isOwn = endpoint != null;
    if (endpoint == null) {
      endpoint = base;
    }
    if (endpoint == null) {
      endpoint = URI.create("http://localhost:" + protocol.defaultPort());
    }
    if (protocol == OtlpProtocol.GRPC) {
      requireNoPath(endpoint);
      return endpoint;
    }
    String path = endpoint.getRawPath() == null ? "" : endpoint.getRawPath();
    if (!isOwn) {
      path = (path.endsWith("/") ? path : path + "/") + path(signal);
    } else if (path.isEmpty()) {
      path = "/";
    }
    String query = endpoint.getRawQuery();
    return URI.create(
        endpoint.getScheme()
            + "://"
            + endpoint.getRawAuthority()
            + path
            + (query == null ? "" : "?" + query));
  }

  private static String path(OtlpSignal signal) {
    return switch (signal) {
      case TRACES -> "v1/traces";
      case METRICS -> "v1/metrics";
      case LOGS -> "v1/logs";
    };
  }

  private static void requireUsable(URI endpoint) {
    TransportOptions.requireEndpoint(endpoint);
    if (endpoint.getRawUserInfo() != null || endpoint.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "endpoint: expected no user information and no fragment, found some for host "
              + endpoint.getHost()
              + "; send a password as a header");
    }
  }

  private static void requireNoPath(URI endpoint) {
    String path = endpoint.getRawPath();
    if (path != null && !path.isEmpty() && !path.equals("/")) {
      throw new IllegalArgumentException(
          "endpoint: expected no path with the protocol grpc, found "
              + path
              + "; leave it out, or use http/protobuf");
    }
  }
}
