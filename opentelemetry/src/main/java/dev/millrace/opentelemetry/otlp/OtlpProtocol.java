package dev.millrace.opentelemetry.otlp;

/** How OTLP is carried, by the names of {@code OTEL_EXPORTER_OTLP_PROTOCOL}. */
public enum OtlpProtocol {
  /** {@code grpc}: needs {@code dev.millrace:millrace-grpc} beside this. */
  GRPC("grpc", 4317),
  /** {@code http/protobuf}: the default. */
  HTTP_PROTOBUF("http/protobuf", 4318),
  /** {@code http/json}. */
  HTTP_JSON("http/json", 4318);

  private final String text;
  private final int defaultPort;

  OtlpProtocol(String text, int defaultPort) {
    this.text = text;
    this.defaultPort = defaultPort;
  }

  /** The name in the specification. */
  public String text() {
    return text;
  }

  /**
   * The protocol of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static OtlpProtocol of(String text) {
    for (OtlpProtocol protocol : values()) {
      if (protocol.text.equals(text)) {
        return protocol;
      }
    }
    throw new IllegalArgumentException(
        "protocol: expected grpc, http/protobuf or http/json, found " + text);
  }

  int defaultPort() {
    return defaultPort;
  }
}
