package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.disk.DiskQueue;
import dev.millrace.export.push.SendTimer;
import dev.millrace.export.push.Transport;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.format.remotewrite.RequestContent;
import dev.millrace.model.MetricCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sends metrics to one receiver of Prometheus remote write, 1.0 or 2.0.
 *
 * <p><b>Guarantees.</b> Thread-safe. {@link #write} makes requests and queues them: it waits for
 * neither the network nor a disk, only for another thread that is in it. Series are spread over
 * shards; each shard sends its requests in order, one at a time, the first one again and again
 * until the receiver has it or has refused it, so that no sample overtakes another one of its
 * series. What may wait is bounded, in memory and on disk; what goes beyond it is dropped, the
 * oldest first, and counted by {@link DropReason}. Two writers share nothing that blocks.
 *
 * <p>Each source of metrics ({@link MetricCursor#source}) has its own plans and its own series that
 * live, so several sources can be written in turn. The writer keeps those of the last 16.
 *
 * <p>Threads: one daemon thread for time and disk, and those of the HTTP client.
 *
 * <pre>{@code
 * try (RemoteWriter writer =
 *     new RemoteWriter(RemoteWriterOptions.to(URI.create("http://mimir:8080/api/v1/push")), pool)) {
 *   try (MetricCursor cursor = source.open()) {
 *     writer.write(cursor, true);
 *   }
 *   assert writer.flush(10_000) && writer.stats().samples().droppedTotal() == 0;
 * }
 * }</pre>
 */
public final class RemoteWriter implements AutoCloseable {
  /** How long the end of what was aborted is waited for at most; nothing in it waits for peers. */
  private static final long ABORT_MILLIS = 5_000;

  private final RemoteWriterOptions options;
  private final RequestTransport transport;
  private final SendTimer timer;
  private final LongSupplier timeOfDayMillis;
  private final Receiver receiver;
  private final WriteCounters counters = new WriteCounters();
  private final Drops drops;
  private final MemoryQueue memory;
  private final ShardDisks disks;
  private final List<Shard> shards = new ArrayList<>();
  private final RequestCodec codec;
  private final AtomicBoolean flushScheduled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A writer on the system's clock. What an earlier process left in the queue's directory is sent
   * first.
   *
   * @param pool gives the memory of requests
   * @throws java.io.UncheckedIOException if a file of the TLS options cannot be read, or the
   *     queue's directory can be neither made nor read
   * @throws IllegalArgumentException if such a file holds something else than expected, or the
   *     endpoint cannot be used
   */
  public RemoteWriter(RemoteWriterOptions options, ChunkPool pool) {
    this(options, pool, UnaryOperator.identity());
  }

  /**
   * As {@link #RemoteWriter(RemoteWriterOptions, ChunkPool)}, with a say in how requests are sent.
   *
   * @param wrapper makes of a transport, of which there is one for each version, the one that is
   *     used, such as one that sends in another context; it closes what it is given when it is
   *     closed
   */
  public RemoteWriter(
      RemoteWriterOptions options, ChunkPool pool, UnaryOperator<Transport> wrapper) {
    this(options, pool, new HttpRequestTransport(options, pool, wrapper));
  }

  private RemoteWriter(RemoteWriterOptions options, ChunkPool pool, RequestTransport transport) {
    this(
        options,
        pool,
        transport,
        SendTimer.system("millrace-remote-write " + transport.name()),
        System::currentTimeMillis);
  }

  /** A writer on other clocks and another transport, which it closes. */
  RemoteWriter(
      RemoteWriterOptions options,
      ChunkPool pool,
      RequestTransport transport,
      SendTimer timer,
      LongSupplier timeOfDayMillis) {
    this.options = options;
    this.transport = transport;
    this.timer = timer;
    this.timeOfDayMillis = timeOfDayMillis;
    receiver = new Receiver(options.versions());
    drops = new Drops(counters, options.problems(), transport.name());
    int shardCount = options.encoding().limits().shards();
    try {
      disks = ShardDisks.open(options, shardCount, pool);
    } catch (RuntimeException e) {
      transport.close();
      timer.close();
      throw e;
    }
    int earlierCount = disks.earlier().size();
    memory = new MemoryQueue(options.queue(), shardCount + earlierCount, timer::nanoTime);
    Shard.Shared shared =
        new Shard.Shared(
            options,
            transport,
            receiver,
            timer,
            timeOfDayMillis,
            counters,
            drops,
            new EarlierShards(earlierCount),
            this::wakeAll);
    for (int i = 0; i < shardCount; i++) {
      shards.add(new Shard(shared, backlog(i, disks.of(i)), false));
    }
    for (int i = 0; i < earlierCount; i++) {
      shards.add(new Shard(shared, backlog(shardCount + i, disks.earlier().get(i)), true));
    }
    codec = new RequestCodec(options, pool, receiver, this::queue);
    shards.forEach(Shard::start);
  }

  private Backlog backlog(int shard, @Nullable DiskQueue disk) {
    return new Backlog(shard, memory, disk, timer, drops, counters);
  }

  private void wakeAll() {
    shards.forEach(Shard::wake);
  }

  /**
   * Makes requests of metrics and queues them. A request that is not full waits for more, for as
   * long as {@link RemoteWriteDelivery#flushIntervalMillis} says. After {@link #shutdown} it does
   * nothing.
   *
   * @param cursor stays the caller's, who closes it
   * @param complete whether the cursor shows every series that lives, so that those that it does
   *     not show have ended; otherwise it shows only what is new
   */
  public void write(MetricCursor cursor, boolean complete) {
    long intervalMillis = options.delivery().flushIntervalMillis();
    codec.encode(cursor, timeOfDayMillis.getAsLong(), complete, intervalMillis == 0);
    if (intervalMillis > 0 && flushScheduled.compareAndSet(false, true)) {
      timer.schedule(this::flushOpen, TimeUnit.MILLISECONDS.toNanos(intervalMillis));
    }
  }

  private void flushOpen() {
    flushScheduled.set(false);
    codec.flushSoon();
  }

  /** Takes a finished request; called by the one thread that makes requests. */
  private void queue(int shard, Payload request, RequestContent content) {
    counters.queued(content);
    List<QueuedRequest> evicted = new ArrayList<>(0);
    memory.add(shard, request, content, evicted);
    for (QueuedRequest oldest : evicted) {
      drops.add(
          oldest.content(),
          null,
          DropReason.QUEUE_FULL,
          () ->
              "expected at most "
                  + options.queue().maxBytes()
                  + " bytes and "
                  + options.queue().maxRequests()
                  + " requests to wait, found more; the receiver is down or slow");
      oldest.payload().close();
    }
    if (disks.exist() && memory.isHalfFull()) {
      wakeAll();
    } else {
      shards.get(shard).wake();
    }
  }

  /**
   * Sends what is open, and waits for all that was written before: until it is delivered, given up,
   * or on disk.
   *
   * @param timeoutMillis how long to wait at most
   * @return whether all of it came to an end within the time
   */
  public boolean flush(long timeoutMillis) {
    codec.flush();
    return memory.awaitSettled(timeoutMillis);
  }

  /**
   * Takes no more, ends all series if the options say so, waits as {@link #flush} does, then aborts
   * what is left: it goes to the disk, or is dropped and counted. Later calls do nothing.
   *
   * @param timeoutMillis how long to wait at most for the receiver
   * @return whether everything came to an end within the time
   */
  public boolean shutdown(long timeoutMillis) {
    if (!closed.compareAndSet(false, true)) {
      return memory.awaitSettled(0);
    }
    codec.end(options.delivery().endSeriesAtShutdown(), timeOfDayMillis.getAsLong());
    boolean settled = memory.awaitSettled(timeoutMillis);
    shards.forEach(Shard::abandon);
    transport.close();
    awaitShards();
    timer.close();
    disks.close();
    return settled;
  }

  /** An interrupt ends the wait for the receiver; this one is for our own threads. */
  private void awaitShards() {
    boolean interrupted = Thread.interrupted();
    try {
      for (Shard shard : shards) {
        shard.awaitEnd(ABORT_MILLIS);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@link #shutdown} with the timeout of a request. */
  @Override
  public void close() {
    shutdown(options.delivery().timeoutMillis());
  }

  /** What was done so far. Any thread may ask, as often as it likes. */
  public RemoteWriteStats stats() {
    return counters.stats(memory, receiver, disks.droppedItems());
  }

  /** The version of the next request. */
  public RemoteWriteVersion version() {
    return receiver.version();
  }

  /** Where this sends to, for logs and metrics: scheme, host and port. */
  public String name() {
    return transport.name();
  }
}
