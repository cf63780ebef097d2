package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.bytes.Varint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The request of one shard that is being filled. What is written next belongs to the series that
 * {@link #at} went to last; one sample after another of one series stands in one {@code
 * TimeSeries}. Not thread-safe.
 */
abstract class OpenRequest implements AutoCloseable {
  /**
   * The most bytes that a sample takes, and the tags and lengths around a series: tag, length,
   * value and two times of ten bytes; and the same again.
   */
  static final int MAX_SAMPLE_BYTES = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final int shard;
  final ProtobufWriter series;
  private final RemoteWriteLimits limits;
  private final SnappyBlocks snappy;
  private @Nullable LiveSeries current;
  private int currentPart;
  private @Nullable ExtraLabel currentExtra;

  /** Whether nothing may follow in the current series. */
  private boolean sealed;

  private int samples;
  private int histograms;
  private int exemplars;
  private int metadata;
  private long newestUnixMillis = Long.MIN_VALUE;

  OpenRequest(int shard, RemoteWriteLimits limits, ChunkPool pool, SnappyBlocks snappy) {
    this.shard = shard;
    this.limits = limits;
    this.snappy = snappy;
    series = new ProtobufWriter(pool);
  }

  /** Begins the {@code TimeSeries} of a series, up to the end of its labels. */
  abstract void begin(LiveSeries of, int part, @Nullable ExtraLabel extra);

  /** Ends the {@code TimeSeries} that was begun last. */
  abstract void end(LiveSeries of);

  /** Writes a start time into a sample, where the version has it, and gives the offset after it. */
  abstract int putStart(long startUnixMillis, byte[] target, int at);

  /** Writes a native histogram and the exemplars that were loaded, in the order of the version. */
  abstract void writeHistogram(NativeHistogram histogram, @Nullable RequestExemplars withExemplars);

  /** Writes the exemplar that was loaded. */
  abstract void writeExemplar(RequestExemplars exemplar);

  /** Ends the message and compresses it. */
  abstract Payload finishBytes(SnappyBlocks compression);

  /** Bytes beside those of {@link #series}. */
  abstract long otherBytes();

  /** The most bytes that the labels of a series take. */
  final int labelsBytes(LiveSeries of, int part, @Nullable ExtraLabel extra) {
    return of.labelsBytes
        + of.metric.names.maxBytes(part)
        + (extra == null ? 0 : extra.value.length);
  }

  /**
   * Goes to a series, in another request if this one has no room for what is to be written.
   *
   * @param moreBytes the most bytes that will be written, the labels aside
   */
  final void at(
      LiveSeries of, int part, @Nullable ExtraLabel extra, int moreBytes, RequestSink sink) {
    boolean same = current == of && currentPart == part && currentExtra == extra && !sealed;
    int bytes = moreBytes + (same ? 0 : labelsBytes(of, part, extra));
    if (isFull(bytes)) {
      finish(sink);
      same = false;
    }
    if (!same) {
      endSeries();
      current = of;
      currentPart = part;
      currentExtra = extra;
      sealed = false;
      begin(of, part, extra);
    }
  }

  private boolean isFull(int moreBytes) {
    int points = samples + histograms;
    return points > 0
        && (points >= limits.maxSamples()
            || series.lengthBytes() + otherBytes() + moreBytes > limits.maxRequestBytes());
  }

  /**
   * Writes a sample.
   *
   * @param bits of the value
   * @param startUnixMillis 0 where there is none
   */
  final void sample(long bits, long unixMillis, long startUnixMillis) {
    int at = series.reserve(MAX_SAMPLE_BYTES);
    byte[] target = series.reservedBytes();
    target[at] = WriteSchema.SAMPLES << 3 | 2;
    int start = at + 2;
    int end = start;
    if (bits != 0) {
      target[end] = WriteSchema.SAMPLE_VALUE << 3 | 1;
      LONGS.set(target, end + 1, bits);
      end += 1 + Long.BYTES;
    }
    if (unixMillis != 0) {
      target[end] = WriteSchema.SAMPLE_TIMESTAMP << 3;
      end = Varint.put(unixMillis, target, end + 1);
    }
    if (startUnixMillis != 0) {
      end = putStart(startUnixMillis, target, end);
    }
    target[at + 1] = (byte) (end - start);
    series.advanceTo(end);
    samples++;
    newestUnixMillis = Math.max(newestUnixMillis, unixMillis);
  }

  /** Writes the exemplar that was loaded; nothing may follow in its series but exemplars. */
  final void exemplar(RequestExemplars exemplar) {
    writeExemplar(exemplar);
    exemplars++;
    sealed = true;
  }

  /**
   * Writes a native histogram.
   *
   * @param withExemplars all that were chosen of the point, or {@code null}
   */
  final void histogram(NativeHistogram histogram, @Nullable RequestExemplars withExemplars) {
    writeHistogram(histogram, withExemplars);
    histograms++;
    newestUnixMillis = Math.max(newestUnixMillis, histogram.unixMillis());
    if (withExemplars != null) {
      exemplars += withExemplars.count();
      sealed |= withExemplars.count() > 0;
    }
  }

  final void countMetadata() {
    metadata++;
  }

  /** Ends what is open of a series, so that nothing of it is needed any more. */
  final void endSeries() {
    LiveSeries open = current;
    if (open != null) {
      end(open);
      current = null;
      currentExtra = null;
    }
  }

  /** Finishes the request and gives it to the sink; nothing happens where it is empty. */
  final void finish(RequestSink sink) {
    endSeries();
    if (samples + histograms == 0) {
      return;
    }
    RequestContent content =
        new RequestContent(samples, histograms, exemplars, metadata, newestUnixMillis);
    samples = 0;
    histograms = 0;
    exemplars = 0;
    metadata = 0;
    newestUnixMillis = Long.MIN_VALUE;
    sink.accept(shard, finishBytes(snappy), content);
  }

  @Override
  public void close() {
    current = null;
    currentExtra = null;
    samples = 0;
    histograms = 0;
    exemplars = 0;
    metadata = 0;
    series.close();
  }
}
