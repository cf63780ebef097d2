package dev.millrace.agent.http;

/** Describes failures that are faults of this program, for one line of the log. */
final class Failures {
  private Failures() {}

  /** The failure and the place it comes from. */
  static String describe(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return failure + (trace.length == 0 ? "" : " at " + trace[0]) + "; please report this";
  }
}
