package dev.millrace.agent.config;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Says what is wrong with text that is not YAML, with a hint at the mistakes that the parser's
 * words do not explain.
 */
final class YamlSyntaxError {
  /** The parser's words may quote the file; what they say themselves is shorter than this. */
  private static final int MAX_PROBLEM_CHARS = 160;

  private YamlSyntaxError() {}

  static Position position(MarkedYamlEngineException e) {
    Position at = Position.of(e.getProblemMark().or(e::getContextMark));
    String line = line(e);
    return hasTabInIndentation(line) ? new Position(at.line(), line.indexOf('\t') + 1) : at;
  }

  static String message(MarkedYamlEngineException e) {
    String before = e.getProblemMark().map(YamlSyntaxError::before).orElse("");
    String from = e.getProblemMark().map(YamlSyntaxError::from).orElse("");
    if (hasTabInIndentation(line(e))) {
      return "not valid YAML: a tab in the indentation; replace it with spaces";
    }
    if (from.startsWith("@") || from.startsWith("`") || from.startsWith("%")) {
      return "not valid YAML: a value cannot begin with " + from.charAt(0) + "; put it in quotes";
    }
    return "not valid YAML: "
        + Shown.clean(String.valueOf(e.getProblem()), MAX_PROBLEM_CHARS)
        + context(e)
        + "; "
        + hint(before, from);
  }

  private static String line(MarkedYamlEngineException e) {
    return e.getProblemMark().map(mark -> before(mark) + from(mark)).orElse("");
  }

  private static boolean hasTabInIndentation(String line) {
    int i = 0;
    while (i < line.length() && line.charAt(i) == ' ') {
      i++;
    }
    return i < line.length() && line.charAt(i) == '\t';
  }

  /**
   * The context says what the parser was in; the place where that began is often where the mistake
   * is.
   */
  private static String context(MarkedYamlEngineException e) {
    String context = e.getContext();
    Optional<Mark> mark = e.getContextMark();
    if (context == null || context.isEmpty() || mark.isEmpty()) {
      return "";
    }
    return " "
        + Shown.clean(context, MAX_PROBLEM_CHARS)
        + " that starts in line "
        + (mark.get().getLine() + 1);
  }

  private static String hint(String before, String from) {
    if (from.startsWith("{") && before.endsWith("$")) {
      return "write a ${...} that stands between [ ] or { } in quotes";
    }
    if (from.startsWith("[:") || from.startsWith("::") || from.startsWith("]:")) {
      return "write an address with brackets in quotes, such as \"[::1]:4318\"";
    }
    if (from.startsWith(":")) {
      return "check the indentation, and write a value that holds \": \" in quotes";
    }
    return "check the indentation and the quotes here and in the lines above";
  }

  /** What stands before the mark in its line. */
  private static String before(Mark mark) {
    int[] buffer = mark.getBuffer();
    int end = Math.min(mark.getPointer(), buffer.length);
    int start = end;
    while (start > 0 && buffer[start - 1] != '\n') {
      start--;
    }
    return new String(buffer, start, end - start);
  }

  /** What stands at and after the mark in its line. */
  private static String from(Mark mark) {
    int[] buffer = mark.getBuffer();
    int start = Math.min(mark.getPointer(), buffer.length);
    int end = start;
    while (end < buffer.length && buffer[end] != '\n') {
      end++;
    }
    return new String(buffer, start, end - start);
  }
}
