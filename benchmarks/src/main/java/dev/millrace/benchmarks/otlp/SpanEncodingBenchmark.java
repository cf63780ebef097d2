package dev.millrace.benchmarks.otlp;

import static java.util.Objects.requireNonNull;

import dev.millrace.benchmarks.scrape.CountingOutputStream;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.util.List;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * A request of spans of some 342 bytes with eight attributes: encoding and writing to a stream that
 * only counts bytes. One thread. Each contestant runs in a JVM of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SpanEncodingBenchmark {
  /** Who encodes. */
  @Param({OtlpContestants.MILLRACE, OtlpContestants.OTEL_IMMUTABLE, OtlpContestants.OTEL_REUSABLE})
  public String contestant = "";

  /** How many spans are in a batch. */
  @Param("5000")
  public int spans;

  /** What an export finds ready. */
  @Param public Reuse reuse = Reuse.STEADY;

  private final CountingOutputStream out = new CountingOutputStream();
  private ExportCost.@Nullable Operation operation;

  /** Records the spans, and checks that the contestant writes what its peer writes. */
  @Setup
  public void record() throws IOException {
    List<SpanData> batch = SpanWorkload.spans(spans);
    RequestWriter<SpanData> writer = OtlpContestants.spans(contestant, reuse);
    SameRequest.check(
        ExportTraceServiceRequest.parser(),
        writer,
        OtlpContestants.spans(OtlpContestants.OTEL_IMMUTABLE, Reuse.STEADY),
        batch);
    operation = () -> writer.write(batch, out);
  }

  /** One batch. */
  @Benchmark
  public void encode(ExportCost cost) throws IOException {
    cost.measure(requireNonNull(operation), out, 1, spans);
  }
}
