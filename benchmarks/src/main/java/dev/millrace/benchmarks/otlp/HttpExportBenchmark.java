package dev.millrace.benchmarks.otlp;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Batches of 10,000 spans, one after the other, through each contestant's own HTTP exporter to a
 * receiver in a process of its own. What is counted is what the exporting process spends, transport
 * included: an operation is all batches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class HttpExportBenchmark {
  /** Who encodes. */
  @Param({OtlpContestants.MILLRACE, OtlpContestants.OTEL_IMMUTABLE, OtlpContestants.OTEL_REUSABLE})
  public String contestant = "";

  /** How many spans are in a batch. */
  @Param("10000")
  public int spans;

  /** How many batches are exported. */
  @Param({"1", "10", "20"})
  public int batches;

  private List<SpanData> batch = List.of();
  private @Nullable ReceiverProcess receiver;
  private @Nullable SpanExporter exporter;
  private long requestBytes;

  /** Records the spans, starts the receiver, and checks that a whole batch gets there. */
  @Setup
  public void start() throws IOException {
    batch = SpanWorkload.spans(spans);
    ReceiverProcess started = new ReceiverProcess(OtlpReceiver.Protocol.HTTP);
    receiver = started;
    SpanExporter made = SpanExporters.create(contestant, OtlpReceiver.Protocol.HTTP, started.uri());
    exporter = made;
    SpanExporters.export(made, batch, 1);
    requestBytes = started.receivedBytes();
    long expected =
        SameRequest.bytes(OtlpContestants.spans(contestant, Reuse.STEADY), batch).length;
    if (requestBytes != expected) {
      throw new IllegalStateException(
          "expected " + expected + " bytes from " + contestant + ", found " + requestBytes);
    }
  }

  /** Ends the exporter and the receiver. */
  @TearDown
  public void stop() {
    requireNonNull(exporter).close();
    requireNonNull(receiver).close();
  }

  /** The batches, each when the one before has arrived. */
  @Benchmark
  public void export(ExportCost cost) throws IOException {
    SpanExporter used = requireNonNull(exporter);
    cost.measureProcess(
        () -> SpanExporters.export(used, batch, batches),
        batches * requestBytes,
        (long) batches * spans);
  }
}
