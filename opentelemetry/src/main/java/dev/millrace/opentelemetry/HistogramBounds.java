package dev.millrace.opentelemetry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The bounds of histograms as arrays: the same array for the same list, and for equal lists.
 * Guarded by the source's lock.
 */
final class HistogramBounds {
  /**
   * How many different bounds are remembered: far more than the instruments of an application have,
   * and bounded so that a producer which makes up new bounds each time cannot fill the memory. Past
   * it everything is forgotten, which costs equal bounds a new array.
   */
  static final int MAX_REMEMBERED = 1024;

  private static final List<Double> NONE = List.of();

  private final Map<List<Double>, double[]> remembered = new HashMap<>();
  private List<Double> lastList = NONE;
  private double[] lastArray = {};

  /**
   * Gives the array for a list.
   *
   * @param bounds a list that never changes
   */
  double[] of(List<Double> bounds) {
    if (bounds != lastList) {
      lastArray = remember(bounds);
      lastList = bounds;
    }
    return lastArray;
  }

  private double[] remember(List<Double> bounds) {
    double[] known = remembered.get(bounds);
    if (known != null) {
      return known;
    }
    if (remembered.size() >= MAX_REMEMBERED) {
      remembered.clear();
    }
    double[] array = new double[bounds.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = bounds.get(i);
    }
    remembered.put(List.copyOf(bounds), array);
    return array;
  }
}
