package dev.millrace.agent.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import dev.millrace.agent.series.Refusals;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;

/**
 * Takes OTLP metrics requests into a {@link SeriesTable}. Thread-safe: any number of requests may
 * be received at once.
 *
 * <p>A protobuf request whose series are all in the table allocates nothing.
 */
public final class OtlpMetricsReceiver {
  /** How many decoders lie idle at most: one for each of as many requests at once. */
  private static final int IDLE_DECODERS = 16;

  /**
   * A decoder that has grown beyond 512 KiB is not kept: most keep some kilobytes, and one request
   * with very large points or resources is to leave nothing behind.
   */
  private static final int MAX_KEPT_BYTES = 512 * 1024;

  private final IdleStack<OtlpMetricsDecoder> decoders;
  private final IdleStack<OtlpJson> translators;
  private final Problem malformed;

  /**
   * A receiver for one table.
   *
   * @param pool gives the memory into which JSON requests are translated
   * @param problems counts requests that cannot be read, as {@code otlp_request_malformed}; what is
   *     wrong with points is counted by the table
   */
  public OtlpMetricsReceiver(SeriesTable table, ChunkPool pool, Problems problems) {
    JsonFactory factory = OtlpJson.factory();
    decoders = new IdleStack<>(IDLE_DECODERS, () -> new OtlpMetricsDecoder(table));
    translators = new IdleStack<>(IDLE_DECODERS, () -> new OtlpJson(factory, pool));
    malformed = problems.kind("otlp_request_malformed");
  }

  /**
   * Takes over the points of one request.
   *
   * <p>A request that cannot be read is refused as a whole, with 400. Of one that can be read, the
   * points that cannot be taken over are counted in the reply's partial success, and all others are
   * taken over.
   *
   * @param body an {@code ExportMetricsServiceRequest}, not compressed, below 2 GiB; owned by this
   *     method from here on, which closes it on every path
   * @return 200 with an {@code ExportMetricsServiceResponse}, or 400 with a {@code
   *     google.rpc.Status}; never a status that asks for the request again
   */
  public OtlpReply receive(OtlpEncoding encoding, Payload body) {
    Payload request = body;
    try {
      if (encoding == OtlpEncoding.JSON) {
        Payload translated = translate(body);
        request = translated;
        body.close();
      }
      return decode(encoding, request);
    } catch (OtlpJsonException e) {
      return refuse(encoding, "the body is not an OTLP metrics request in JSON: " + e.getMessage());
    } catch (MalformedProtobufException e) {
      return refuse(
          encoding,
          "the body is not an OTLP metrics request in protobuf: at byte "
              + e.positionBytes()
              + ": "
              + e.getMessage());
    } finally {
      request.close();
    }
  }

  private Payload translate(Payload body) throws OtlpJsonException {
    OtlpJson translator = translators.take();
    try {
      return translator.translate(body);
    } finally {
      translators.giveBack(translator);
    }
  }

  private OtlpReply decode(OtlpEncoding encoding, Payload request)
      throws MalformedProtobufException {
    OtlpMetricsDecoder decoder = decoders.take();
    try {
      Refusals refusals = decoder.decode(request);
      return refusals.rejectedPoints() == 0
          ? OtlpReplies.success(encoding)
          : OtlpReplies.partialSuccess(encoding, refusals.rejectedPoints(), refusals.message());
    } finally {
      if (decoder.keptBytes() <= MAX_KEPT_BYTES) {
        decoders.giveBack(decoder);
      }
    }
  }

  private OtlpReply refuse(OtlpEncoding encoding, String message) {
    malformed.add(1, () -> message);
    return OtlpReplies.failure(encoding, 400, message);
  }

  /**
   * The reply to a request that could not be read at all.
   *
   * @param encoding of the request, where it is known
   * @param httpStatus 400 to 599
   * @param message what was expected, what was found and what to do
   */
  public static OtlpReply failure(OtlpEncoding encoding, int httpStatus, String message) {
    return OtlpReplies.failure(encoding, httpStatus, message);
  }
}
