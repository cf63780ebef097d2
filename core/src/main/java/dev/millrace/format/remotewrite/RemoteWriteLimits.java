package dev.millrace.format.remotewrite;

/**
 * How large requests may become, and how old what is in them. Immutable.
 *
 * @param shards over how many sequences of requests series are spread, from 1 to {@value
 *     #MAX_SHARDS}
 * @param maxSamples how many samples and histograms a request holds at most; 1 or more
 * @param maxRequestBytes how many bytes a request has at most before compression, from {@value
 *     #MIN_REQUEST_BYTES} to {@value #MAX_REQUEST_BYTES}; a series that alone is larger goes alone
 * @param maxAgeMillis samples that are older are dropped and counted; 0 for no such limit
 */
public record RemoteWriteLimits(
    int shards, int maxSamples, int maxRequestBytes, long maxAgeMillis) {
  /** As many as Prometheus itself has senders for one endpoint at most unless told otherwise. */
  public static final int MAX_SHARDS = 50;

  /** Less than that has no room for labels of usual length. */
  public static final int MIN_REQUEST_BYTES = 1024;

  /** What Prometheus' own receiver decompresses at most: 32 MiB. */
  public static final int MAX_REQUEST_BYTES = 32 * 1024 * 1024;

  /** One shard, 2,000 samples (as Prometheus sends them), 3 MB, and no limit to the age. */
  public static final RemoteWriteLimits DEFAULT = new RemoteWriteLimits(1, 2_000, 3_000_000, 0);

  /** Limits, checked. */
  public RemoteWriteLimits {
    require("shards", shards, 1, MAX_SHARDS);
    require("maxSamples", maxSamples, 1, Integer.MAX_VALUE);
    require("maxRequestBytes", maxRequestBytes, MIN_REQUEST_BYTES, MAX_REQUEST_BYTES);
    require("maxAgeMillis", maxAgeMillis, 0, Long.MAX_VALUE);
  }

  /** These limits with another number of shards. */
  public RemoteWriteLimits withShards(int shards) {
    return new RemoteWriteLimits(shards, maxSamples, maxRequestBytes, maxAgeMillis);
  }

  /** These limits with another number of samples in a request. */
  public RemoteWriteLimits withMaxSamples(int maxSamples) {
    return new RemoteWriteLimits(shards, maxSamples, maxRequestBytes, maxAgeMillis);
  }

  /** These limits with another number of bytes in a request. */
  public RemoteWriteLimits withMaxRequestBytes(int maxRequestBytes) {
    return new RemoteWriteLimits(shards, maxSamples, maxRequestBytes, maxAgeMillis);
  }

  /** These limits with another age. */
  public RemoteWriteLimits withMaxAgeMillis(long maxAgeMillis) {
    return new RemoteWriteLimits(shards, maxSamples, maxRequestBytes, maxAgeMillis);
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + ": expected " + least + " to " + most + ", found " + value);
    }
  }
}
