package dev.millrace.export.push;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import org.jspecify.annotations.Nullable;

/** Counts and logs what a sender could not send. Thread-safe. */
final class Losses {
  private final Problem lost;
  private final Problem refused;
  private final Problem split;
  private final Problem listener;

  Losses(Problems problems) {
    lost = problems.kind(Sender.LOST);
    refused = problems.kind(Sender.REFUSED);
    split = problems.kind("export_split_failed");
    listener = problems.kind("export_listener_failed");
  }

  void lost(int items, @Nullable SendResult reason, String transport) {
    lost.add(
        items,
        () ->
            "items lost, which could not be sent; "
                + (reason == null ? transport + ": the sender was shut down" : reason.reason()));
  }

  void refused(int items, SendResult reason) {
    refused.add(items, () -> "items lost; " + reason.reason());
  }

  void splitFailed(RuntimeException e) {
    split.add(1, () -> "expected to split a payload, found " + e);
  }

  void listenerFailed(RuntimeException e) {
    listener.add(1, () -> "expected a listener that returns, found " + e);
  }
}
