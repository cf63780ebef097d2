package dev.millrace.format.remotewrite;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;

/** Counts points that were left out because of their time. Not thread-safe. */
final class Losses {
  private final Problem tooOldKind;
  private final Problem outOfOrderKind;
  private long tooOld;
  private long outOfOrder;

  Losses(Problems problems) {
    tooOldKind = problems.kind("remote_write_too_old");
    outOfOrderKind = problems.kind("remote_write_out_of_order");
  }

  void countTooOld() {
    tooOld++;
  }

  void countOutOfOrder() {
    outOfOrder++;
  }

  /** Reports what was counted since the last report. */
  void report() {
    if (tooOld > 0) {
      tooOldKind.add(tooOld, Losses::describeTooOld);
      tooOld = 0;
    }
    if (outOfOrder > 0) {
      outOfOrderKind.add(outOfOrder, Losses::describeOutOfOrder);
      outOfOrder = 0;
    }
  }

  private static String describeTooOld() {
    return "expected points no older than the limit, found older ones; they are left out; find out"
        + " why they come late, or raise the limit if the receiver takes them";
  }

  private static String describeOutOfOrder() {
    return "expected points no older than the last one of their series, found older ones; they are"
        + " left out; give each producer labels of its own, or mend its clock";
  }
}
