package dev.millrace.agent;

import dev.millrace.agent.config.ComponentId;
import dev.millrace.agent.config.OtlpReceiverConfig;
import dev.millrace.agent.http.BodyBudget;
import dev.millrace.agent.http.HttpLoops;
import dev.millrace.agent.http.HttpServer;
import dev.millrace.agent.http.HttpServerOptions;
import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.agent.http.OtlpEndpoint;
import dev.millrace.agent.http.OtlpLimits;
import dev.millrace.agent.http.WorkerPool;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A receiver of type {@code otlp}: the server that OTLP clients send to. */
final class OtlpReceiver implements AutoCloseable {
  private final ComponentId id;
  private final OtlpEndpoint endpoint;
  private final HttpServer server;

  private OtlpReceiver(ComponentId id, OtlpEndpoint endpoint, HttpServer server) {
    this.id = id;
    this.endpoint = endpoint;
    this.server = server;
  }

  /**
   * Starts a receiver.
   *
   * @throws IOException if the address cannot be listened on
   */
  static OtlpReceiver start(
      ComponentId id,
      OtlpReceiverConfig.Http config,
      MetricsRequestHandler handler,
      BodyBudget budget,
      ChunkPool chunks,
      WorkerPool workers,
      HttpLoops loops,
      Problems problems)
      throws IOException {
    OtlpEndpoint endpoint =
        new OtlpEndpoint(
            handler,
            new OtlpLimits(config.maxRequestBodySizeBytes(), budget),
            chunks,
            workers,
            problems);
    if (config.maxRequestBodySizeBytes() > budget.limitBytes()) {
      AgentLog.LOGGER.log(
          System.Logger.Level.WARNING,
          "receivers: "
              + id
              + ": max_request_body_size is "
              + config.maxRequestBodySizeBytes()
              + " bytes, and the heap has room for "
              + budget.limitBytes()
              + "; larger requests will be refused: lower it, or start Java with a larger heap"
              + " (-Xmx)");
    }
    HttpServer server =
        HttpServer.start(
            HttpServerOptions.of(
                "receivers: " + id, config.endpoint().host(), config.endpoint().port()),
            endpoint,
            loops,
            problems);
    return new OtlpReceiver(id, endpoint, server);
  }

  InetSocketAddress address() {
    return server.localAddress();
  }

  void beginStop() {
    server.beginStop();
  }

  boolean awaitStop(long deadlineNanos) {
    return server.awaitStop(deadlineNanos);
  }

  @Override
  public void close() {
    endpoint.close();
  }

  /** Adds this receiver's counts to an exporter's own metrics. */
  void addTo(SelfMetrics metrics) {
    String name = id.toString();
    metrics.counts(
        "millrace.receiver.requests",
        "{request}",
        "Requests, by the status of their replies.",
        "http.response.status_code",
        to -> endpoint.replies().forEach(to::accept),
        "receiver",
        name);
    metrics.counter(
        "millrace.receiver.received",
        "By",
        "Bodies of requests, as they were on the wire.",
        endpoint::receivedBytes,
        "receiver",
        name);
    metrics.size(
        "millrace.receiver.connections",
        "{connection}",
        "Open connections.",
        server::connectionCount,
        "receiver",
        name);
  }
}
