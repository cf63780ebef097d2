package dev.millrace.benchmarks.otlp;

import static java.util.Objects.requireNonNull;

import dev.millrace.benchmarks.scrape.CountingOutputStream;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A request of counters with a name, a unit and a description, of one point without attributes
 * each: encoding and writing to a stream that only counts bytes. One thread, in steady state. Each
 * contestant runs in a JVM of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class MetadataEncodingBenchmark {
  /** Who encodes. */
  @Param({OtlpContestants.MILLRACE, OtlpContestants.OTEL_IMMUTABLE, OtlpContestants.OTEL_REUSABLE})
  public String contestant = "";

  /** What is measured at once, so that reading the clocks does not count. */
  private static final int TIMES = 500;

  /** How many counters there are. */
  @Param({"1", "4", "16", "64", "256"})
  public int metrics;

  private final CountingOutputStream out = new CountingOutputStream();
  private ExportCost.@Nullable Operation operation;

  /** Records the counters, and checks that the contestant writes what its peer writes. */
  @Setup
  public void record() throws IOException {
    MetricWorkload workload = MetricWorkload.metadata(metrics);
    RequestWriter<MetricData> writer = OtlpContestants.metrics(contestant);
    SameRequest.check(
        ExportMetricsServiceRequest.parser(),
        writer,
        OtlpContestants.metrics(OtlpContestants.OTEL_IMMUTABLE),
        workload.next());
    operation = () -> writer.write(workload.next(), out);
  }

  /** Some collections, one after the other. */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void encode(ExportCost cost) throws IOException {
    cost.measure(requireNonNull(operation), out, TIMES, metrics);
  }
}
