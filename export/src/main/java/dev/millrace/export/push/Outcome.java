package dev.millrace.export.push;

import org.jspecify.annotations.Nullable;

/**
 * What became of the items of one export. Their sum is the number of items that went in.
 *
 * @param delivered items that the receiver has
 * @param rejected items that it rejected in replies of partial success
 * @param stored items that are on disk and will be sent later
 * @param lost items that are gone
 * @param failure the last failure; {@code null} where there was none
 */
public record Outcome(
    int delivered, int rejected, int stored, int lost, @Nullable SendResult failure) {
  /** Whether nothing was lost, and nothing rejected. */
  public boolean succeeded() {
    return lost == 0 && rejected == 0;
  }
}
