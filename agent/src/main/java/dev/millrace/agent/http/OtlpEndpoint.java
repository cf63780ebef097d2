package dev.millrace.agent.http;

import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.agent.otlp.OtlpMetricsReceiver;
import dev.millrace.agent.otlp.OtlpReply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * OTLP over HTTP: {@code POST /v1/metrics} in binary or JSON protobuf, plain or gzip (OTLP
 * specification, "OTLP/HTTP"). Thread-safe.
 *
 * <p>Every refusal has a {@code google.rpc.Status} in the request's encoding; in JSON, which a
 * person can read, where the request's encoding is neither of the two. Bodies are received on the
 * event loop, and decompressed and decoded by workers. What all of them together hold is bounded:
 * past the budget, and when the workers' queue is full, the answer is 503 with {@code Retry-After},
 * which OTLP clients obey by sending the same again.
 *
 * <p>The owner closes it when no request is in progress any more.
 */
public final class OtlpEndpoint implements Endpoint, AutoCloseable {
  private static final String METRICS_PATH = "/v1/metrics";

  private final MetricsRequestHandler handler;
  private final OtlpLimits limits;
  private final ChunkPool chunks;
  private final WorkerPool workers;
  private final OtlpProblems problems;
  private final GunzipPool gunzips = new GunzipPool();
  private final StatusCounts replies = new StatusCounts();
  private final LongAdder receivedBytes = new LongAdder();

  /**
   * An endpoint.
   *
   * @param chunks where the memory of bodies comes from
   * @param workers decompress and decode
   */
  public OtlpEndpoint(
      MetricsRequestHandler handler,
      OtlpLimits limits,
      ChunkPool chunks,
      WorkerPool workers,
      Problems problems) {
    this.handler = handler;
    this.limits = limits;
    this.chunks = chunks;
    this.workers = workers;
    this.problems = new OtlpProblems(problems);
  }

  /** How many requests had which reply. */
  public StatusCounts replies() {
    return replies;
  }

  /** Bytes of request bodies received, as they were on the wire. */
  public long receivedBytes() {
    return receivedBytes.sum();
  }

  @Override
  public RequestPlan plan(HttpExchange exchange) {
    String contentType = exchange.header("Content-Type");
    OtlpEncoding encoding = encoding(contentType);
    if (!exchange.path().equals(METRICS_PATH)) {
      return new RequestPlan.Reject(
          refusal(encoding, 404, problems.unknownPath, unknownPath(exchange.path())));
    }
    if (!exchange.method().equals("POST")) {
      String message =
          "expected POST to " + METRICS_PATH + ", found " + RequestFault.quote(exchange.method());
      return new RequestPlan.Reject(
          refusal(encoding, 405, problems.wrongMethod, message).with("Allow", "POST"));
    }
    if (encoding == null) {
      String message =
          "expected Content-Type application/x-protobuf or application/json, found "
              + (contentType == null ? "none" : RequestFault.quote(contentType))
              + "; set the header to what the body is";
      return new RequestPlan.Reject(refusal(null, 415, problems.wrongContentType, message));
    }
    String coding = exchange.header("Content-Encoding");
    if (!isGzip(coding) && !isIdentity(coding)) {
      String message =
          "expected Content-Encoding gzip or none, found "
              + RequestFault.quote(String.valueOf(coding))
              + "; set the client's compression to gzip or none";
      return new RequestPlan.Reject(
          refusal(encoding, 415, problems.wrongContentEncoding, message)
              .with("Accept-Encoding", "gzip, identity"));
    }
    if (exchange.contentLengthBytes()
        > Math.min(limits.maxBodyBytes(), limits.budget().limitBytes())) {
      return new RequestPlan.Reject(tooLarge(encoding));
    }
    return new RequestPlan.Receive(new OtlpBody(this, exchange, encoding, isGzip(coding)));
  }

  @Override
  public HttpReply failure(int status, String contentType, String message) {
    replies.increment(status);
    return status(encoding(contentType), status, message);
  }

  /** Lets go of the memory outside the heap that idle decompressors hold. */
  @Override
  public void close() {
    gunzips.close();
  }

  /** Decompresses and decodes a body that has arrived, on a worker. */
  void submit(OtlpRequest request) {
    if (!workers.tryExecute(request)) {
      request.discard();
      request
          .exchange()
          .reply(overloaded(request.encoding(), "found all workers busy and their queue full"));
    }
  }

  /** Counts a reply of the handler. */
  HttpReply reply(OtlpReply reply) {
    replies.increment(reply.httpStatus());
    return HttpReply.of(reply.httpStatus(), reply.encoding().contentType(), reply.body());
  }

  HttpReply tooLarge(OtlpEncoding encoding) {
    String message =
        "expected a body of at most "
            + Math.min(limits.maxBodyBytes(), limits.budget().limitBytes())
            + " bytes, compressed or not, found more; send smaller batches, or raise"
            + " max_request_body_size and the heap";
    return refusal(encoding, 413, problems.tooLarge, message);
  }

  HttpReply brokenBody(OtlpEncoding encoding, String message) {
    return refusal(encoding, 400, problems.brokenBody, message);
  }

  HttpReply overloaded(OtlpEncoding encoding, String found) {
    return refusal(
            encoding,
            503,
            problems.overloaded,
            "expected room for one more request, " + found + "; send again later")
        .withRetryAfter();
  }

  HttpReply failed(OtlpEncoding encoding, Throwable failure) {
    problems.failed.add(
        1, () -> "expected to receive a request, found " + Failures.describe(failure));
    replies.increment(500);
    return status(encoding, 500, "the agent failed; its log says more");
  }

  MetricsRequestHandler handler() {
    return handler;
  }

  OtlpLimits limits() {
    return limits;
  }

  ChunkPool chunks() {
    return chunks;
  }

  GunzipPool gunzips() {
    return gunzips;
  }

  void received(long bytes) {
    receivedBytes.add(bytes);
  }

  private HttpReply refusal(
      @Nullable OtlpEncoding encoding, int status, Problem kind, String message) {
    kind.add(1, () -> message);
    replies.increment(status);
    return status(encoding, status, message);
  }

  private static HttpReply status(@Nullable OtlpEncoding encoding, int status, String message) {
    OtlpEncoding readable = encoding == null ? OtlpEncoding.JSON : encoding;
    OtlpReply reply = OtlpMetricsReceiver.failure(readable, status, message);
    return HttpReply.of(reply.httpStatus(), reply.encoding().contentType(), reply.body());
  }

  private static String unknownPath(String path) {
    return switch (path) {
      case "/v1/traces", "/v1/logs", "/v1development/profiles" ->
          "expected metrics at "
              + METRICS_PATH
              + ", found "
              + path
              + "; this agent takes metrics only: send other signals elsewhere, or turn them off"
              + " in the client (OTEL_TRACES_EXPORTER=none, OTEL_LOGS_EXPORTER=none)";
      default -> "expected the path " + METRICS_PATH + ", found " + RequestFault.quote(path);
    };
  }

  /** The encoding that a media type names, whatever its parameters; {@code null} for others. */
  private static @Nullable OtlpEncoding encoding(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    int semicolon = contentType.indexOf(';');
    String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return switch (type.strip().toLowerCase(Locale.ROOT)) {
      case "application/x-protobuf" -> OtlpEncoding.PROTOBUF;
      case "application/json" -> OtlpEncoding.JSON;
      default -> null;
    };
  }

  private static boolean isGzip(@Nullable String coding) {
    return coding != null
        && (coding.strip().equalsIgnoreCase("gzip") || coding.strip().equalsIgnoreCase("x-gzip"));
  }

  private static boolean isIdentity(@Nullable String coding) {
    return coding == null || coding.isBlank() || coding.strip().equalsIgnoreCase("identity");
  }
}
