package dev.millrace.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of files and what is expected of each, in one resource for a person to review:
 *
 * <pre>
 * === the name of the first case
 * the file
 * &gt;&gt;&gt;
 * what is expected
 *
 * === the name of the next
 * </pre>
 */
final class TableOfFiles {
  private static final String BEGIN = "=== ";
  private static final String EXPECTED = ">>>";

  private TableOfFiles() {}

  static List<Case> read(String resource) {
    List<Case> cases = new ArrayList<>();
    String name = "";
    StringBuilder yaml = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    StringBuilder current = yaml;
    for (String line : text(resource).split("\n", -1)) {
      if (line.startsWith(BEGIN)) {
        add(cases, name, yaml, expected);
        name = line.substring(BEGIN.length());
        current = yaml;
      } else if (line.equals(EXPECTED)) {
        current = expected;
      } else {
        current.append(line).append('\n');
      }
    }
    add(cases, name, yaml, expected);
    return cases;
  }

  private static void add(
      List<Case> cases, String name, StringBuilder yaml, StringBuilder expected) {
    if (!name.isEmpty()) {
      cases.add(new Case(name, yaml.toString(), expected.toString().strip()));
    }
    yaml.setLength(0);
    expected.setLength(0);
  }

  private static String text(String resource) {
    try (InputStream in = TableOfFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("expected the resource " + resource + " beside this class");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  record Case(String name, String yaml, String expected) {}
}
