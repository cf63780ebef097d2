package dev.millrace.opentelemetry;

import dev.millrace.model.Labels;
import dev.millrace.model.Series;
import io.opentelemetry.api.common.Attributes;

/** A series, and the SDK's object that it is recognised by. Guarded by the source's lock. */
final class SdkSeries extends Series {
  /** The attributes object of the last point seen. */
  Attributes attributes;

  /** The pass of {@link SeriesTable} that last found this series. */
  int foundInPass;

  SdkSeries(Labels labels, Attributes attributes) {
    super(labels);
    this.attributes = attributes;
  }
}
