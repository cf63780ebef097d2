package dev.millrace.benchmarks.remotewrite;

import static java.util.Objects.requireNonNull;

import dev.millrace.benchmarks.otlp.ExportCost;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.remotewrite.RemoteWriteStats;
import dev.millrace.export.remotewrite.RemoteWriter;
import dev.millrace.export.remotewrite.RemoteWriterOptions;
import dev.millrace.export.remotewrite.VersionPolicy;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.model.MetricCursor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Whole pushes, one after the other, to a receiver in a process of its own: one series with a long
 * label value and many samples, in one request. What is counted is what the sending process spends,
 * the HTTP client included.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RemoteWriteExportBenchmark {
  private static final long TIMEOUT_MILLIS = 10_000;

  /** Which message is sent. */
  @Param({"V1", "V2"})
  public RemoteWriteVersion version = RemoteWriteVersion.V1;

  /** How many samples a push has. */
  @Param({"100", "1000", "10000"})
  public int samples;

  /** Whether the samples are histograms. */
  @Param({"false", "true"})
  public boolean histograms;

  private @Nullable WriteReceiver receiver;
  private @Nullable RemoteWriter writer;
  private @Nullable LongSeries source;
  private long requestBytes;

  /** Starts the receiver, and checks that a whole push gets there in one request. */
  @Setup
  public void start() throws IOException {
    WriteReceiver started = new WriteReceiver();
    receiver = started;
    RemoteWriterOptions options = RemoteWriterOptions.to(started.uri());
    source = new LongSeries(samples, histograms);
    RemoteWriter made =
        new RemoteWriter(
            options
                .withVersions(
                    version == RemoteWriteVersion.V1 ? VersionPolicy.V1 : VersionPolicy.V2)
                .withEncoding(
                    options
                        .encoding()
                        .withMetadataIntervalMillis(0)
                        .withPrometheus(options.encoding().prometheus().withTargetInfo(false))
                        .withLimits(RemoteWriteLimits.DEFAULT.withMaxSamples(samples)))
                .withDelivery(
                    options.delivery().withFlushIntervalMillis(0).withEndSeriesAtShutdown(false)),
            new ChunkPool(256));
    writer = made;
    push();
    requestBytes = started.receivedBytes();
    RemoteWriteStats stats = made.stats();
    long sent = histograms ? stats.histograms().sent() : stats.samples().sent();
    if (sent != samples || stats.requests().count() != 1) {
      throw new IllegalStateException(
          "expected " + samples + " samples in one request, found " + stats);
    }
  }

  /** Ends the writer and the receiver. */
  @TearDown
  public void stop() {
    requireNonNull(writer).close();
    requireNonNull(receiver).close();
  }

  private void push() {
    RemoteWriter used = requireNonNull(writer);
    try (MetricCursor cursor = requireNonNull(source).open()) {
      used.write(cursor, false);
    }
    if (!used.flush(TIMEOUT_MILLIS)) {
      throw new IllegalStateException(
          "expected an answer within " + TIMEOUT_MILLIS + " ms, found none: " + used.stats());
    }
  }

  /** One push, until it is answered. */
  @Benchmark
  public void push(ExportCost cost) throws IOException {
    cost.measureProcess(this::push, requestBytes, samples);
  }
}
