package dev.millrace.model;

/** Something that metrics can be read from. Thread-safe. */
public interface MetricSource {
  /**
   * Begins a collection. The source has the lock that a collection needs, if it needs one: callers
   * wait here, and nowhere else, until the source can serve them.
   *
   * @return a cursor for the calling thread, which closes it when done
   */
  MetricCursor open();
}
