package dev.millrace.format.remotewrite;

/** The versions of the remote-write protocol, each with its message and its headers. */
public enum RemoteWriteVersion {
  /** Remote write 1.0: the message {@code prometheus.WriteRequest}, which every receiver reads. */
  V1("application/x-protobuf", "0.1.0"),

  /** Remote write 2.0: the message {@code io.prometheus.write.v2.Request}. */
  V2("application/x-protobuf;proto=io.prometheus.write.v2.Request", "2.0.0");

  private final String contentType;
  private final String version;

  RemoteWriteVersion(String contentType, String version) {
    this.contentType = contentType;
    this.version = version;
  }

  /** What the header {@code Content-Type} says of a request ("Protocol", "Required Headers"). */
  public String contentType() {
    return contentType;
  }

  /** What the header {@code X-Prometheus-Remote-Write-Version} says of a request. */
  public String version() {
    return version;
  }
}
