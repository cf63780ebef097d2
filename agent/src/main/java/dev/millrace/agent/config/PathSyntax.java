package dev.millrace.agent.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths of files, relative to where the agent was started. */
final class PathSyntax {
  private static final String EXPECTED = "the path of a file";

  private PathSyntax() {}

  /** Reads a path; whether there is such a file is not looked at. */
  static Parsed<Path> parse(Value value) {
    if (value.text().isEmpty()) {
      return Parsed.not(EXPECTED);
    }
    try {
      return Parsed.of(Path.of(value.text()));
    } catch (InvalidPathException e) {
      return Parsed.not(EXPECTED, "it has a character that no path can have");
    }
  }
}
