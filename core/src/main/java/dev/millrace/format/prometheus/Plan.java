package dev.millrace.format.prometheus;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.util.List;

/**
 * What one encoder has found out about the metrics of one source, for as long as their list does
 * not change.
 */
final class Plan {
  private final MetricSource source;
  private final long membershipVersion;
  private final byte[] targetInfo;
  private final List<Family> families;
  private final List<Faults.Planned> faults;

  /**
   * A plan for the source and the version that the cursor has.
   *
   * @param targetInfo see {@link #targetInfo}
   * @param families see {@link #families}
   * @param faults see {@link #faults}
   */
  Plan(MetricCursor cursor, byte[] targetInfo, List<Family> families, List<Faults.Planned> faults) {
    this.source = cursor.source();
    this.membershipVersion = cursor.membershipVersion();
    this.targetInfo = targetInfo;
    this.families = families;
    this.faults = faults;
  }

  /** Whether the plan still holds. */
  boolean isFor(MetricCursor cursor) {
    return source == cursor.source() && membershipVersion == cursor.membershipVersion();
  }

  /** The finished bytes of the family {@code target_info}; may be empty. */
  byte[] targetInfo() {
    return targetInfo;
  }

  /** All families, sorted by name. */
  List<Family> families() {
    return families;
  }

  /** What was left out, which counts again in each exposition. */
  List<Faults.Planned> faults() {
    return faults;
  }
}
