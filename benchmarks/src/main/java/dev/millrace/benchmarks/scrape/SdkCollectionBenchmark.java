package dev.millrace.benchmarks.scrape;

import static java.util.Objects.requireNonNull;

import dev.millrace.model.MetricCursor;
import dev.millrace.opentelemetry.MillraceMetricReader;
import java.io.IOException;
import java.io.OutputStream;
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
 * What of a scrape is the OpenTelemetry SDK's own collection, with reusable data: the part that an
 * exporter cannot make faster.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms6g", "-Xmx6g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SdkCollectionBenchmark {
  /** Who collects. */
  @Param({Contestants.MILLRACE})
  public String contestant = "";

  /** How many series there are. */
  @Param({"1000", "10000", "100000", "1000000"})
  public int series;

  private final CountingOutputStream out = new CountingOutputStream();
  private @Nullable Collection collection;

  private static final class Collection implements Contestant {
    private final MillraceMetricReader reader = new MillraceMetricReader();
    private final SdkWorkload workload;

    Collection(int series) {
      workload = SdkWorkload.record(new ScrapeWorkload(series), reader);
    }

    @Override
    public void scrape(OutputStream out) {
      try (MetricCursor cursor = reader.source().open()) {
        if (cursor.metricCount() == 0) {
          throw new IllegalStateException("expected metrics, found none");
        }
      }
    }

    @Override
    public void renewTenth() {
      workload.renewTenth();
    }

    @Override
    public void close() {
      workload.close();
    }
  }

  /** Records the workload. */
  @Setup
  public void record() {
    collection = new Collection(series);
  }

  /** Ends the SDK. */
  @TearDown
  public void close() {
    requireNonNull(collection).close();
  }

  /** One collection. */
  @Benchmark
  public void collect(ScrapeCost cost) throws IOException {
    cost.measure(collection, out);
  }
}
