package dev.millrace.benchmarks.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.resources.Resource;

/** Resources of several sizes. */
final class Resources {
  private Resources() {}

  /** A new resource, equal to the others of this size. */
  static Resource of(int attributes) {
    AttributesBuilder builder = Attributes.builder();
    for (int i = 0; i < attributes; i++) {
      builder.put("k8s.resource.attribute." + i, "value-of-the-attribute-" + i);
    }
    return Resource.create(builder.build());
  }
}
