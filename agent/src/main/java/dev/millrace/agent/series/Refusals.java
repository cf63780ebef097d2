package dev.millrace.agent.series;

import dev.millrace.model.Problems;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what became of the points of one request that were not simply recorded, and says so. It
 * allocates once for each outcome of a request. Used again and again; not thread-safe.
 */
public final class Refusals {
  /** The most characters of a message: what a client's log line can still show. */
  static final int MAX_MESSAGE_CHARS = 1024;

  /** The most characters of a metric's name in a message. */
  private static final int MAX_NAME_CHARS = 100;

  /** The points that had one outcome. */
  private static final class Tally {
    long points;
    @Nullable String firstMetric;
  }

  private final EnumMap<Outcome, Tally> tallies = new EnumMap<>(Outcome.class);
  private long rejected;
  private boolean any;

  Refusals() {}

  /** Forgets everything. */
  public void clear() {
    if (any) {
      tallies.clear();
      rejected = 0;
      any = false;
    }
  }

  void add(Outcome outcome, long points, ByteSlice metricName) {
    any = true;
    Tally tally = tallies.get(outcome);
    if (tally == null) {
      tally = new Tally();
      String name = metricName.text();
      tally.firstMetric =
          name == null || name.length() <= MAX_NAME_CHARS
              ? name
              : name.substring(0, MAX_NAME_CHARS) + "...";
      tallies.put(outcome, tally);
    }
    tally.points += points;
    if (outcome.rejected()) {
      rejected += points;
    }
  }

  /** How many points are not in the table. */
  public long rejectedPoints() {
    return rejected;
  }

  /** How many points had an outcome. */
  public long count(Outcome outcome) {
    Tally tally = tallies.get(outcome);
    return tally == null ? 0 : tally.points;
  }

  /** What was wrong with the points that are not in the table; at most 1,024 characters. */
  public String message() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Outcome, Tally> entry : tallies.entrySet()) {
      if (entry.getKey().rejected()) {
        long points = entry.getValue().points;
        text.append(text.isEmpty() ? "" : "; ").append(points);
        text.append(points == 1 ? " point, first in " : " points, first in ");
        text.append(detail(entry.getKey(), entry.getValue()));
      }
    }
    if (text.length() > MAX_MESSAGE_CHARS) {
      text.setLength(MAX_MESSAGE_CHARS - 3);
      text.append("...");
    }
    return text.toString();
  }

  /** Counts everything as problems, each kind under {@link #problemName}. */
  void report(Problems problems) {
    if (!any) {
      return;
    }
    for (Map.Entry<Outcome, Tally> entry : tallies.entrySet()) {
      problems
          .kind(problemName(entry.getKey()))
          .add(
              entry.getValue().points,
              () -> "first in " + detail(entry.getKey(), entry.getValue()));
    }
  }

  /** The name of the {@link dev.millrace.model.Problem} that counts an outcome. */
  public static String problemName(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private static String detail(Outcome outcome, Tally tally) {
    String name = tally.firstMetric;
    return "metric "
        + (name == null ? "(of a name that is too long or not UTF-8)" : '"' + name + '"')
        + ": "
        + outcome.explanation();
  }
}
