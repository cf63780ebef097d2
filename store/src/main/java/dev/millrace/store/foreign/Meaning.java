package dev.millrace.store.foreign;

import dev.millrace.store.file.MergeMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for all samples of one file and is needed to read a key: two files with the same
 * meaning read the same key as the same sample. Immutable.
 *
 * @param client whose keys these are; {@link ForeignClient#AUTO} until the first key has told
 * @param type the type of all metrics in the file
 * @param mode how the values of several processes become one
 * @param metric the name of the file's only metric; {@code null} where the keys tell
 * @param help of that metric; empty where the keys tell
 * @param pid the value of the label {@code pid}, which the reader adds; {@code null} for none
 * @param bounds of a histogram, rising and finite, where they are known beforehand; empty else
 */
record Meaning(
    ForeignClient client,
    ForeignType type,
    MergeMode mode,
    @Nullable String metric,
    String help,
    @Nullable String pid,
    List<Double> bounds) {
  static final double[] NO_BOUNDS = {};
  static final byte[] NO_BYTES = {};

  /** Whether a bucket holds all that the buckets below it hold. */
  boolean cumulative() {
    return client == ForeignClient.PROMETHEUS_CLIENT_MMAP && type == ForeignType.HISTOGRAM;
  }

  Meaning of(ForeignClient found) {
    return new Meaning(found, type, mode, metric, help, pid, bounds);
  }
}
