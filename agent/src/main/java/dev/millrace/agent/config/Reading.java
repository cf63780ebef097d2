package dev.millrace.agent.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the reading of one file goes along with.
 *
 * @param problems what was found wrong so far
 * @param env the environment variables
 * @param listeners the addresses that components listen on
 */
record Reading(Problems problems, Map<String, String> env, Listeners listeners) {
  /** The value of a node; null if it is none, or cannot be had, and a problem was added. */
  @Nullable Value value(YamlNode node, String name, String expected) {
    if (node instanceof YamlNode.Scalar scalar) {
      return Substitution.apply(scalar, env, problems);
    }
    problems.add(
        node.at(), () -> Shown.clean(name) + ": expected " + expected + ", found " + node.shown());
    return null;
  }
}
