package dev.millrace.agent.otlp;

/** The reply to one OTLP/HTTP request. Immutable. */
public final class OtlpReply {
  private final int httpStatus;
  private final OtlpEncoding encoding;
  private final byte[] body;

  OtlpReply(int httpStatus, OtlpEncoding encoding, byte[] body) {
    this.httpStatus = httpStatus;
    this.encoding = encoding;
    this.body = body;
  }

  /** The HTTP status, such as 200 or 400. */
  public int httpStatus() {
    return httpStatus;
  }

  /** The encoding of the body: that of the request. */
  public OtlpEncoding encoding() {
    return encoding;
  }

  /**
   * The body, possibly empty: an {@code ExportMetricsServiceResponse} for 200, else a {@code
   * google.rpc.Status}. Shared between replies: nobody may change it.
   */
  public byte[] body() {
    return body;
  }
}
