package dev.millrace.export.remotewrite;

import dev.millrace.format.remotewrite.RemoteWriteVersion;
import java.util.Map;

/**
 * What a {@link RemoteWriter} has done so far: a snapshot, taken without stopping anything, so its
 * numbers may be a few requests apart.
 *
 * @param samples samples with a floating-point value, stale markers among them
 * @param histograms samples that are native histograms
 * @param exemplars exemplars
 * @param queue what waits in memory now
 * @param requests what was sent
 * @param version the version of the next request
 */
public record RemoteWriteStats(
    Items samples,
    Items histograms,
    Items exemplars,
    Queue queue,
    Requests requests,
    RemoteWriteVersion version) {
  /**
   * What became of the things of one kind, counted since the writer was made. What was queued on
   * disk by an earlier process counts when it is sent, but not as {@code in}.
   *
   * @param in given to the queue
   * @param sent taken by the receiver
   * @param retried sent once more, counted for each time
   * @param dropped given up, by reason; reasons that never occurred are left out
   */
  public record Items(long in, long sent, long retried, Map<DropReason, Long> dropped) {
    /** Copies what could change. */
    public Items {
      dropped = Map.copyOf(dropped);
    }

    /** All that were given up. */
    public long droppedTotal() {
      return dropped.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * What waits in memory, requests under way among them. What waits on disk is not in it.
   *
   * @param requests requests
   * @param items samples and histograms in them
   * @param bytes their length
   * @param oldestAgeMillis how long the oldest has waited, in milliseconds; 0 where none waits
   * @param stored requests that went to the disk since the writer was made
   */
  public record Queue(long requests, long items, long bytes, long oldestAgeMillis, long stored) {}

  /**
   * Requests that ended, since the writer was made.
   *
   * @param count how many there were, attempts counted one by one
   * @param failed how many of them the receiver did not take
   * @param bytes how many bytes of bodies were sent, attempts counted one by one
   * @param seconds how long they took in sum
   */
  public record Requests(long count, long failed, long bytes, double seconds) {}
}
