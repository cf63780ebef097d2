package dev.millrace.grpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.ServerCalls.UnaryMethod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A server of gRPC's own Java library that takes and gives plain bytes. */
final class GrpcJavaServer implements AutoCloseable {
  private final Server server;
  private volatile Metadata lastHeaders = new Metadata();

  GrpcJavaServer(UnaryMethod<byte[], byte[]> handler, int maxBytes, @Nullable SslContext tls)
      throws IOException {
    BindableService service =
        () ->
            ServerServiceDefinition.builder("opentelemetry.proto.collector.trace.v1.TraceService")
                .addMethod(method(), ServerCalls.asyncUnaryCall(handler))
                .build();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .maxInboundMessageSize(maxBytes)
            .addService(ServerInterceptors.intercept(service, new Listening()));
    if (tls != null) {
      builder.sslContext(tls);
    }
    server = builder.build().start();
  }

  int port() {
    return server.getPort();
  }

  Metadata lastHeaders() {
    return lastHeaders;
  }

  @Nullable String lastHeader(String name) {
    return lastHeaders.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  static MethodDescriptor<byte[], byte[]> method() {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(Outcome.METHOD.substring(1))
        .build();
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Listening implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      lastHeaders = headers;
      return next.startCall(call, headers);
    }
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
