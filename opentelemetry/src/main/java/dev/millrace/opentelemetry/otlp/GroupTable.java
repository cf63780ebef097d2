package dev.millrace.opentelemetry.otlp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the group that belongs to a key: mostly the SDK hands out the same object again, and no
 * content is compared; an equal one finds the same group. Remembers which groups are in use in the
 * current export, in the order in which they came.
 *
 * <p>Allocates for keys that were not there before only. Owned by one encoder; not thread-safe.
 *
 * @param <K> resources or scopes; must be immutable
 * @param <G> what is kept for each
 */
final class GroupTable<K, G extends GroupTable.Group> {
  /** Twice the scopes that an application usually has. */
  private static final int RECENT = 64;

  private final Function<K, G> make;
  private final Map<K, G> groups = new HashMap<>();
  private final @Nullable Object[] recentKeys = new @Nullable Object[RECENT];
  private final @Nullable Object[] recentGroups = new @Nullable Object[RECENT];
  private final List<G> inUse = new ArrayList<>();

  /** What is kept for a key. */
  abstract static class Group {
    private boolean used;
  }

  GroupTable(Function<K, G> make) {
    this.make = make;
  }

  /** The group of a key, which is in use from here on. */
  G use(K key) {
    G group = find(key);
    Group base = group;
    if (!base.used) {
      base.used = true;
      inUse.add(group);
    }
    return group;
  }

  /** Those in use, in the order in which they came. */
  List<G> inUse() {
    return inUse;
  }

  /** Ends the export; the groups are kept. */
  void release() {
    for (int i = 0; i < inUse.size(); i++) {
      Group base = inUse.get(i);
      base.used = false;
    }
    inUse.clear();
  }

  /** How many groups are kept. */
  int size() {
    return groups.size();
  }

  /** Lets go of all groups. */
  void clear() {
    release();
    groups.clear();
    Arrays.fill(recentKeys, null);
    Arrays.fill(recentGroups, null);
  }

  @SuppressWarnings("unchecked") // Only groups of this table are stored.
  private G find(K key) {
    int place = System.identityHashCode(key) & (RECENT - 1);
    if (recentKeys[place] == key) {
      return (G) Objects.requireNonNull(recentGroups[place]);
    }
    G group = groups.get(key);
    if (group == null) {
      group = make.apply(key);
      groups.put(key, group);
    }
    recentKeys[place] = key;
    recentGroups[place] = group;
    return group;
  }
}
