package dev.millrace.store;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds a series by its label values, without allocating: hashes are those that strings keep.
 *
 * <p><b>Guarantees.</b> Any number of threads look up without a lock while one adds. A look-up that
 * races an addition may miss it; the caller then looks again under the lock that it adds under.
 */
final class SeriesTable<S> {
  private static final int FIRST_CAPACITY = 16;

  private static final class Entry<S> {
    final String[] values;
    final int hash;
    final S series;

    Entry(String[] values, int hash, S series) {
      this.values = values;
      this.hash = hash;
      this.series = series;
    }
  }

  private volatile AtomicReferenceArray<@Nullable Entry<S>> slots =
      new AtomicReferenceArray<>(FIRST_CAPACITY);
  private int size;

  @Nullable S find(String a) {
    AtomicReferenceArray<@Nullable Entry<S>> table = slots;
    int mask = table.length() - 1;
    int hash = a.hashCode();
    for (int i = spread(hash) & mask; ; i = (i + 1) & mask) {
      Entry<S> entry = table.get(i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && entry.values[0].equals(a)) {
        return entry.series;
      }
    }
  }

  @Nullable S find(String a, String b) {
    AtomicReferenceArray<@Nullable Entry<S>> table = slots;
    int mask = table.length() - 1;
    int hash = 31 * a.hashCode() + b.hashCode();
    for (int i = spread(hash) & mask; ; i = (i + 1) & mask) {
      Entry<S> entry = table.get(i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && entry.values[0].equals(a) && entry.values[1].equals(b)) {
        return entry.series;
      }
    }
  }

  @Nullable S find(String a, String b, String c) {
    AtomicReferenceArray<@Nullable Entry<S>> table = slots;
    int mask = table.length() - 1;
    int hash = 31 * (31 * a.hashCode() + b.hashCode()) + c.hashCode();
    for (int i = spread(hash) & mask; ; i = (i + 1) & mask) {
      Entry<S> entry = table.get(i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash
          && entry.values[0].equals(a)
          && entry.values[1].equals(b)
          && entry.values[2].equals(c)) {
        return entry.series;
      }
    }
  }

  @Nullable S find(String[] values) {
    AtomicReferenceArray<@Nullable Entry<S>> table = slots;
    int mask = table.length() - 1;
    int hash = hash(values);
    for (int i = spread(hash) & mask; ; i = (i + 1) & mask) {
      Entry<S> entry = table.get(i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && equal(entry.values, values)) {
        return entry.series;
      }
    }
  }

  private static boolean equal(String[] a, String[] b) {
    for (int i = 0; i < a.length; i++) {
      if (!a[i].equals(b[i])) {
        return false;
      }
    }
    return true;
  }

  private static int hash(String[] values) {
    int hash = 0;
    for (String value : values) {
      hash = 31 * hash + value.hashCode();
    }
    return hash;
  }

  private static int spread(int hash) {
    return (hash * 0x9e3779b9) >>> 7;
  }

  /** Adds a series that is not there; under the owner's lock. */
  void add(String[] values, S series) {
    AtomicReferenceArray<@Nullable Entry<S>> table = slots;
    if (2 * (size + 1) > table.length()) {
      AtomicReferenceArray<@Nullable Entry<S>> larger =
          new AtomicReferenceArray<>(2 * table.length());
      for (int i = 0; i < table.length(); i++) {
        Entry<S> entry = table.get(i);
        if (entry != null) {
          put(larger, entry);
        }
      }
      slots = larger;
      table = larger;
    }
    put(table, new Entry<>(values, hash(values), series));
    size++;
  }

  private static <S> void put(AtomicReferenceArray<@Nullable Entry<S>> table, Entry<S> entry) {
    int mask = table.length() - 1;
    int i = spread(entry.hash) & mask;
    while (table.get(i) != null) {
      i = (i + 1) & mask;
    }
    table.set(i, entry);
  }
}
