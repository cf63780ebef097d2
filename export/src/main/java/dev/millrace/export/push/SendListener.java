package dev.millrace.export.push;

/** Hears of one export. Called by one thread at a time; should not block. */
public interface SendListener {
  /**
   * The receiver took a request: once for each payload that the export was split into.
   *
   * @param items how many items were in it
   * @param result with the reply's body
   * @return how many of the items the reply says were rejected, 0 to {@code items}
   */
  int accepted(int items, SendResult result);

  /** The export is over. Called exactly once, last. */
  void done(Outcome outcome);
}
