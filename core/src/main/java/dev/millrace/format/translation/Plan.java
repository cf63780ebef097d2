package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one encoder has found out about the metrics of one source, for as long as their list does
 * not change.
 */
public final class Plan {
  private final MetricSource source;
  private final long membershipVersion;
  private final @Nullable TargetInfo targets;
  private final byte[] targetInfo;
  private final List<Family> families;
  private final List<Faults.Planned> faults;

  /**
   * A plan for the source and the version that the cursor has.
   *
   * @param targets see {@link #targets}
   * @param targetInfo see {@link #targetInfo}
   * @param families see {@link #families}
   * @param faults see {@link #faults}
   */
  public Plan(
      MetricCursor cursor,
      @Nullable TargetInfo targets,
      byte[] targetInfo,
      List<Family> families,
      List<Faults.Planned> faults) {
    this.source = cursor.source();
    this.membershipVersion = cursor.membershipVersion();
    this.targets = targets;
    this.targetInfo = targetInfo;
    this.families = families;
    this.faults = faults;
  }

  /** Whether the plan still holds. */
  public boolean isFor(MetricCursor cursor) {
    return source == cursor.source() && membershipVersion == cursor.membershipVersion();
  }

  /** What the family {@code target_info} is made of; {@code null} where none is wanted. */
  public @Nullable TargetInfo targets() {
    return targets;
  }

  /** The finished bytes of the family {@code target_info}; may be empty. */
  public byte[] targetInfo() {
    return targetInfo;
  }

  /** All families, sorted by name. */
  public List<Family> families() {
    return families;
  }

  /** What was left out, which counts again in each exposition. */
  public List<Faults.Planned> faults() {
    return faults;
  }
}
