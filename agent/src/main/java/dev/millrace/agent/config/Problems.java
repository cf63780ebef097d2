package dev.millrace.agent.config;

import dev.millrace.agent.config.ConfigException.Problem;
import java.util.ArrayList;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Gathers the problems of one file while it is read, so that a user mends them all at once. Keeps
 * the first {@value #MAX_KEPT} in the order of the file and counts the others, so that a file of
 * any badness takes bounded memory.
 */
final class Problems {
  /** About a screen: whoever has more than this to mend runs the agent again anyway. */
  static final int MAX_KEPT = 20;

  private final String fileName;
  private final TreeSet<Problem> kept = new TreeSet<>();
  private int omittedCount;

  Problems(String fileName) {
    this.fileName = fileName;
  }

  String fileName() {
    return fileName;
  }

  /**
   * Adds a problem; the same one at the same place counts once.
   *
   * @param message made only if the problem is kept, because a list of known names can be long
   */
  void add(Position at, Supplier<String> message) {
    if (kept.size() == MAX_KEPT && isAfter(at, kept.last())) {
      omittedCount++;
      return;
    }
    add(at, message.get());
  }

  void add(Position at, String message) {
    if (kept.add(new Problem(at.line(), at.column(), message)) && kept.size() > MAX_KEPT) {
      kept.pollLast();
      omittedCount++;
    }
  }

  /** Adds a problem after which reading cannot go on. */
  ConfigException fatal(Position at, String message) {
    add(at, message);
    return toException();
  }

  void throwIfAny() throws ConfigException {
    if (!kept.isEmpty()) {
      throw toException();
    }
  }

  private ConfigException toException() {
    return new ConfigException(fileName, new ArrayList<>(kept), omittedCount);
  }

  private static boolean isAfter(Position at, Problem problem) {
    return at.line() > problem.line()
        || (at.line() == problem.line() && at.column() > problem.column());
  }
}
