package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Collection;
import java.util.function.Function;

/**
 * The encoders of spans and log records for the benchmarks, which they are no public API for. It
 * stands in the encoders' package, on the class path. One thread at a time.
 *
 * @param <T> the kind of item
 */
public final class BenchmarkedEncoder<T> implements AutoCloseable {
  private final Function<ChunkPool, ItemEncoder<T>> make;
  private final ChunkPool pool = new ChunkPool(OtlpExporter.MAX_IDLE_CHUNKS);
  private final ItemEncoder<T> held;
  private final EncoderPool<ItemEncoder<T>> waiting;

  private BenchmarkedEncoder(Function<ChunkPool, ItemEncoder<T>> make) {
    this.make = make;
    held = make.apply(pool);
    waiting = new EncoderPool<>(() -> make.apply(pool));
  }

  /** For spans. */
  public static BenchmarkedEncoder<SpanData> spans() {
    return new BenchmarkedEncoder<>(OtlpSpanEncoder::new);
  }

  /** For log records. */
  public static BenchmarkedEncoder<LogRecordData> logs() {
    return new BenchmarkedEncoder<>(OtlpLogEncoder::new);
  }

  /** Encodes with the encoder that is held; the caller owns the request. */
  public Payload encode(Collection<? extends T> batch) {
    return held.encode(batch);
  }

  /** Encodes with an encoder from where exporters have theirs; the caller owns the request. */
  public Payload encodePooled(Collection<? extends T> batch) {
    ItemEncoder<T> encoder = waiting.take();
    try {
      return encoder.encode(batch);
    } finally {
      waiting.giveBack(encoder);
    }
  }

  /** Encodes with a new encoder and new memory; the caller owns the request. */
  public Payload encodeCold(Collection<? extends T> batch) {
    return make.apply(new ChunkPool(OtlpExporter.MAX_IDLE_CHUNKS)).encode(batch);
  }

  /** Chunks of memory that are in somebody's hands, but for those of cold starts. */
  public long outstandingChunks() {
    return pool.outstandingChunks();
  }

  @Override
  public void close() {
    held.close();
    waiting.clear();
  }
}
