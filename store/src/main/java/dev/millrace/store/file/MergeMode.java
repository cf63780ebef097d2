package dev.millrace.store.file;

import org.jspecify.annotations.Nullable;

/** How the values of one series in several processes become one, with their numbers in a file. */
public enum MergeMode {
  /** They are added. */
  SUM(1),
  /** The least. */
  MIN(2),
  /** The greatest. */
  MAX(3),
  /** The one set last, by the wall clocks of the processes that set it. */
  LATEST(4),
  /** All of them, each with the label {@code pid}. */
  EACH(5);

  private static final MergeMode[] ALL = values();

  private final int code;

  MergeMode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The mode of a number in a file, or {@code null} where there is none. */
  static @Nullable MergeMode of(int code) {
    return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
  }
}
