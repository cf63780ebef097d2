package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Keeps the plan of one encoder as long as it holds. Not thread-safe. */
public final class Plans {
  private final Syntax syntax;
  private final TranslationOptions options;
  private final LabelNames labelNames;
  private @Nullable Plan plan;

  public Plans(Syntax syntax, TranslationOptions options, LabelNames labelNames) {
    this.syntax = syntax;
    this.options = options;
    this.labelNames = labelNames;
  }

  /**
   * The plan for a cursor.
   *
   * @param faults told of what the plan leaves out
   */
  public Plan of(MetricCursor cursor, Faults faults) {
    Plan current = plan;
    if (current == null || !current.isFor(cursor)) {
      current = new Planner(syntax, options, labelNames).plan(cursor);
      plan = current;
    }
    for (int i = 0; i < current.faults().size(); i++) {
      faults.report(current.faults().get(i));
    }
    return current;
  }
}
