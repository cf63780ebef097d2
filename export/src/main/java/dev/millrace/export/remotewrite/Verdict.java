package dev.millrace.export.remotewrite;

import org.jspecify.annotations.Nullable;

/**
 * How to go on after an answer.
 *
 * @param written what the receiver says it has written; {@code null} where it does not say
 * @param reason why what is not written is given up, for those that end the request
 */
record Verdict(Kind kind, @Nullable Written written, DropReason reason) {
  enum Kind {
    /** The request is over: all of it is delivered that was written, or all where nobody says. */
    DELIVERED,
    /** The request is over: none of it is delivered but what was written. */
    REFUSED,
    /** The request is sent again after a pause. */
    RETRY,
    /** The request is sent in two parts. */
    SPLIT,
    /** The request is sent again as 1.0, like all others from now on. */
    FALL_BACK
  }

  static Verdict of(Kind kind) {
    return new Verdict(kind, null, DropReason.REJECTED);
  }
}
