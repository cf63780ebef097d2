package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A receiver of type {@code millrace_store}: a directory that the instruments of {@code
 * dev.millrace.store} write, read at each scrape. Immutable.
 *
 * @param directory where the processes' files are
 * @param retire whether the agent folds the values of dead processes into the totals file; it
 *     writes to the directory then, and makes it where it is missing
 * @param retireInterval how often it looks for dead processes; from {@link #MIN_RETIRE_INTERVAL} to
 *     {@link #MAX_RETIRE_INTERVAL}
 * @param resourceAttributes the attributes of the resource of all metrics, in the order of the file
 */
public record MillraceStoreReceiverConfig(
    Path directory, boolean retire, Duration retireInterval, Map<String, String> resourceAttributes)
    implements ReceiverConfig {
  /** What a store's own processes do. */
  public static final Duration DEFAULT_RETIRE_INTERVAL = Duration.ofSeconds(30);

  /** More often is work for nothing: a process that died counts all the same until then. */
  public static final Duration MIN_RETIRE_INTERVAL = Duration.ofSeconds(1);

  /** A day: less often is never by another name. */
  public static final Duration MAX_RETIRE_INTERVAL = Duration.ofDays(1);

  /**
   * Makes a receiver's configuration; the map is copied.
   *
   * @throws IllegalArgumentException if the interval is out of range
   */
  public MillraceStoreReceiverConfig {
    requireNonNull(directory, "directory");
    if (retireInterval.compareTo(MIN_RETIRE_INTERVAL) < 0
        || retireInterval.compareTo(MAX_RETIRE_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "expected retireInterval from 1 s to 24 h, found " + retireInterval);
    }
    resourceAttributes = Collections.unmodifiableMap(new LinkedHashMap<>(resourceAttributes));
  }

  static MillraceStoreReceiverConfig read(Section section) {
    return new MillraceStoreReceiverConfig(
        section.directory("directory"),
        section.flag("retire", true),
        section.duration(
            "retire_interval", DEFAULT_RETIRE_INTERVAL, MIN_RETIRE_INTERVAL, MAX_RETIRE_INTERVAL),
        section.texts("resource_attributes"));
  }
}
