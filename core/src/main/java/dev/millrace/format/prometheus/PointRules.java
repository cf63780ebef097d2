package dev.millrace.format.prometheus;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Which points of a type of family can be written in a format, and with which labels. */
interface PointRules {
  /** Names of labels that the format gives samples of the family's type. */
  byte[][] reservedNames();

  /**
   * Looks at the point on which the cursor stands, and prepares to write it.
   *
   * @return what keeps it from being written, or {@code null}
   */
  @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member);
}
