package dev.millrace.opentelemetry;

import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;

/**
 * One metric for as long as the SDK has it: what is the same from one collection to the next, its
 * series, and the points of the present collection. Guarded by the source's lock.
 */
final class SdkMetric {
  private static final List<PointData> NO_POINTS = List.of();

  final MetricIdentity identity;
  final MetricDescriptor descriptor;
  final Resource resource;
  final Scope scope;
  final SeriesTable series;

  private List<? extends PointData> points = NO_POINTS;

  SdkMetric(MetricIdentity identity, Resource resource, Scope scope, SeriesTable series) {
    this.identity = identity;
    this.descriptor = identity.descriptor();
    this.resource = resource;
    this.scope = scope;
    this.series = series;
  }

  /** Begins a collection. */
  void begin(MetricData data) {
    Collection<? extends PointData> collected = data.getData().getPoints();
    // The SDK's are lists. Walking by index makes no iterator, and walks again at no cost.
    points =
        collected instanceof RandomAccess && collected instanceof List<? extends PointData> list
            ? list
            : new ArrayList<>(collected);
    series.begin(points.size());
  }

  /** The points of the present collection. */
  List<? extends PointData> points() {
    return points;
  }

  /**
   * Ends a collection. Where the reader did not walk all points, the rest is walked here, so that
   * series which are gone are let go; but not where there are none yet, as a metric that is never
   * read needs none.
   */
  void end() {
    try {
      if (series.size() > 0 || series.matched() > 0) {
        while (series.matched() < points.size()) {
          series.matchAhead(points);
        }
      }
    } finally {
      series.end();
      points = NO_POINTS;
    }
  }

  /** Lets go of all series: the metric is gone. */
  void close() {
    points = NO_POINTS;
    series.begin(0);
    series.end();
  }
}
