package dev.millrace.opentelemetry;

import java.util.List;

/**
 * The bucket counts of one point. {@code MetricData} gives them as boxed values, and this is the
 * one place that unboxes them: its list is of one class, or of very few, so the JIT sees through
 * {@link List#get} and no {@code Long} is ever made. The same call among callers with lists of
 * their own would allocate 24 bytes a bucket.
 */
final class BucketCounts {
  private static final List<Long> NONE = List.of();

  private List<Long> counts = NONE;

  void set(List<Long> counts) {
    this.counts = counts;
  }

  void clear() {
    counts = NONE;
  }

  int size() {
    return counts.size();
  }

  long get(int index) {
    return counts.get(index);
  }
}
