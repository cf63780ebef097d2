package dev.millrace.agent.config;

import java.io.Serializable;
import java.util.List;

/**
 * A configuration that cannot be used, with everything that is wrong in it.
 *
 * <p>The message has one line for each problem, {@code file:line:column: message}, in the order of
 * the file; it is made for a user to read and has no stack trace's help to give. A value that came
 * from an environment variable is never in it: the variable is named instead.
 *
 * <p>Immutable.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String fileName;
  private final Problem[] problems;
  private final int omittedCount;

  ConfigException(String fileName, List<Problem> problems, int omittedCount) {
    super(format(fileName, problems, omittedCount));
    this.fileName = fileName;
    this.problems = problems.toArray(new Problem[0]);
    this.omittedCount = omittedCount;
  }

  /** The file as the user named it. */
  public String fileName() {
    return fileName;
  }

  /** What is wrong, in the order of the file; at least one and at most 20 problems. */
  public List<Problem> problems() {
    return List.of(problems);
  }

  /** How many further problems were found and are not in {@link #problems()}; 0 or more. */
  public int omittedCount() {
    return omittedCount;
  }

  /** The line of the first problem, from 1; 0 if it is about the file as a whole. */
  public int line() {
    return problems[0].line();
  }

  /**
   * The column of the first problem in code points, from 1; 0 if it is about the file as a whole.
   */
  public int column() {
    return problems[0].column();
  }

  private static String format(String fileName, List<Problem> problems, int omittedCount) {
    String shownName = Shown.clean(fileName, Integer.MAX_VALUE);
    StringBuilder text = new StringBuilder();
    for (Problem problem : problems) {
      if (!text.isEmpty()) {
        text.append('\n');
      }
      text.append(problem.format(shownName));
    }
    if (omittedCount > 0) {
      text.append('\n').append(shownName).append(": and ").append(omittedCount).append(" more");
    }
    return text.toString();
  }

  /**
   * One thing that is wrong.
   *
   * @param line the line, from 1; 0 if the problem is about the file as a whole
   * @param column the column in code points, from 1; 0 if the problem is about the file as a whole
   * @param message what was expected, what was found, what to do; one line
   */
  public record Problem(int line, int column, String message)
      implements Comparable<Problem>, Serializable {
    private static final long serialVersionUID = 1L;

    /** Orders by line, then column, then message. */
    @Override
    public int compareTo(Problem other) {
      if (line != other.line) {
        return Integer.compare(line, other.line);
      }
      if (column != other.column) {
        return Integer.compare(column, other.column);
      }
      return message.compareTo(other.message);
    }

    private String format(String fileName) {
      return line == 0
          ? fileName + ": " + message
          : fileName + ":" + line + ":" + column + ": " + message;
    }
  }
}
