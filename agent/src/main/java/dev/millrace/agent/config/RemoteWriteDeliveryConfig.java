package dev.millrace.agent.config;

import dev.millrace.bytes.Chunk;
import dev.millrace.export.push.Retry;
import dev.millrace.export.remotewrite.RemoteWriteDelivery;
import dev.millrace.export.remotewrite.RemoteWriteQueue;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * When the requests of an exporter of type {@code prometheusremotewrite} go out, and what may wait.
 * Immutable.
 *
 * @param delivery times and attempts
 * @param queue what may wait, in memory and on disk
 * @param consumers over how many sequences of requests series are spread
 */
public record RemoteWriteDeliveryConfig(
    RemoteWriteDelivery delivery, RemoteWriteQueue queue, int consumers) {
  /** So many requests are under way at most: the distance to a receiver need not slow it down. */
  private static final int DEFAULT_CONSUMERS = 4;

  private static final Duration MIN = Duration.ofMillis(1);
  private static final Duration MAX = Duration.ofMillis(Retry.MAX_MILLIS);

  /** A hundred times as many as by default: lists of that many are still quick to go through. */
  private static final int MAX_REQUESTS = 100_000;

  private static final long MAX_QUEUE_BYTES = 1L << 36;
  private static final long MAX_DISK_BYTES = 1L << 50;

  /** Greater factors reach the longest pause with the second attempt. */
  private static final double MAX_MULTIPLIER = 100;

  /** How the Collector says that there is no end to attempts. */
  private static final Map<String, Boolean> WITHOUT_END =
      new TreeMap<>(Map.of("0", true, "0s", true));

  /** To be refused with a reason, where false would mean something else here. */
  private static final Map<String, Boolean> ALWAYS = new TreeMap<>(Map.of("true", true));

  /** Reads the keys of an exporter's section. */
  static RemoteWriteDeliveryConfig read(Section section) {
    RemoteWriteDelivery defaults = RemoteWriteDelivery.defaults();
    RemoteWriteDelivery delivery =
        section.section("retry_on_failure", within -> readRetry(within, defaults));
    delivery =
        delivery
            .withEndSeriesAtShutdown(false)
            .withTimeoutMillis(
                section
                    .duration("timeout", Duration.ofMillis(defaults.timeoutMillis()), MIN, MAX)
                    .toMillis())
            .withFlushIntervalMillis(
                section
                    .duration(
                        "batch_send_deadline",
                        Duration.ofMillis(defaults.flushIntervalMillis()),
                        Duration.ZERO,
                        MAX)
                    .toMillis());
    RemoteWriteDeliveryConfig queued =
        section.section("remote_write_queue", RemoteWriteDeliveryConfig::readQueue);
    RemoteWriteQueue queue = section.section("disk", within -> readDisk(within, queued.queue));
    return new RemoteWriteDeliveryConfig(delivery, queue, queued.consumers);
  }

  private static RemoteWriteDelivery readRetry(Section section, RemoteWriteDelivery defaults) {
    Retry retry = defaults.retry();
    boolean enabled = section.flag("enabled", true);
    Duration initial =
        section.duration(
            "initial_interval", Duration.ofMillis(retry.initialBackoffMillis()), MIN, MAX);
    Duration max =
        section.duration("max_interval", Duration.ofMillis(retry.maxBackoffMillis()), MIN, MAX);
    double multiplier = section.number("multiplier", retry.backoffMultiplier(), 1, MAX_MULTIPLIER);
    double jitter = section.number("randomization_factor", retry.jitter(), 0, 1);
    // What waits is tried for as long as the queue holds it.
    section.choice("max_elapsed_time", true, WITHOUT_END);
    if (max.compareTo(initial) < 0) {
      section.problem("expected max_interval to be at least initial_interval, found less");
      max = initial;
    }
    return defaults
        .withRetryTooManyRequests(section.flag("retry_on_http_429", true))
        .withRetry(
            new Retry(
                enabled ? retry.maxAttempts() : 1,
                initial.toMillis(),
                max.toMillis(),
                multiplier,
                jitter));
  }

  private static RemoteWriteDeliveryConfig readQueue(Section section) {
    RemoteWriteQueue queue = RemoteWriteQueue.defaults();
    section.choice("enabled", true, ALWAYS);
    queue =
        queue
            .withMaxRequests(
                section.wholeNumber("queue_size", queue.maxRequests(), 1, MAX_REQUESTS))
            .withMaxBytes(
                section.sizeBytes("max_size", queue.maxBytes(), Chunk.SIZE_BYTES, MAX_QUEUE_BYTES));
    return new RemoteWriteDeliveryConfig(
        RemoteWriteDelivery.defaults(),
        queue,
        section.wholeNumber("num_consumers", DEFAULT_CONSUMERS, 1, RemoteWriteLimits.MAX_SHARDS));
  }

  private static RemoteWriteQueue readDisk(Section section, RemoteWriteQueue queue) {
    Path directory = section.file("directory");
    return queue
        .withMaxDiskBytes(section.sizeBytes("max_size", queue.maxDiskBytes(), 1, MAX_DISK_BYTES))
        .withDirectory(directory);
  }
}
