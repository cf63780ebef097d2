package dev.millrace.store.file;

import org.jspecify.annotations.Nullable;

/** The kinds of instruments, with their numbers in a file. */
public enum InstrumentKind {
  /** A sum that only rises. */
  COUNTER(1),
  /** A sum that rises and falls. */
  UP_DOWN_COUNTER(2),
  /** The last value measured. */
  GAUGE(3),
  /** A histogram with explicit bounds. */
  HISTOGRAM(4),
  /** A histogram with exponential buckets. */
  EXPONENTIAL_HISTOGRAM(5),
  /** A sum and a count. */
  SUMMARY(6),
  /** A constant 1, whose labels are the information. */
  INFO(7),
  /** One series of 0 or 1 for each state. */
  STATE_SET(8);

  private static final InstrumentKind[] ALL = values();

  private final int code;

  InstrumentKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The kind of a number in a file, or {@code null} where there is none. */
  static @Nullable InstrumentKind of(int code) {
    return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
  }
}
