package dev.millrace.opentelemetry.otlp;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.push.SenderOptions;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.model.Problems;
import io.opentelemetry.api.metrics.MeterProvider;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link OtlpExporter} is to be. Not thread-safe.
 *
 * <pre>{@code
 * OtlpExporter otlp =
 *     OtlpExporter.builder()
 *         .endpoint(URI.create("https://collector:4318"))
 *         .headers(HeaderSource.of(Map.of("X-Scope-OrgID", "shop")))
 *         .sending(SenderOptions.defaults().withTimeoutMillis(5_000))
 *         .build();
 * assert otlp.spans().toString().contains("https://collector:4318");
 * }</pre>
 */
public final class OtlpExporterBuilder {
  /** By OTLP's specification, "Max Request Size". */
  private static final long DEFAULT_MAX_REQUEST_BYTES = 64L << 20;

  /** What a gRPC server takes unless told otherwise. */
  private static final long GRPC_MAX_REQUEST_BYTES = 4L << 20;

  Endpoints endpoints = new Endpoints();
  OtlpProtocol protocol = OtlpProtocol.HTTP_PROTOBUF;
  HeaderSource headers = HeaderSource.of(Map.of());
  boolean gzip;
  HttpConnection connection = HttpConnection.defaults();
  SenderOptions sending = SenderOptions.defaults();
  @Nullable Path diskDirectory;
  long diskMaxBytes;
  @Nullable Supplier<MeterProvider> meterProvider;

  OtlpExporterBuilder() {}

  private OtlpExporterBuilder(OtlpExporterBuilder from) {
    endpoints = from.endpoints.copy();
    protocol = from.protocol;
    headers = from.headers;
    gzip = from.gzip;
    connection = from.connection;
    sending = from.sending;
    diskDirectory = from.diskDirectory;
    diskMaxBytes = from.diskMaxBytes;
    meterProvider = from.meterProvider;
  }

  /**
   * Where all signals go to. With HTTP each goes to its path under the address, {@code v1/traces},
   * {@code v1/metrics} and {@code v1/logs}; with gRPC the address has no path. {@code
   * http://localhost:4318} unless set, with gRPC port 4317.
   *
   * @throws IllegalArgumentException if it is not {@code http} or {@code https} with a host, or has
   *     user information or a fragment
   */
  public OtlpExporterBuilder endpoint(URI endpoint) {
    endpoints.setBase(endpoint);
    return this;
  }

  /**
   * Where one signal goes to: to exactly this address.
   *
   * @throws IllegalArgumentException as for {@link #endpoint(URI)}
   */
  public OtlpExporterBuilder endpoint(OtlpSignal signal, URI endpoint) {
    endpoints.set(signal, endpoint);
    return this;
  }

  /** How OTLP is carried; {@link OtlpProtocol#HTTP_PROTOBUF} unless set. */
  public OtlpExporterBuilder protocol(OtlpProtocol protocol) {
    this.protocol = protocol;
    return this;
  }

  /** Headers of each request, asked for again for each one; none unless set. */
  public OtlpExporterBuilder headers(HeaderSource headers) {
    this.headers = headers;
    return this;
  }

  /** Whether requests are compressed; they are not unless set. */
  public OtlpExporterBuilder gzip(boolean gzip) {
    this.gzip = gzip;
    return this;
  }

  /** TLS, proxy and connecting; {@link HttpConnection#defaults} unless set. */
  public OtlpExporterBuilder connection(HttpConnection connection) {
    this.connection = connection;
    return this;
  }

  /**
   * The timeout of an export, retries, how many exports may be under way, how large a request may
   * be, and who is told of problems; {@link SenderOptions#defaults} unless set. The splitter and
   * the spool in it are the exporter's own. Where no bound of requests is set it is 64 MiB, with
   * gRPC 4 MiB.
   */
  public OtlpExporterBuilder sending(SenderOptions sending) {
    this.sending = sending;
    return this;
  }

  /**
   * Keeps on disk what could not be sent, and sends it when the endpoint is back. It does not
   * unless set.
   *
   * @param directory made if it is not there; each signal has a directory of its own in it
   * @param maxBytes how much each signal may keep, 1 or more; the oldest is dropped and counted
   * @throws IllegalArgumentException if it is less
   */
  public OtlpExporterBuilder disk(Path directory, long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes: expected 1 or more, found " + maxBytes);
    }
    diskDirectory = directory;
    diskMaxBytes = maxBytes;
    return this;
  }

  /**
   * Where the exporter's own health goes to, as the {@code otel.sdk.exporter.*} metrics of the
   * semantic conventions: asked at each export, because the SDK that has it is built after its
   * exporters. Nowhere unless set.
   */
  public OtlpExporterBuilder meterProvider(Supplier<MeterProvider> meterProvider) {
    this.meterProvider = meterProvider;
    return this;
  }

  /** Builds the exporter. Files are read when it makes an exporter of a signal. */
  public OtlpExporter build() {
    OtlpExporterBuilder options = new OtlpExporterBuilder(this);
    if (options.sending.maxRequestBytes() == SenderOptions.defaults().maxRequestBytes()) {
      options.sending =
          options.sending.withMaxRequestBytes(
              protocol == OtlpProtocol.GRPC ? GRPC_MAX_REQUEST_BYTES : DEFAULT_MAX_REQUEST_BYTES);
    }
    return new OtlpExporter(options);
  }

  Problems problems() {
    return sending.problems();
  }
}
