package dev.millrace.format.remotewrite;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A label that tells the series of one histogram or summary apart: {@code le} or {@code quantile},
 * with its value in canonical form (OpenMetrics 1.0.0, "Considerations: Canonical Numbers").
 */
final class ExtraLabel {
  static final byte[] LE = "le".getBytes(StandardCharsets.US_ASCII);
  static final byte[] QUANTILE = "quantile".getBytes(StandardCharsets.US_ASCII);

  /** The label's value; nobody may change it. */
  final byte[] value;

  /** The value's number in each shard's table, or {@code null} where the shard has not used it. */
  final @Nullable Symbol[] symbols;

  ExtraLabel(byte[] value, int shards) {
    this.value = value;
    this.symbols = new @Nullable Symbol[shards];
  }
}
