package dev.millrace.format.translation;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Counts faults and reports them to {@link Problems}. Not thread-safe; one for each encoder. */
public final class Faults {
  private final Map<Fault, Tally> tallies = new EnumMap<>(Fault.class);
  private final List<Tally> all = new ArrayList<>();
  private boolean any;
  private boolean muted;

  /** What was counted of one fault since the last report. */
  private static final class Tally {
    final Fault fault;
    final Problem problem;
    long count;

    Tally(Fault fault, Problem problem) {
      this.fault = fault;
      this.problem = problem;
    }
  }

  /** Faults of one kind that a plan has found, which count again in every exposition. */
  public record Planned(Fault fault, long count, Supplier<String> detail) {}

  /** Lines for the log about one family, each made when it is first needed. */
  public static final class Details {
    private final String subject;
    private final Map<Fault, Supplier<String>> made = new EnumMap<>(Fault.class);

    Details(String subject) {
      this.subject = subject;
    }

    Supplier<String> of(Fault fault) {
      Supplier<String> detail = made.get(fault);
      if (detail == null) {
        detail = detail(fault, subject);
        made.put(fault, detail);
      }
      return detail;
    }
  }

  public Faults(Problems problems) {
    for (Fault fault : Fault.values()) {
      Tally tally = new Tally(fault, problems.kind(fault.kind()));
      tallies.put(fault, tally);
      all.add(tally);
    }
  }

  /** What a fault's line in the log says. */
  public static Supplier<String> detail(Fault fault, String subject) {
    String line = subject + ": " + fault.explanation();
    return () -> line;
  }

  /** Whether nothing is counted, because it has been already. */
  public void setMuted(boolean muted) {
    this.muted = muted;
  }

  public void count(Fault fault, long occurrences) {
    if (occurrences > 0 && !muted) {
      tally(fault).count += occurrences;
      any = true;
    }
  }

  /** Reports what was counted since the last report. */
  public void report(Details details) {
    if (!any) {
      return;
    }
    any = false;
    for (int i = 0; i < all.size(); i++) {
      Tally tally = all.get(i);
      long count = tally.count;
      if (count > 0) {
        tally.count = 0;
        tally.problem.add(count, details.of(tally.fault));
      }
    }
  }

  /** Reports what a plan has found. */
  public void report(Planned planned) {
    tally(planned.fault()).problem.add(planned.count(), planned.detail());
  }

  private Tally tally(Fault fault) {
    return Objects.requireNonNull(tallies.get(fault));
  }
}
