package dev.millrace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.ExemplarData;
import io.opentelemetry.sdk.metrics.data.PointData;
import java.util.List;

/** What a cursor stands on where it stands on no point; it holds none of the SDK's data. */
final class NoPoint implements PointData {
  static final NoPoint INSTANCE = new NoPoint();

  private NoPoint() {}

  @Override
  public long getStartEpochNanos() {
    return 0;
  }

  @Override
  public long getEpochNanos() {
    return 0;
  }

  @Override
  public Attributes getAttributes() {
    return Attributes.empty();
  }

  @Override
  public List<? extends ExemplarData> getExemplars() {
    return List.of();
  }
}
