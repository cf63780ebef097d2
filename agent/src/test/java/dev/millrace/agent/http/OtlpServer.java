package dev.millrace.agent.http;

import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.agent.otlp.OtlpMetricsReceiver;
import dev.millrace.agent.otlp.OtlpReply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An OTLP server whose handler keeps what it received, and can be made to wait. */
final class OtlpServer implements AutoCloseable {
  static final long MAX_BODY_BYTES = 1024 * 1024;
  static final int WORKERS = 2;
  static final int WAITING = 2;

  final List<byte[]> received = new CopyOnWriteArrayList<>();
  final List<String> log = new CopyOnWriteArrayList<>();
  final Problems problems = new Problems(System::nanoTime, log::add);
  final BodyBudget budget;
  final HttpServer server;
  final OtlpEndpoint endpoint;
  volatile @Nullable CountDownLatch gate;
  private final HttpLoops loops = new HttpLoops();
  private final WorkerPool workers = new WorkerPool("test-otlp", WORKERS, WAITING);
  private boolean stopped;

  OtlpServer(ChunkPool chunks) throws IOException {
    this(chunks, options -> options, 4 * MAX_BODY_BYTES);
  }

  OtlpServer(ChunkPool chunks, UnaryOperator<HttpServerOptions> change, long budgetBytes)
      throws IOException {
    budget = new BodyBudget(budgetBytes);
    endpoint =
        new OtlpEndpoint(
            this::receive, new OtlpLimits(MAX_BODY_BYTES, budget), chunks, workers, problems);
    server =
        HttpServer.start(
            change.apply(HttpServerOptions.of("receivers: otlp", "127.0.0.1", 0)),
            endpoint,
            loops,
            problems);
  }

  private OtlpReply receive(OtlpEncoding encoding, Payload body) {
    try (body) {
      CountDownLatch wait = gate;
      if (wait != null) {
        wait.await();
      }
      byte[] bytes = body.toByteArray();
      received.add(bytes);
      if (bytes.length > 0 && bytes[0] == '!') {
        throw new IllegalStateException("the handler is broken");
      }
      // Any reply will do; this one shows that the encoding arrived.
      return OtlpMetricsReceiver.failure(encoding, 400, "received " + bytes.length);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  InetSocketAddress address() {
    return server.localAddress();
  }

  RawClient connect() throws IOException {
    return new RawClient(address());
  }

  long problemCount(String kind) {
    return problems.kind(kind).count();
  }

  /** Stops everything in the order in which the agent does. */
  boolean stop(long timeoutMillis) {
    stopped = true;
    boolean finished = server.stop(timeoutMillis);
    workers.close();
    loops.close();
    endpoint.close();
    return finished;
  }

  @Override
  public void close() {
    if (!stopped) {
      stop(5_000);
    }
  }
}
