package dev.millrace.format.remotewrite;

import dev.millrace.model.Series;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Knows which series live. Of several with the same labels the one that a collection shows first is
 * written, and what is known of the labels goes with it. Not thread-safe; belongs to one encoder.
 */
final class SeriesTracker implements SeriesEnds {
  private final SeriesEncoder encoder;
  private final SeriesIndex byIdentity = new SeriesIndex(false);

  /** Has of all series with the same labels the one that is written. */
  private final SeriesIndex byLabels = new SeriesIndex(true);

  /** Series that an incomplete collection has made known, for its time only. */
  private final List<LiveSeries> guests = new ArrayList<>();

  /** Series without a value, until it is known that no other one goes on in their place. */
  private final List<LiveSeries> silent = new ArrayList<>();

  /** Series that have ended, until that is written. */
  private final List<LiveSeries> ended = new ArrayList<>();

  private int generation;
  private boolean complete;

  SeriesTracker(SeriesEncoder encoder) {
    this.encoder = encoder;
  }

  /** The number of this collection. */
  int generation() {
    return generation;
  }

  /** How many series are known. */
  int size() {
    return byIdentity.size();
  }

  /** Begins a collection. */
  void begin(boolean isComplete) {
    generation++;
    complete = isComplete;
  }

  /** The series that is known for an object of the source, or {@code null}. */
  @Nullable LiveSeries known(MetricSeries metric, Series series) {
    LiveSeries expected = metric.expected(series);
    if (expected != null) {
      return expected;
    }
    LiveSeries known = byIdentity.find(series, metric);
    if (known != null && complete) {
      metric.unexpected(known, known.generation != generation);
    }
    return known;
  }

  /** A series for an object of the source that is not known. */
  LiveSeries make(MetricSeries metric, Series series) {
    LiveSeries made = new LiveSeries(series, metric);
    encoder.identify(made);
    LiveSeries owner = byLabels.find(made.hash1, made.hash2);
    if (!complete) {
      if (owner != null) {
        encoder.release(made);
        return owner;
      }
      guests.add(made);
    }
    byIdentity.add(made);
    if (owner == null) {
      byLabels.add(made);
    } else {
      made.secondary = true;
    }
    if (complete) {
      metric.unexpected(made, true);
    }
    return made;
  }

  /**
   * Notes that this collection shows a series.
   *
   * @return whether the series may be written: no other one with the same labels was seen before
   */
  boolean see(LiveSeries series) {
    series.generation = generation;
    return !series.secondary || takeOver(series);
  }

  /** Notes that this collection shows a series without a value. */
  void seeSilent(LiveSeries series, long unixMillis) {
    if (see(series) && !series.stale) {
      series.silentGeneration = generation;
      series.silentUnixMillis = unixMillis;
      silent.add(series);
    }
  }

  /** The series that have no value, to be written as such and cleared. */
  List<LiveSeries> silent() {
    return silent;
  }

  private boolean takeOver(LiveSeries series) {
    LiveSeries owner = byLabels.find(series.hash1, series.hash2);
    if (owner != null) {
      if (owner.generation == generation && owner.silentGeneration != generation) {
        return false;
      }
      series.lastUnixMillis = owner.lastUnixMillis;
      series.lastExemplarUnixMillis = owner.lastExemplarUnixMillis;
      series.stale = owner.stale;
      series.extras = owner.extras;
      series.extraCount = owner.extraCount;
      series.hasSum = owner.hasSum;
      owner.secondary = true;
      byLabels.remove(owner);
    }
    series.secondary = false;
    byLabels.add(series);
    return true;
  }

  /** Takes a series that was not seen in a complete collection. */
  @Override
  public void add(LiveSeries series) {
    ended.add(series);
  }

  /**
   * Forgets the series that have ended.
   *
   * @param withMarkers whether stale markers are written
   */
  void writeEnds(long nowUnixMillis, boolean withMarkers) {
    while (!ended.isEmpty()) {
      LiveSeries series = ended.remove(ended.size() - 1);
      // One that could not be ended in an earlier call may have come back.
      if (series.generation != generation) {
        if (withMarkers && series.isOpen()) {
          long last = series.lastUnixMillis;
          series.metric.writer.writeStale(series, Math.max(nowUnixMillis, last + 1));
        }
        forget(series);
      }
    }
    byIdentity.trim();
    byLabels.trim();
  }

  /** Forgets the series that only an incomplete collection has made known. */
  void dropGuests() {
    for (LiveSeries guest : guests) {
      forget(guest);
    }
    guests.clear();
  }

  private void forget(LiveSeries series) {
    byIdentity.remove(series);
    byLabels.remove(series);
    encoder.release(series);
  }
}
