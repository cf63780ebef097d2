package dev.millrace.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of remote write 1.0 and 2.0 on loopback, which keeps what it takes and answers as a
 * test tells it to. Thread-safe.
 *
 * <pre>{@code
 * try (RemoteWriteReceiver receiver = RemoteWriteReceiver.start()) {
 *   receiver.answer(503, 204);
 *   // ... something sends to receiver.endpoint()
 *   assert receiver.requests().size() == 2 && receiver.samples().size() == 1;
 * }
 * }</pre>
 */
public final class RemoteWriteReceiver implements AutoCloseable {
  private static final int TAKEN = 204;

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(RemoteWriteReceiver::thread);
  private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile int always = TAKEN;
  private volatile @Nullable Exception failure;

  /**
   * One request.
   *
   * @param headers as they came
   * @param message what was in it
   * @param status how it was answered
   */
  public record Request(Headers headers, RemoteWriteMessage message, int status) {}

  private RemoteWriteReceiver(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "remote-write-receiver");
    thread.setDaemon(true);
    return thread;
  }

  /** Starts a receiver on a port that is free. */
  public static RemoteWriteReceiver start() throws IOException {
    return start(0);
  }

  /** Starts a receiver on a port. */
  public static RemoteWriteReceiver start(int port) throws IOException {
    RemoteWriteReceiver receiver = new RemoteWriteReceiver(port);
    receiver.server.start();
    return receiver;
  }

  /** Where to send to. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/write");
  }

  /** Answers the next requests with these statuses, in order, before any other. */
  public void answer(int... statuses) {
    for (int status : statuses) {
      answers.add(status);
    }
  }

  /** Answers with this status from here on; {@code 204} unless set. */
  public void answerAlways(int status) {
    always = status;
  }

  /** All requests so far, refused ones among them. */
  public List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The samples of all requests that were taken, as {@code name{labels} value @time}. */
  public List<RemoteWriteMessage.Sample> samples() {
    return requests.stream()
        .filter(request -> request.status / 100 == 2)
        .flatMap(request -> request.message.samples().stream())
        .toList();
  }

  /** The samples of the series of one name, of all requests that were taken. */
  public List<RemoteWriteMessage.Sample> samples(String name) {
    return samples().stream().filter(sample -> sample.series().startsWith(name + "{")).toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String type = exchange.getRequestHeaders().getFirst("Content-Type");
      boolean version2 = type != null && type.contains("io.prometheus.write.v2.Request");
      RemoteWriteMessage message = read(body, version2);
      Integer told = answers.poll();
      int status = told == null ? always : told;
      requests.add(new Request(exchange.getRequestHeaders(), message, status));
      if (version2 && status / 100 == 2) {
        written(exchange, "Samples", message.samples().size());
        written(exchange, "Histograms", message.histograms());
        written(exchange, "Exemplars", message.exemplars());
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private RemoteWriteMessage read(byte[] body, boolean version2) throws IOException {
    try {
      return RemoteWriteMessage.read(body, version2);
    } catch (RuntimeException | IOException e) {
      failure = e;
      throw e;
    }
  }

  private static void written(HttpExchange exchange, String what, int count) {
    exchange
        .getResponseHeaders()
        .set("X-Prometheus-Remote-Write-" + what + "-Written", Integer.toString(count));
  }

  /**
   * Stops.
   *
   * @throws AssertionError if a request could not be read
   */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    Exception failed = failure;
    if (failed != null) {
      throw new AssertionError("expected requests that can be read", failed);
    }
  }
}
