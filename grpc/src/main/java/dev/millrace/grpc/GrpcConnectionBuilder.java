package dev.millrace.grpc;

import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** Puts a connection's HTTP/2 together, with Netty's own guards against peers that flood it. */
final class GrpcConnectionBuilder
    extends AbstractHttp2ConnectionHandlerBuilder<GrpcConnection, GrpcConnectionBuilder> {
  /** Twice what gRPC's libraries take: a status with its message and details. */
  private static final long MAX_HEADER_LIST_BYTES = 16 * 1024;

  private final GrpcClient client;
  private final @Nullable SSLEngine engine;

  GrpcConnectionBuilder(GrpcClient client, @Nullable SSLEngine engine) {
    this.client = client;
    this.engine = engine;
    Http2Connection connection = new DefaultHttp2Connection(false);
    // Netty's default keeps a tree of priorities, with more objects a stream; all calls are alike.
    connection
        .remote()
        .flowController(
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    connection(connection);
    frameListener(new Http2FrameAdapter());
    gracefulShutdownTimeoutMillis(0);
    initialSettings(
        new Http2Settings().pushEnabled(false).maxHeaderListSize(MAX_HEADER_LIST_BYTES));
  }

  @Override
  public GrpcConnection build() {
    return super.build();
  }

  @Override
  protected GrpcConnection build(
      Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
    return new GrpcConnection(decoder, encoder, settings, client, engine);
  }
}
