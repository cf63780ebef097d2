package dev.millrace.format.prometheus;

import dev.millrace.format.translation.BlockText;
import dev.millrace.format.translation.Family;
import dev.millrace.model.MetricCursor;
import java.util.Arrays;

/**
 * The rules that OpenMetrics 1.0.0 has for state sets: each sample is 0 or 1 and has a label with
 * the family's name, and the samples that differ in that label only stand together. A source need
 * not give them in such an order; a state set that breaks a rule is a gauge, with the same samples.
 *
 * <p>Not thread-safe; it keeps its memory between families.
 */
final class StateSets {
  private final SeenBlocks groups;
  private boolean inGroup;
  private long group;

  StateSets(boolean targetLabels) {
    groups = SeenBlocks.ofText(targetLabels);
  }

  /** Begins a family. */
  void begin() {
    groups.clear();
    inGroup = false;
  }

  /** Ends an exposition. */
  void trim() {
    groups.trim();
  }

  /** Whether the sample on which the cursor stands can follow those that were accepted before. */
  boolean accept(MetricCursor cursor, Family family, LabelBlocks labels) {
    double value = cursor.isLong() ? cursor.longValue() : cursor.doubleValue();
    byte[] block = labels.bytes();
    if ((value != 0 && value != 1) || !hasLabel(block, labels.lengthBytes(), family.stateLabel)) {
      return false;
    }
    boolean first = groups.addWithout(block, labels.lengthBytes(), family.stateLabel);
    if (!first && !(inGroup && groups.lastHash() == group)) {
      return false;
    }
    inGroup = true;
    group = groups.lastHash();
    return true;
  }

  private static boolean hasLabel(byte[] block, int lengthBytes, byte[] name) {
    int at = 1;
    while (at < lengthBytes) {
      int nameEnd = BlockText.nameEnd(block, at);
      if (Arrays.equals(block, at, nameEnd, name, 0, name.length)) {
        return true;
      }
      at = BlockText.next(block, lengthBytes, BlockText.quoteEnd(block, nameEnd + 2));
    }
    return false;
  }
}
