package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;

/** Gives a table points of series that a test names in short. */
final class Feed {
  final SeriesTable table;
  final PointValues point;
  private final Recorder recorder;
  private Labels resource = Labels.of("service.name", "shop", "service.instance.id", "1");
  private Labels scopeAttributes = Labels.EMPTY;
  private String scope = "";

  Feed(SeriesTable table) {
    this.table = table;
    recorder = table.recorder();
    point = new PointValues(table.options().maxBuckets());
  }

  Feed resource(String... keysAndValues) {
    resource = Labels.of(keysAndValues);
    return this;
  }

  Feed scope(String name, String... keysAndValues) {
    scope = name;
    scopeAttributes = Labels.of(keysAndValues);
    return this;
  }

  Outcome gauge(String name, String label, long time, long value) {
    point.clear();
    point.timeUnixNanos = time;
    point.setLong(value);
    return record(name, MetricKind.GAUGE, Temporality.UNSPECIFIED, label);
  }

  Outcome cumulative(String name, String label, long start, long time, long value) {
    return sum(name, Temporality.CUMULATIVE, label, start, time, value);
  }

  Outcome delta(String name, String label, long start, long time, long value) {
    return sum(name, Temporality.DELTA, label, start, time, value);
  }

  private Outcome sum(
      String name, Temporality temporality, String label, long start, long time, long value) {
    point.clear();
    point.startTimeUnixNanos = start;
    point.timeUnixNanos = time;
    point.setLong(value);
    return record(name, MetricKind.SUM, temporality, label);
  }

  /** A sum or a gauge that ends. */
  Outcome end(String name, MetricKind kind, String label, long time) {
    point.clear();
    point.timeUnixNanos = time;
    point.noRecordedValue = true;
    return record(name, kind, Temporality.CUMULATIVE, label);
  }

  /** Records what the test has put into {@link #point}. */
  Outcome record(String name, MetricKind kind, Temporality temporality, String label) {
    return record(name, "", "", kind, temporality, Labels.of("l", label));
  }

  Outcome record(
      String name,
      String unit,
      String description,
      MetricKind kind,
      Temporality temporality,
      Labels labels) {
    recorder.begin();
    recorder.resource(set(resource), slice(""));
    recorder.scope(slice(scope), slice(""), set(scopeAttributes), slice(""));
    recorder.metric(
        slice(name), slice(description), slice(unit), kind, true, temporality, TypeHint.NONE);
    Outcome outcome = recorder.record(set(labels), point);
    recorder.end();
    return outcome;
  }

  private AttributeSet set(Labels labels) {
    return new LabelsAttributeSet(labels, table.labelHash());
  }

  private static ByteSlice slice(String text) {
    ByteSlice slice = new ByteSlice();
    slice.set(text);
    return slice;
  }
}
