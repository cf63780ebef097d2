package dev.millrace.benchmarks.remotewrite;

import static java.util.Objects.requireNonNull;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.remotewrite.RemoteWriteEncoder;
import dev.millrace.format.remotewrite.RemoteWriteEncodingOptions;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.format.remotewrite.RequestSink;
import dev.millrace.model.Problems;
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
 * One collection as remote write: encoding and compressing with snappy, nothing sent. One thread,
 * in steady state. Target information is left out, as Go's benchmarks have none.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RemoteWriteEncodingBenchmark {
  private static final int IDLE_CHUNKS = 64;

  /** The message. */
  @Param public RemoteWriteVersion version = RemoteWriteVersion.V1;

  /** What is written. */
  @Param public WriteWorkload workload = WriteWorkload.SERIES;

  private final ChunkPool pool = new ChunkPool(IDLE_CHUNKS);
  private @Nullable SyntheticMetrics metrics;
  private @Nullable RemoteWriteEncoder encoder;
  private long writtenBytes;

  private final RequestSink sink =
      (shard, request, content) -> {
        writtenBytes += request.lengthBytes();
        request.close();
      };

  /** Makes the metrics and the encoder, and says how large the requests are. */
  @Setup
  public void make() {
    metrics = new SyntheticMetrics(workload);
    RemoteWriteEncodingOptions options = RemoteWriteEncodingOptions.DEFAULT;
    encoder =
        new RemoteWriteEncoder(
            options
                .withVersion(version)
                .withPrometheus(options.prometheus().withTargetInfo(false).withScopeLabels(false))
                .withLimits(RemoteWriteLimits.DEFAULT.withMaxSamples(10_000)),
            pool,
            new Problems());
    encode();
    writtenBytes = 0;
    encode();
    System.out.println("bytes on the wire: " + writtenBytes);
  }

  /** Lets go of the encoder. */
  @TearDown
  public void close() {
    requireNonNull(encoder).close();
  }

  /** One collection. */
  @Benchmark
  public long encode() {
    SyntheticMetrics source = requireNonNull(metrics);
    RemoteWriteEncoder to = requireNonNull(encoder);
    to.encode(source, source.nextUnixMillis(), true, sink);
    to.flush(sink);
    return writtenBytes;
  }
}
