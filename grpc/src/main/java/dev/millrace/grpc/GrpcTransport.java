package dev.millrace.grpc;

import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import dev.millrace.export.push.TransportOptions;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends each payload as the one request message of a unary gRPC call.
 *
 * <p>All sends go over one HTTP/2 connection, which is made by the first of them, with prior
 * knowledge ({@code http}) or by ALPN under TLS ({@code https}). When it is lost, or the receiver
 * asks for another (GOAWAY), the next send makes a new one: the host's name is looked up again, all
 * its addresses are tried in turn, and the SSL context is asked for a new engine. A send that the
 * receiver has surely not looked at (GOAWAY, REFUSED_STREAM) moves to the next connection by
 * itself, once.
 *
 * <p><b>Outcomes.</b> By the table of OTLP's specification: CANCELLED, DEADLINE_EXCEEDED, ABORTED,
 * OUT_OF_RANGE, UNAVAILABLE and DATA_LOSS may be sent again; RESOURCE_EXHAUSTED only where the
 * receiver says when ({@code google.rpc.RetryInfo}). A receiver that says that the message is over
 * its limit gives {@link SendResult.Kind#TOO_LARGE}. A connection that cannot be made, or is lost,
 * may be sent on again. A reply that breaks gRPC's protocol, or is over {@link
 * SendResult#MAX_BODY_BYTES}, is fatal: the receiver may have taken the payload.
 *
 * <p><b>Threads.</b> Thread-safe. One daemon thread, which begins with the first send and ends on
 * {@link #close}; while a host's name is looked up there is a second one. Results come on the
 * first. Compressing takes place on the thread that sends.
 *
 * <p>The payload is read chunk by chunk as the receiver's flow control allows, each byte copied
 * once.
 *
 * <pre>{@code
 * TransportOptions options = TransportOptions.to(URI.create("http://localhost:4317"), pool);
 * try (GrpcTransport transport =
 *     GrpcTransport.create(
 *         options, "/opentelemetry.proto.collector.trace.v1.TraceService/Export")) {
 *   assert transport.name().equals("http://localhost:4317");
 * }
 * }</pre>
 */
public final class GrpcTransport implements Transport {
  private final GrpcClient client;
  private final RequestHeaders headers;
  private final @Nullable Supplier<Map<String, String>> headerSupplier;
  private final @Nullable RequestGzip gzip;
  private final AtomicBoolean closed = new AtomicBoolean();

  GrpcTransport(TransportOptions options, GrpcClient client, RequestHeaders headers) {
    this.client = client;
    this.headers = headers;
    headerSupplier = options.headerSupplier();
    gzip = options.gzip() ? new RequestGzip(options.pool()) : null;
  }

  /**
   * A transport with a connection and a thread of its own. Connects with the first send.
   *
   * <p>Header names are sent in lower case. Those that gRPC or HTTP/2 reserve are refused. The
   * value of a name that ends in {@code -bin} is given in base64.
   *
   * @param method {@code /package.Service/Method}
   * @throws IllegalArgumentException if the method or a header cannot be sent
   */
  public static GrpcTransport create(TransportOptions options, String method) {
    RequestHeaders headers = new RequestHeaders(options, method);
    return new GrpcTransport(options, new GrpcClient(options, 1), headers);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Headers from a supplier are asked for on the calling thread. Where it throws, the result is
   * retryable; where it gives one that cannot be sent, it is fatal.
   */
  @Override
  public void send(Payload payload, long deadlineNanos, Completion done) {
    if (closed.get()) {
      done.done(Results.closed());
      return;
    }
    Map<String, String> more = Map.of();
    if (headerSupplier != null) {
      try {
        more = Map.copyOf(headerSupplier.get());
      } catch (RuntimeException e) {
        // A supplier may fetch a token, which can fail for a while.
        done.done(
            SendResult.retryable(
                SendResult.NO_STATUS,
                e.getClass().getSimpleName(),
                "expected headers from the supplier, found " + e.getClass().getName()));
        return;
      }
      try {
        RequestHeaders.check(more);
      } catch (IllegalArgumentException e) {
        // It says which header, and not its value.
        done.done(
            SendResult.fatal(
                SendResult.NO_STATUS,
                e.getClass().getSimpleName(),
                name() + ": " + e.getMessage()));
        return;
      }
    }
    Payload compressed = gzip == null ? null : gzip.compress(payload);
    client.send(new Call(client, this, headers, more, payload, compressed, deadlineNanos, done));
  }

  @Override
  public String name() {
    return client.name();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits for the thread to end, at most a second.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      client.release(this);
    }
  }
}
