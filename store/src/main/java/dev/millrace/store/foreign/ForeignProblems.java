package dev.millrace.store.foreign;

/**
 * The names of what can go wrong with other clients' files, as {@link dev.millrace.model.Problem}
 * kinds.
 */
public final class ForeignProblems {
  /** A file was damaged: its samples from the damage on are missing, all others are there. */
  public static final String FILE_DAMAGED = "multiprocess_file_damaged";

  /** A file or the directory could not be read for a reason that has nothing to do with bytes. */
  public static final String FILE_UNREADABLE = "multiprocess_file_unreadable";

  /** Files, or parts of a file, are past a bound, or a file has a type that nobody knows. */
  public static final String FILE_REFUSED = "multiprocess_file_refused";

  /** A sample was left out: it is past a bound, or does not fit its metric's type. */
  public static final String SAMPLE_REFUSED = "multiprocess_sample_refused";

  /** Two files declare one metric differently. */
  public static final String DECLARATION_CONFLICT = "multiprocess_declaration_conflict";

  /** The schema file changed and could not be read; what it said before holds on. */
  public static final String SCHEMA_UNREADABLE = "multiprocess_schema_unreadable";

  private ForeignProblems() {}
}
