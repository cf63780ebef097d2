package dev.millrace.agent.otlp;

/** The two encodings of OTLP over HTTP (OTLP specification, "OTLP/HTTP"). */
public enum OtlpEncoding {
  /** Binary protobuf. */
  PROTOBUF("application/x-protobuf"),
  /** JSON protobuf. */
  JSON("application/json");

  private final String contentType;

  OtlpEncoding(String contentType) {
    this.contentType = contentType;
  }

  /** The media type in {@code Content-Type} headers of requests and of their replies. */
  public String contentType() {
    return contentType;
  }
}
