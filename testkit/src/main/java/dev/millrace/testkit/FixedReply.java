package dev.millrace.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An HTTP server on loopback that answers every request with one body. */
public final class FixedReply implements AutoCloseable {
  private final String contentType;
  private final byte[] body;
  private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
  private final HttpServer server;

  private FixedReply(String contentType, byte[] body) throws IOException {
    this.contentType = contentType;
    this.body = body.clone();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
  }

  /** Starts a server on a port that is free. */
  public static FixedReply start(String contentType, byte[] body) throws IOException {
    FixedReply reply = new FixedReply(contentType, body);
    reply.server.start();
    return reply;
  }

  /** Where it listens, as {@code host:port}. */
  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** The {@code Accept} headers of all requests so far. */
  public List<String> accepted() {
    return List.copyOf(accepted);
  }

  private void answer(HttpExchange exchange) throws IOException {
    accepted.add(String.valueOf(exchange.getRequestHeaders().getFirst("Accept")));
    exchange.getResponseHeaders().set("Content-Type", contentType);
    exchange.sendResponseHeaders(200, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
