package dev.millrace.format.remotewrite;

import dev.millrace.model.Labels;
import dev.millrace.model.Series;

/** A series of the family {@code target_info}, whose labels come from a resource. */
final class TargetSeries extends Series {
  /** Its labels, as {@link dev.millrace.format.translation.LabelEncoder} makes them. */
  final byte[] block;

  TargetSeries(byte[] block) {
    super(Labels.EMPTY);
    this.block = block;
  }
}
