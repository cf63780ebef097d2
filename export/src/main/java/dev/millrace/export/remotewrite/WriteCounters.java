package dev.millrace.export.remotewrite;

import static java.util.Objects.requireNonNull;

import dev.millrace.format.remotewrite.RequestContent;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts for {@link RemoteWriteStats}. Thread-safe; counting allocates nothing. */
final class WriteCounters {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** The counts of one kind of thing. */
  private static final class Kind {
    final LongAdder in = new LongAdder();
    final LongAdder sent = new LongAdder();
    final LongAdder retried = new LongAdder();
    private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);

    Kind() {
      for (DropReason reason : DropReason.values()) {
        dropped.put(reason, new LongAdder());
      }
    }

    /** Of so many, this many arrived; the rest was dropped. */
    void ended(long all, long arrived, DropReason reason) {
      long sentOfAll = Math.min(all, arrived);
      sent.add(sentOfAll);
      requireNonNull(dropped.get(reason)).add(all - sentOfAll);
    }

    RemoteWriteStats.Items stats(DropReason other, long otherDropped) {
      Map<DropReason, Long> byReason = new EnumMap<>(DropReason.class);
      dropped.forEach(
          (reason, adder) -> {
            long count = adder.sum() + (reason == other ? otherDropped : 0);
            if (count > 0) {
              byReason.put(reason, count);
            }
          });
      return new RemoteWriteStats.Items(in.sum(), sent.sum(), retried.sum(), byReason);
    }
  }

  private final Kind samples = new Kind();
  private final Kind histograms = new Kind();
  private final Kind exemplars = new Kind();
  private final LongAdder stored = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  void queued(RequestContent content) {
    samples.in.add(content.samples());
    histograms.in.add(content.histograms());
    exemplars.in.add(content.exemplars());
  }

  void requestEnded(long lengthBytes, long tookNanos, boolean taken) {
    requests.increment();
    bytes.add(lengthBytes);
    nanos.add(tookNanos);
    if (!taken) {
      failed.increment();
    }
  }

  void retried(RequestContent content) {
    samples.retried.add(content.samples());
    histograms.retried.add(content.histograms());
    exemplars.retried.add(content.exemplars());
  }

  void stored() {
    stored.increment();
  }

  void delivered(RequestContent content) {
    samples.sent.add(content.samples());
    histograms.sent.add(content.histograms());
    exemplars.sent.add(content.exemplars());
  }

  /**
   * A request ended otherwise than by being delivered whole.
   *
   * @param written what of it arrived; {@code null} for nothing
   * @param reason why the rest did not
   * @return how many samples and histograms did not arrive
   */
  long ended(RequestContent content, @Nullable Written written, DropReason reason) {
    Written arrived = written == null ? new Written(0, 0, 0) : written;
    samples.ended(content.samples(), arrived.samples(), reason);
    histograms.ended(content.histograms(), arrived.histograms(), reason);
    exemplars.ended(content.exemplars(), arrived.exemplars(), reason);
    return Math.max(0, content.samples() - arrived.samples())
        + Math.max(0, content.histograms() - arrived.histograms());
  }

  /** A snapshot. */
  RemoteWriteStats stats(MemoryQueue memory, Receiver receiver, long diskDropped) {
    return new RemoteWriteStats(
        samples.stats(DropReason.DISK_FULL, diskDropped),
        histograms.stats(DropReason.DISK_FULL, 0),
        exemplars.stats(DropReason.DISK_FULL, 0),
        memory.stats(stored.sum()),
        new RemoteWriteStats.Requests(
            requests.sum(), failed.sum(), bytes.sum(), (double) nanos.sum() / NANOS_PER_SECOND),
        receiver.version());
  }
}
