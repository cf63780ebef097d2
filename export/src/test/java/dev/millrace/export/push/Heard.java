package dev.millrace.export.push;

import java.util.ArrayList;
import java.util.List;

/** Writes down what a listener hears, and that it hears of the end once. */
public final class Heard implements SendListener {
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<Integer> accepted = new ArrayList<>();

  /** What each reply is said to reject. */
  public int rejects;

  /** One that takes every reply as a full success. */
  public Heard() {}

  @Override
  public synchronized int accepted(int items, SendResult result) {
    accepted.add(items);
    return rejects;
  }

  @Override
  public synchronized void done(Outcome outcome) {
    outcomes.add(outcome);
    notifyAll();
  }

  /** Whether the end was heard of. */
  public synchronized boolean isDone() {
    return !outcomes.isEmpty();
  }

  /** The items of each reply. */
  public synchronized List<Integer> accepted() {
    return List.copyOf(accepted);
  }

  /** The outcome. */
  public synchronized Outcome outcome() {
    if (outcomes.size() != 1) {
      throw new AssertionError("expected exactly one end, found " + outcomes);
    }
    return outcomes.get(0);
  }
}
