package dev.millrace.benchmarks.otlp;

import static java.util.Objects.requireNonNull;

import dev.millrace.benchmarks.scrape.CountingOutputStream;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * A request of one span that has a name, ids, times and a status and nothing else, so that the
 * resource is most of what differs from row to row: what attributes cost is the difference from the
 * row that has none. One thread, in steady state. Each contestant runs in a JVM of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class ResourceEncodingBenchmark {
  /** Who encodes. */
  @Param({OtlpContestants.MILLRACE, OtlpContestants.OTEL_IMMUTABLE, OtlpContestants.OTEL_REUSABLE})
  public String contestant = "";

  /** What is measured at once, so that reading the clocks does not count. */
  private static final int TIMES = 1_000;

  /** How many attributes the resource has. */
  @Param({"0", "4", "8", "16", "32"})
  public int attributes;

  /** Which resource a request has. */
  @Param public Sameness resource = Sameness.SAME_OBJECT;

  /** How a request's resource relates to that of the request before. */
  public enum Sameness {
    /** It is the same. */
    SAME_OBJECT,
    /** It is another one that is equal. */
    EQUAL_OBJECT
  }

  private final CountingOutputStream out = new CountingOutputStream();
  private final List<List<SpanData>> batches = new ArrayList<>();
  private @Nullable RequestWriter<SpanData> writer;

  /** Records a span, and checks that the contestant writes what its peer writes. */
  @Setup
  public void record() throws IOException {
    batches.clear();
    List<SpanData> batch = List.of(SpanWorkload.plainSpan(Resources.of(attributes)));
    for (int i = 0; i < TIMES; i++) {
      batches.add(batch);
    }
    writer = OtlpContestants.spans(contestant, Reuse.STEADY);
    SameRequest.check(
        ExportTraceServiceRequest.parser(),
        writer,
        OtlpContestants.spans(OtlpContestants.OTEL_IMMUTABLE, Reuse.STEADY),
        batch);
  }

  /**
   * Makes resources that nobody has seen, where that is asked for; what it costs is not measured.
   */
  @Setup(Level.Invocation)
  public void renew() {
    if (resource == Sameness.EQUAL_OBJECT) {
      SpanData span = batches.get(0).get(0);
      batches.replaceAll(batch -> List.of(new OfResource(span, Resources.of(attributes))));
    }
  }

  /** Some requests, one after the other. */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void encode(ExportCost cost) throws IOException {
    RequestWriter<SpanData> used = requireNonNull(writer);
    Iterator<List<SpanData>> next = batches.iterator();
    cost.measure(() -> used.write(next.next(), out), out, TIMES, 1);
  }

  /** A span with another resource. */
  private static final class OfResource extends DelegatingSpanData {
    private final Resource resource;

    OfResource(SpanData span, Resource resource) {
      super(span);
      this.resource = resource;
    }

    @Override
    public Resource getResource() {
      return resource;
    }
  }
}
