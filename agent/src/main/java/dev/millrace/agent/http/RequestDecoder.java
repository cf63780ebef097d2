package dev.millrace.agent.http;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Reads requests, with this package's bounds, and refuses what could be read in two ways. */
final class RequestDecoder extends HttpRequestDecoder {
  /** Bytes of the request line; ours are short, and a client's query may be longer. */
  static final int MAX_LINE_BYTES = 4 * 1024;

  /** Bytes of all header lines: room for tokens of a proxy in front. */
  static final int MAX_HEADER_BYTES = 16 * 1024;

  /** Bytes handed on at once: what one read gives. */
  private static final int MAX_CONTENT_BYTES = 64 * 1024;

  RequestDecoder() {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxChunkSize(MAX_CONTENT_BYTES));
  }

  /** RFC 9112, section 6.1: such a request may be an attempt at smuggling another one. */
  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("expected Content-Length or chunked, found both");
  }
}
