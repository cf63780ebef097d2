package dev.millrace.benchmarks.otlp;

import com.sun.net.httpserver.HttpServer;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Takes each request of spans and answers that all is well, by HTTP or gRPC. */
final class OtlpReceiver implements AutoCloseable {
  private static final String SERVICE = "opentelemetry.proto.collector.trace.v1.TraceService";
  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** How requests come. */
  enum Protocol {
    /** Protobuf in the body of a POST. */
    HTTP,
    /** A unary call. */
    GRPC
  }

  private final int port;
  private final Runnable stop;

  OtlpReceiver(Protocol protocol, Consumer<byte[]> requests) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    switch (protocol) {
      case HTTP -> {
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer http = http(address, requests, threads);
        port = http.getAddress().getPort();
        stop =
            () -> {
              http.stop(0);
              threads.shutdownNow();
            };
      }
      case GRPC -> {
        Server grpc = grpc(address, requests);
        port = grpc.getPort();
        stop = grpc::shutdownNow;
      }
      default -> throw new IllegalArgumentException("protocol: expected one, found " + protocol);
    }
  }

  /**
   * Receives by a protocol, until its input ends: prints the port, then for each line that it reads
   * how many bytes have come.
   */
  public static void main(String[] arguments) throws IOException {
    AtomicLong receivedBytes = new AtomicLong();
    OtlpReceiver receiver =
        new OtlpReceiver(
            Protocol.valueOf(arguments[0]), request -> receivedBytes.addAndGet(request.length));
    System.out.println(receiver.port);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (input.readLine() != null) {
      System.out.println(receivedBytes.get());
    }
    System.exit(0);
  }

  /** Where it receives. */
  URI uri() {
    return uri(port);
  }

  static URI uri(int port) {
    return URI.create("http://localhost:" + port);
  }

  private static HttpServer http(
      InetSocketAddress address, Consumer<byte[]> requests, ExecutorService threads)
      throws IOException {
    HttpServer http = HttpServer.create(address, 0);
    http.setExecutor(threads);
    http.createContext(
        "/v1/traces",
        exchange -> {
          requests.accept(exchange.getRequestBody().readAllBytes());
          exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    http.start();
    return http;
  }

  private static Server grpc(InetSocketAddress address, Consumer<byte[]> requests)
      throws IOException {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(SERVICE + "/Export")
            .build();
    BindableService service =
        () ->
            ServerServiceDefinition.builder(SERVICE)
                .addMethod(
                    method,
                    ServerCalls.asyncUnaryCall(
                        (request, reply) -> {
                          requests.accept(request);
                          reply.onNext(new byte[0]);
                          reply.onCompleted();
                        }))
                .build();
    return NettyServerBuilder.forAddress(address)
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .addService(service)
        .build()
        .start();
  }

  @Override
  public void close() {
    stop.run();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
