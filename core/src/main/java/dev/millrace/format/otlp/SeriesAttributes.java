package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.Series;

/**
 * Finds or makes the attributes of one point at a time, as the fields that its message has. What is
 * made is kept with the series as long as the source's budget lasts. Not thread-safe.
 */
final class SeriesAttributes {
  /**
   * The most memory that is kept for attributes that no series keeps: more than nearly all have, so
   * that a single huge one leaves nothing behind.
   */
  private static final int MAX_SCRATCH_BYTES = 64 * 1024;

  private static final byte[] NO_BYTES = {};

  private ByteArray scratch = new ByteArray();
  private byte[] bytes = NO_BYTES;
  private int lengthBytes;

  /** Goes to the attributes of a series. */
  void load(Series series, AttributesField field, EncodedLabelsBudget budget) {
    byte[] kept = series.encodedLabels(field);
    if (kept != null) {
      bytes = kept;
      lengthBytes = kept.length;
      return;
    }
    encode(series.labels(), field.tag);
    if (lengthBytes > 0 && Series.hasRoom(lengthBytes, budget)) {
      series.keepEncodedLabels(field, scratch.toByteArray(), budget);
    }
  }

  /**
   * Goes to attributes that no series keeps.
   *
   * @param tag of the field that they are, of one byte
   */
  void encode(Labels labels, int tag) {
    scratch.clear();
    KeyValues.append(labels, tag, scratch);
    bytes = scratch.bytes();
    lengthBytes = scratch.lengthBytes();
  }

  /** Holds the attributes in its first {@link #lengthBytes()} bytes, until the next ones. */
  byte[] bytes() {
    return bytes;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /** Lets go of the last series' bytes, and of memory beyond what is mostly needed. */
  void trim() {
    bytes = NO_BYTES;
    lengthBytes = 0;
    if (scratch.bytes().length > MAX_SCRATCH_BYTES) {
      scratch = new ByteArray();
    }
  }
}
