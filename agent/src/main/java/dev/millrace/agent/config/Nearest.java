package dev.millrace.agent.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the known name that a misspelt one most likely stands for: the nearest by the
 * Damerau-Levenshtein distance in its restricted form (insert, delete, replace, swap two
 * neighbours; each place edited once), case aside.
 */
final class Nearest {
  /**
   * Longer names are not misspelt keys, and the distance takes time in the product of the lengths.
   */
  private static final int MAX_CHARS = 64;

  /** One edit for each three characters: past that, unrelated short words begin to look alike. */
  private static final int CHARS_FOR_EACH_EDIT = 3;

  private static final int MAX_EDITS = 3;

  private Nearest() {}

  /** {@code ; did you mean "name"?}, or nothing if no known name is near. */
  static String suggestion(String found, Collection<String> known) {
    String nearest = of(found, known);
    return nearest == null ? "" : "; did you mean " + Shown.quoted(nearest) + "?";
  }

  /** The nearest of the known names, the first of equals; null if none is near. */
  static @Nullable String of(String found, Collection<String> known) {
    if (found.length() > MAX_CHARS) {
      return null;
    }
    String lowerFound = found.toLowerCase(Locale.ROOT);
    String nearest = null;
    int nearestDistance = Integer.MAX_VALUE;
    for (String name : known) {
      if (name.length() > MAX_CHARS) {
        continue;
      }
      int allowed = Math.min(MAX_EDITS, name.length() / CHARS_FOR_EACH_EDIT);
      int distance = distance(lowerFound, name.toLowerCase(Locale.ROOT));
      if (distance <= allowed && distance < nearestDistance) {
        nearest = name;
        nearestDistance = distance;
      }
    }
    return nearest;
  }

  static int distance(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      int[] free = beforeLast;
      beforeLast = last;
      last = row;
      row = free;
    }
    return last[b.length()];
  }
}
