package dev.millrace.agent.http;

import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.bytes.ChunkWriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Collects the body of one OTLP request in chunks, as it is on the wire. */
final class OtlpBody implements BodyConsumer {
  private final OtlpEndpoint endpoint;
  private final HttpExchange exchange;
  private final OtlpEncoding encoding;
  private final boolean gzip;
  private final ChunkWriter bytes;
  private final BodyBudget.Share share;

  OtlpBody(OtlpEndpoint endpoint, HttpExchange exchange, OtlpEncoding encoding, boolean gzip) {
    this.endpoint = endpoint;
    this.exchange = exchange;
    this.encoding = encoding;
    this.gzip = gzip;
    this.bytes = new ChunkWriter(endpoint.chunks());
    this.share = endpoint.limits().budget().share();
  }

  @Override
  public @Nullable HttpReply onBytes(ByteBuf part) {
    int partBytes = part.readableBytes();
    endpoint.received(partBytes);
    long lengthBytes = bytes.lengthBytes() + partBytes;
    if (lengthBytes > endpoint.limits().maxBodyBytes()) {
      onAbort();
      return endpoint.tooLarge(encoding);
    }
    if (!share.growTo(lengthBytes)) {
      onAbort();
      return share.couldGrowTo(lengthBytes)
          ? endpoint.overloaded(encoding, "found too many bytes of requests in flight")
          : endpoint.tooLarge(encoding);
    }
    if (part.hasArray()) {
      bytes.write(part.array(), part.arrayOffset() + part.readerIndex(), partBytes);
    } else {
      byte[] copy = new byte[partBytes];
      part.getBytes(part.readerIndex(), copy);
      bytes.write(copy);
    }
    return null;
  }

  @Override
  public void onEnd() {
    endpoint.submit(new OtlpRequest(endpoint, exchange, encoding, gzip, bytes.finish(), share));
  }

  @Override
  public void onAbort() {
    bytes.close();
    share.release();
  }
}
