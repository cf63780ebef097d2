package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * Attributes in the form in which a receiver has them, by which a {@link SeriesTable} looks up what
 * they belong to. Only where it finds nothing are {@link Labels} made of them. The table keeps no
 * attribute set beyond the call that it was given to, except where that call says so.
 */
public interface AttributeSet {
  /**
   * The set's hash by the table's {@link LabelHash}. Where a key stands more than once it may
   * differ from that of {@link #toLabels()}; then the table looks up by these as well.
   */
  int hash();

  /**
   * Whether these are the same attributes. {@code true} is certain; {@code false} may be given for
   * equal sets in unusual forms, which costs the table the making of {@link #toLabels()}.
   */
  boolean matches(Labels labels);

  /** How many bytes all keys and values have, or more than any bound where there are too many. */
  int lengthBytes();

  /** The attributes themselves, or {@code null} where a text is not valid UTF-8. */
  @Nullable Labels toLabels();
}
