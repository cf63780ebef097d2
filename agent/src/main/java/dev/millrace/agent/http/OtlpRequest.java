package dev.millrace.agent.http;

import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;

/**
 * One OTLP request whose body has arrived. Owns the body until it hands it to the handler; either
 * {@link #run} or {@link #discard} is called, once.
 */
final class OtlpRequest implements Runnable {
  private final OtlpEndpoint endpoint;
  private final HttpExchange exchange;
  private final OtlpEncoding encoding;
  private final boolean gzip;
  private final Payload received;
  private final BodyBudget.Share share;

  OtlpRequest(
      OtlpEndpoint endpoint,
      HttpExchange exchange,
      OtlpEncoding encoding,
      boolean gzip,
      Payload received,
      BodyBudget.Share share) {
    this.endpoint = endpoint;
    this.exchange = exchange;
    this.encoding = encoding;
    this.gzip = gzip;
    this.received = received;
    this.share = share;
  }

  HttpExchange exchange() {
    return exchange;
  }

  OtlpEncoding encoding() {
    return encoding;
  }

  @Override
  public void run() {
    HttpReply reply;
    try {
      reply = receive();
    } catch (RefusedBodyException e) {
      reply =
          switch (e.kind()) {
            case BROKEN -> endpoint.brokenBody(encoding, e.text());
            case TOO_LARGE -> endpoint.tooLarge(encoding);
            case NO_ROOM ->
                endpoint.overloaded(encoding, "found too many bytes of requests in flight");
          };
    } catch (RuntimeException | Error e) {
      // Whatever went wrong, the client is answered and the worker lives on.
      reply = endpoint.failed(encoding, e);
    } finally {
      share.release();
    }
    exchange.reply(reply);
  }

  /** Gives the body back without looking at it. */
  void discard() {
    received.close();
    share.release();
  }

  private HttpReply receive() throws RefusedBodyException {
    return endpoint.reply(endpoint.handler().receive(encoding, gzip ? decompress() : received));
  }

  /** Decompresses the body, and gives back what was received. */
  private Payload decompress() throws RefusedBodyException {
    Gunzip gunzip = endpoint.gunzips().take();
    try (received;
        ChunkWriter out = new ChunkWriter(endpoint.chunks())) {
      gunzip.decompress(received, out, endpoint.limits().maxBodyBytes(), share);
      return out.finish();
    } finally {
      endpoint.gunzips().giveBack(gunzip);
    }
  }
}
