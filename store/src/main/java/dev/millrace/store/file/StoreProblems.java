package dev.millrace.store.file;

/** The names of what can go wrong with a store, as {@link dev.millrace.model.Problem} kinds. */
public final class StoreProblems {
  /** A file was damaged: its samples from the damage on are missing, all others are there. */
  public static final String FILE_DAMAGED = "store_file_damaged";

  /** A file was not read: it is foreign or of a newer version. */
  public static final String FILE_REFUSED = "store_file_refused";

  /** A file could not be opened or read for a reason that has nothing to do with its bytes. */
  public static final String FILE_UNREADABLE = "store_file_unreadable";

  /** Somebody removed the file of a living process, this one. */
  public static final String FILE_GONE = "store_file_gone";

  /** Two programs declare one metric differently. */
  public static final String DECLARATION_CONFLICT = "store_declaration_conflict";

  /** A directory has more files than its bound. */
  public static final String FILES_OVER_BOUND = "store_files_over_bound";

  /** A series lives in memory only, because there was no space on disk. */
  public static final String DISK_FULL = "store_disk_full";

  /** A new series was refused, because a bound was reached. */
  public static final String SERIES_REFUSED = "store_series_refused";

  /** A recorded value was refused, such as a negative increment of a counter. */
  public static final String VALUE_REFUSED = "store_value_refused";

  /** Labels were refused: their number is not the one declared, or they are too long. */
  public static final String LABELS_REFUSED = "store_labels_refused";

  /** A function that samples a gauge failed. */
  public static final String SAMPLE_FAILED = "store_sample_failed";

  /** Dead processes could not be retired; it is tried again. */
  public static final String RETIREMENT_FAILED = "store_retirement_failed";

  private StoreProblems() {}
}
