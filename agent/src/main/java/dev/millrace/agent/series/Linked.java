package dev.millrace.agent.series;

import org.jspecify.annotations.Nullable;

/** An entry of a {@link HashIndex}, which is its own link: an index costs no object an entry. */
interface Linked<E> {
  /** The entry's hash; it never changes while the entry is in an index. */
  int linkHash();

  /** The next entry of the same place. */
  @Nullable E linkNext();

  /** Sets what {@link #linkNext} gives; only the index calls it. */
  void setLinkNext(@Nullable E next);
}
