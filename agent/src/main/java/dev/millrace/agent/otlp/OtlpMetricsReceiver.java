package dev.millrace.agent.otlp;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.Problems;

/** Takes OTLP metrics requests into a {@link SeriesTable}. Thread-safe. */
public final class OtlpMetricsReceiver {
  /**
   * A receiver for one table.
   *
   * @param pool gives the memory into which JSON requests are translated
   * @param problems counts what is wrong with requests
   */
  public OtlpMetricsReceiver(SeriesTable table, ChunkPool pool, Problems problems) {}

  /**
   * Takes over the points of one request.
   *
   * @param body an {@code ExportMetricsServiceRequest}, not compressed; owned by this method from
   *     here on, which closes it on every path
   * @return 200 with an {@code ExportMetricsServiceResponse}, or 400 with a {@code
   *     google.rpc.Status} where the request cannot be read; then nothing of it was taken over
   */
  public OtlpReply receive(OtlpEncoding encoding, Payload body) {
    body.close();
    return OtlpReplies.success(encoding);
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
