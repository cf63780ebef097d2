package dev.millrace.benchmarks.store;

import static java.util.Objects.requireNonNull;

import dev.millrace.benchmarks.store.Workload.LabelSet;
import dev.millrace.store.Counter;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import java.io.IOException;
import java.util.ArrayList;
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
import org.openjdk.jmh.infra.Blackhole;

/** Recording in a series with a long label value, in a directory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
public class RecordBenchmark {
  /** Far more than reading the thread's clock takes. */
  private static final int OUR_COUNT = 100_000;

  private static final int PEERS_COUNT = 2_000;

  /** Who records. */
  @Param({
    DirectoryContestants.MILLRACE,
    "client_ruby-4.2.5",
    "client_ruby-5",
    "prometheus-client-mmap",
    "client_python"
  })
  public String contestant = "";

  private @Nullable Recorder recorder;

  /** Opens a directory of one process. */
  @Setup
  public void open() throws IOException {
    recorder =
        contestant.equals(DirectoryContestants.MILLRACE)
            ? new StoreRecorder()
            : new PeerRecorder(Peer.of(contestant));
  }

  /** Ends what was started. */
  @TearDown
  public void close() throws IOException {
    if (recorder != null) {
      recorder.close();
    }
  }

  /** One observation and one increment, each in a series that is at hand. */
  @Benchmark
  public void pair(StoreCost cost) throws IOException {
    requireNonNull(recorder).pairs(cost);
  }

  /** Finds a series by its label values. */
  @Benchmark
  public void lookup(StoreCost cost, Blackhole found) throws IOException {
    requireNonNull(recorder).lookups(cost, found);
  }

  private interface Recorder extends AutoCloseable {
    void pairs(StoreCost cost) throws IOException;

    void lookups(StoreCost cost, Blackhole found) throws IOException;

    @Override
    void close() throws IOException;
  }

  private static final class StoreRecorder implements Recorder {
    private final ScratchFolder scratch = new ScratchFolder();
    private final MetricStore store = MetricStore.open(scratch.directory());
    private final Histogram histogram = StoreWriter.histogram(store);
    private final List<LabelSet> sets = new ArrayList<>();
    private final Histogram.Series observed;
    private final Counter.Series incremented;

    StoreRecorder() throws IOException {
      LabelSet middle = Workload.SEED.middle();
      Counter counter =
          store
              .counter(Workload.COUNTER)
              .labelNames(Workload.DATABASE, Workload.STATEMENT)
              .create();
      incremented = counter.labels(middle.database(), middle.statement());
      observed = histogram.labels(middle.database(), middle.statement());
      for (LabelSet set : Workload.SEED.labelSets()) {
        histogram.labels(set.database(), set.statement()).observe(1);
        // An application's strings are equal to those that it began with, not the same.
        sets.add(new LabelSet(copy(set.database()), copy(set.statement())));
      }
    }

    private static String copy(String text) {
      return String.valueOf(text.toCharArray());
    }

    @Override
    public void pairs(StoreCost cost) {
      cost.begin();
      for (int i = 0; i < OUR_COUNT; i++) {
        observed.observe(0.03);
        incremented.increment();
      }
      cost.end(OUR_COUNT, 0);
    }

    @Override
    public void lookups(StoreCost cost, Blackhole found) {
      cost.begin();
      int set = 0;
      for (int i = 0; i < OUR_COUNT; i++) {
        LabelSet labels = sets.get(set);
        found.consume(histogram.labels(labels.database(), labels.statement()));
        set = set + 1 == sets.size() ? 0 : set + 1;
      }
      cost.end(OUR_COUNT, 0);
    }

    @Override
    public void close() throws IOException {
      store.close();
      scratch.close();
    }
  }

  private static final class PeerRecorder implements Recorder {
    private final ScratchFolder scratch = new ScratchFolder();
    private final PeerProcess process;

    PeerRecorder(Peer peer) throws IOException {
      process = PeerProcess.start(peer, Workload.SEED, scratch.directory(), scratch.path());
      process.ask("open pair");
    }

    @Override
    public void pairs(StoreCost cost) throws IOException {
      cost.add(process.ask("pair " + PEERS_COUNT), PEERS_COUNT);
    }

    @Override
    public void lookups(StoreCost cost, Blackhole found) throws IOException {
      cost.add(process.ask("lookup " + PEERS_COUNT), PEERS_COUNT);
    }

    @Override
    public void close() throws IOException {
      process.close();
      scratch.close();
    }
  }
}
