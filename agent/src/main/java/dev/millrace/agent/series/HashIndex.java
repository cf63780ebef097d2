package dev.millrace.agent.series;

import org.jspecify.annotations.Nullable;

/**
 * Finds entries by a hash: an array of places, each the head of a list of entries. It grows and
 * shrinks with what is in it. Not thread-safe.
 *
 * <pre>{@code
 * for (E e = index.first(hash); e != null; e = e.linkNext()) {
 *   if (e.linkHash() == hash && matches(e)) { ... }
 * }
 * }</pre>
 */
final class HashIndex<E extends Linked<E>> {
  private static final int LEAST_PLACES = 4;

  private @Nullable Linked<E>[] places = newPlaces(LEAST_PLACES);
  private int size;

  int size() {
    return size;
  }

  /** The first entry of the place of a hash; entries of other hashes are there as well. */
  @SuppressWarnings("unchecked") // Only add writes here, and what it writes is an E.
  @Nullable E first(int hash) {
    return (E) places[hash & (places.length - 1)];
  }

  void add(E entry) {
    if (size == places.length) {
      resize(2 * places.length);
    }
    link(places, entry);
    size++;
  }

  void remove(E entry) {
    int place = entry.linkHash() & (places.length - 1);
    E before = null;
    for (E e = first(entry.linkHash()); e != null; e = e.linkNext()) {
      if (e == entry) {
        if (before == null) {
          places[place] = entry.linkNext();
        } else {
          before.setLinkNext(entry.linkNext());
        }
        entry.setLinkNext(null);
        size--;
        break;
      }
      before = e;
    }
    if (size < places.length / 4 && places.length > LEAST_PLACES) {
      resize(places.length / 2);
    }
  }

  @SuppressWarnings("unchecked") // As in first.
  private void resize(int length) {
    @Nullable Linked<E>[] resized = newPlaces(length);
    for (Linked<E> head : places) {
      E e = (E) head;
      while (e != null) {
        E next = e.linkNext();
        link(resized, e);
        e = next;
      }
    }
    places = resized;
  }

  @SuppressWarnings("unchecked") // As in first.
  private void link(@Nullable Linked<E>[] into, E entry) {
    int place = entry.linkHash() & (into.length - 1);
    entry.setLinkNext((E) into[place]);
    into[place] = entry;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type cannot be made.
  private static <E> @Nullable Linked<E>[] newPlaces(int length) {
    return new Linked[length];
  }
}
