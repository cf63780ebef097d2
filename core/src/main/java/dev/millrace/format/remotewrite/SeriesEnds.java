package dev.millrace.format.remotewrite;

/** Is told of series that have ended. */
@FunctionalInterface
interface SeriesEnds {
  void add(LiveSeries series);
}
