package dev.millrace.agent.config;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * A place in a configuration file.
 *
 * @param line the line, from 1; 0 for the file as a whole
 * @param column the column in code points, from 1; 0 for the file as a whole
 */
record Position(int line, int column) {
  static final Position WHOLE_FILE = new Position(0, 0);

  static Position of(Optional<Mark> mark) {
    return mark.isPresent()
        ? new Position(mark.get().getLine() + 1, mark.get().getColumn() + 1)
        : WHOLE_FILE;
  }
}
