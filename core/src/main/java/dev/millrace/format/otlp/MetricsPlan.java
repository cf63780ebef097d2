package dev.millrace.format.otlp;

import dev.millrace.bytes.Utf8;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one source by resource and scope, with the bytes of what describes them, for as
 * long as their list does not change. Immutable once it is made.
 */
final class MetricsPlan {
  private static final int MAX_TAG_AND_LENGTH_BYTES = 6;

  private final MetricSource source;
  private final long membershipVersion;
  private final List<ResourceGroup> resources;
  private final Map<Object, byte[]> kept;

  /**
   * The metrics of one resource.
   *
   * @param header of {@link Metadata#appendResource}, or {@code null} where it is not kept
   * @param scopes in the order in which the source has them
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares groups.
  record ResourceGroup(Resource resource, byte @Nullable [] header, List<ScopeGroup> scopes) {
    int closingBytes() {
      return maxFieldBytes(resource.schemaUrl());
    }
  }

  /**
   * The metrics of one scope.
   *
   * @param header of {@link Metadata#appendScope}, or {@code null} where it is not kept
   * @param metrics in the order in which the source has them
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares groups.
  record ScopeGroup(Scope scope, byte @Nullable [] header, List<Metric> metrics) {
    int closingBytes() {
      return maxFieldBytes(scope.schemaUrl());
    }
  }

  /**
   * One metric.
   *
   * @param index its number in the source
   * @param header of {@link Metadata#appendMetric}, or {@code null} where it is not kept
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares metrics of plans.
  record Metric(int index, MetricDescriptor descriptor, byte @Nullable [] header) {
    /** The number of the field of {@code Metric} that the points are in. */
    int dataField() {
      return switch (descriptor.kind()) {
        case GAUGE -> 5;
        case SUM -> 7;
        case HISTOGRAM -> 9;
        case EXPONENTIAL_HISTOGRAM -> 10;
        case SUMMARY -> 11;
      };
    }

    /** The number that says the temporality of the points; 0 where there is none. */
    int temporality() {
      if (descriptor.kind() == MetricKind.GAUGE || descriptor.kind() == MetricKind.SUMMARY) {
        return 0;
      }
      return switch (descriptor.temporality()) {
        case UNSPECIFIED -> 0;
        case DELTA -> 1;
        case CUMULATIVE -> 2;
      };
    }

    boolean isMonotonic() {
      return descriptor.kind() == MetricKind.SUM && descriptor.monotonic();
    }
  }

  /**
   * A plan for the source and the version that the cursor has.
   *
   * @param kept see {@link #kept}
   */
  MetricsPlan(MetricCursor cursor, List<ResourceGroup> resources, Map<Object, byte[]> kept) {
    this.source = cursor.source();
    this.membershipVersion = cursor.membershipVersion();
    this.resources = new ArrayList<>(resources);
    this.kept = kept;
  }

  /** Whether the plan still holds. */
  boolean isFor(MetricCursor cursor) {
    return source == cursor.source() && membershipVersion == cursor.membershipVersion();
  }

  /** In the order in which the source has them. */
  List<ResourceGroup> resources() {
    return resources;
  }

  /** The bytes of each {@link Resource}, {@link Scope} and {@link MetricDescriptor}. */
  Map<Object, byte[]> kept() {
    return kept;
  }

  private static int maxFieldBytes(String text) {
    return text.isEmpty() ? 0 : MAX_TAG_AND_LENGTH_BYTES + Utf8.lengthBytes(text);
  }
}
