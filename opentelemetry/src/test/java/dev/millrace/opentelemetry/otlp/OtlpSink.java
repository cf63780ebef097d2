package dev.millrace.opentelemetry.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** A receiver of OTLP over HTTP that parses with protobuf-java, and answers as it is told. */
final class OtlpSink implements AutoCloseable {
  private static final Pattern HEX_ID =
      Pattern.compile("\"(traceId|spanId|parentSpanId)\":\"([0-9a-f]*)\"");

  /** A request that came. */
  record Request(
      String path, String contentType, String encoding, String tenant, Message message) {}

  /** What is answered to one request. */
  record Answer(int status, ByteString body) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

  OtlpSink() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** Answers the next request that has no answer yet in this way; otherwise 200. */
  void willAnswer(int status, byte[] body) {
    answers.add(new Answer(status, ByteString.copyFrom(body)));
  }

  List<Request> requests() {
    if (!faults.isEmpty()) {
      throw new AssertionError(faults.toString());
    }
    return requests;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String encoding = header(exchange, "Content-Encoding");
      if (encoding.equals("gzip")) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
          body = in.readAllBytes();
        }
      }
      String type = header(exchange, "Content-Type");
      String path = exchange.getRequestURI().toString();
      Message message =
          type.equals("application/json") ? fromJson(path, body) : fromProtobuf(path, body);
      requests.add(new Request(path, type, encoding, header(exchange, "X-Tenant"), message));
      Answer answer = answers.poll();
      if (answer == null) {
        answer = new Answer(200, ByteString.EMPTY);
      }
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(
          answer.status(), answer.body().isEmpty() ? -1 : answer.body().size());
      answer.body().writeTo(exchange.getResponseBody());
    } catch (IOException | RuntimeException e) {
      faults.add(e.toString());
      throw e;
    }
  }

  private static Message fromProtobuf(String path, byte[] body) throws IOException {
    return builder(path).mergeFrom(body).build();
  }

  /** OTLP's JSON has ids in hexadecimal where protobuf's own mapping has base64. */
  private static Message fromJson(String path, byte[] body) throws IOException {
    Matcher ids = HEX_ID.matcher(new String(body, StandardCharsets.UTF_8));
    String json =
        ids.replaceAll(
            id ->
                "\""
                    + id.group(1)
                    + "\":\""
                    + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(id.group(2)))
                    + "\"");
    Message.Builder message = builder(path);
    JsonFormat.parser().merge(json, message);
    return message.build();
  }

  private static Message.Builder builder(String path) {
    if (path.endsWith("/v1/traces")) {
      return ExportTraceServiceRequest.newBuilder();
    }
    if (path.endsWith("/v1/logs")) {
      return ExportLogsServiceRequest.newBuilder();
    }
    if (path.endsWith("/v1/metrics")) {
      return ExportMetricsServiceRequest.newBuilder();
    }
    throw new IllegalArgumentException("expected a signal's path, found " + path);
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
