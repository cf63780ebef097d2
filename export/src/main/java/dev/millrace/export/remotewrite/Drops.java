package dev.millrace.export.remotewrite;

import dev.millrace.format.remotewrite.RequestContent;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts what goes wrong, and logs it, each kind once a minute. Thread-safe. */
final class Drops {
  private final WriteCounters counters;
  private final Map<DropReason, Problem> dropped = new EnumMap<>(DropReason.class);
  private final Problem attemptFailed;
  private final Problem fellBack;
  private final String receiver;

  Drops(WriteCounters counters, Problems problems, String receiver) {
    this.counters = counters;
    this.receiver = receiver;
    for (DropReason reason : DropReason.values()) {
      dropped.put(reason, problems.kind("remote_write_" + reason.label()));
    }
    attemptFailed = problems.kind("remote_write_attempt_failed");
    fellBack = problems.kind("remote_write_version_fallback");
  }

  /**
   * A request came to an end otherwise than by being delivered whole.
   *
   * @param written what of it arrived; {@code null} for nothing
   * @param reason why the rest did not
   * @param detail what the receiver said, or what else the matter is; without secrets
   */
  void add(
      RequestContent content,
      @Nullable Written written,
      DropReason reason,
      Supplier<String> detail) {
    long items = counters.ended(content, written, reason);
    Problem problem = dropped.get(reason);
    if (problem != null && items > 0) {
      problem.add(items, () -> "samples dropped; " + receiver + ": " + detail.get());
    }
  }

  /** A request will be sent again. */
  void attemptFailed(String reason) {
    attemptFailed.add(1, () -> "requests that are sent again; " + reason);
  }

  /** The receiver lacks 2.0. */
  void fellBack(String reason) {
    fellBack.add(
        1,
        () ->
            receiver
                + ": expected a receiver of remote write 2.0, found one that lacks it"
                + " ("
                + (reason.isEmpty() ? "success, but no counts of what was written" : reason)
                + "); 1.0 is sent from here on");
  }
}
