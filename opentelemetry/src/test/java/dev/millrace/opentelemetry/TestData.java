package dev.millrace.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.metrics.TestMetricData;
import java.util.ArrayList;
import java.util.List;

/** Small metric data for tests that look at series and not at values. */
final class TestData {
  static final AttributeKey<String> KEY = AttributeKey.stringKey("key");

  private TestData() {}

  /** A new object each time, equal for equal numbers. */
  static Attributes attributes(int number) {
    return Attributes.of(KEY, "value " + number);
  }

  static MetricData longSum(String name, Attributes... attributes) {
    return longSum(name, "scope", 0, List.of(attributes));
  }

  static MetricData longSum(String name, String scope, int resource, List<Attributes> attributes) {
    List<LongPointData> points = new ArrayList<>();
    for (Attributes each : attributes) {
      points.add(LongPointData.create(1, 2, each, points.size()));
    }
    return TestMetricData.builder()
        .setName(name)
        .setDescription("")
        .setUnit("")
        .setResource(Resource.create(Attributes.builder().put("resource", resource).build()))
        .setInstrumentationScopeInfo(InstrumentationScopeInfo.create(scope))
        .setLongSumData(SumData.createLongSumData(true, AggregationTemporality.CUMULATIVE, points))
        .build();
  }
}
