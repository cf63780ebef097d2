package dev.millrace.agent.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths of files and directories, relative to where the agent was started. */
final class PathSyntax {
  /** What is expected of the path of a directory. */
  static final String DIRECTORY = "the path of a directory such as /run/shop/metrics";

  private static final String FILE = "the path of a file";

  private PathSyntax() {}

  /** Reads a path; whether there is such a file is not looked at. */
  static Parsed<Path> parse(Value value) {
    return parse(value, FILE);
  }

  /** Reads the path of a directory; whether there is such a one is not looked at. */
  static Parsed<Path> parseDirectory(Value value) {
    return parse(value, DIRECTORY);
  }

  private static Parsed<Path> parse(Value value, String expected) {
    if (value.text().isEmpty()) {
      return Parsed.not(expected);
    }
    try {
      return Parsed.of(Path.of(value.text()));
    } catch (InvalidPathException e) {
      return Parsed.not(expected, "it has a character that no path can have");
    }
  }
}
