package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.store.foreign.ForeignClient;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A receiver of type {@code multiprocess}: a directory that another multi-process client writes,
 * read at each scrape and never written. Immutable.
 *
 * @param directory where the client's files are
 * @param client whose files they are
 * @param schema the file that tells what client_ruby's files do not; empty for {@code metrics.json}
 *     in the directory, if it is there
 * @param maxSamples the most samples of all files merged, each bucket of a histogram being one;
 *     from 1 to {@link #MAX_MAX_SAMPLES}
 * @param resourceAttributes the attributes of the resource of all metrics, in the order of the file
 */
public record MultiprocessReceiverConfig(
    Path directory,
    ForeignClient client,
    Optional<Path> schema,
    int maxSamples,
    Map<String, String> resourceAttributes)
    implements ReceiverConfig {
  /** The most that the processes of one host are likely to have. */
  public static final int DEFAULT_MAX_SAMPLES = 1_000_000;

  /** Tens of GB of heap; more is a slip of the finger. */
  public static final int MAX_MAX_SAMPLES = 100_000_000;

  private static final Map<String, ForeignClient> CLIENTS =
      new TreeMap<>(
          Map.of(
              "auto", ForeignClient.AUTO,
              "client_ruby", ForeignClient.CLIENT_RUBY,
              "client_python", ForeignClient.CLIENT_PYTHON,
              "prometheus_client_mmap", ForeignClient.PROMETHEUS_CLIENT_MMAP));

  /**
   * Makes a receiver's configuration; the map is copied.
   *
   * @throws IllegalArgumentException if the number of samples is out of range
   */
  public MultiprocessReceiverConfig {
    requireNonNull(directory, "directory");
    requireNonNull(client, "client");
    requireNonNull(schema, "schema");
    if (maxSamples < 1 || maxSamples > MAX_MAX_SAMPLES) {
      throw new IllegalArgumentException(
          "expected maxSamples from 1 to " + MAX_MAX_SAMPLES + ", found " + maxSamples);
    }
    resourceAttributes = Collections.unmodifiableMap(new LinkedHashMap<>(resourceAttributes));
  }

  static MultiprocessReceiverConfig read(Section section) {
    return new MultiprocessReceiverConfig(
        section.directory("directory"),
        section.choice("client", ForeignClient.AUTO, CLIENTS),
        Optional.ofNullable(section.file("schema")),
        section.wholeNumber("max_samples", DEFAULT_MAX_SAMPLES, 1, MAX_MAX_SAMPLES),
        section.texts("resource_attributes"));
  }
}
