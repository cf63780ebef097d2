import dev.millrace.export.push.TransportProvider;
import dev.millrace.grpc.GrpcTransportProvider;

/** Sends payloads by gRPC, on Netty's HTTP/2. */
module dev.millrace.grpc {
  requires static org.jspecify;
  requires transitive dev.millrace.export;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.handler.proxy;
  requires io.netty.resolver;
  requires io.netty.transport;

  exports dev.millrace.grpc;

  provides TransportProvider with
      GrpcTransportProvider;
}
