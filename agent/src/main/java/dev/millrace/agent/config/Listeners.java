package dev.millrace.agent.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The addresses that the components of a file listen on, to find two that want the same one. */
final class Listeners {
  private final List<Listener> all = new ArrayList<>();

  void add(Listener listener) {
    all.add(listener);
  }

  /**
   * Adds a problem for each listener that wants the address of one before it.
   *
   * @param isStarted whether a component, by its name for messages, is started; one that is not
   *     takes no address
   */
  void check(Predicate<String> isStarted, Problems problems) {
    Map<Integer, List<Listener>> byPort = new HashMap<>();
    for (Listener listener : all) {
      if (!isStarted.test(listener.owner())) {
        continue;
      }
      List<Listener> before =
          byPort.computeIfAbsent(listener.endpoint().port(), port -> new ArrayList<>());
      for (Listener other : before) {
        if (listener.endpoint().overlaps(other.endpoint())) {
          problems.add(listener.at(), () -> conflict(listener, other));
          break;
        }
      }
      before.add(listener);
    }
  }

  private static String conflict(Listener listener, Listener other) {
    return listener.owner()
        + " listens on "
        + listener.shown()
        + ", which "
        + other.owner()
        + " (line "
        + other.at().line()
        + (other.shown().equals(listener.shown()) ? "" : ", " + other.shown())
        + ") listens on already; give one of them another port";
  }

  /**
   * One address of a component.
   *
   * @param owner the component, for messages
   * @param endpoint the address
   * @param shown the address for messages: as the file has it if a variable has a part in it
   * @param at where the file says so
   */
  record Listener(String owner, Endpoint endpoint, String shown, Position at) {}
}
