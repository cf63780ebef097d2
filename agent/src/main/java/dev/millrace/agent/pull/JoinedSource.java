package dev.millrace.agent.pull;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Several sources as one: the metrics of the first, then those of the second, and so on. Metrics of
 * one name stay apart here; whoever reads them joins them, as it does for two scopes of one source.
 *
 * <p>Some sources serve one collection at a time, so sources that several of these share must stand
 * in the same order in each: two collections then never wait for each other.
 *
 * <p>Thread-safe. Sources may be added while collections go on, and appear in the next one.
 */
public final class JoinedSource implements MetricSource {
  private final List<MetricSource> sources = new ArrayList<>();
  private long[] lastVersions = {};
  private long version;

  /** A source that begins with one. */
  public JoinedSource(MetricSource first) {
    sources.add(first);
  }

  /** Adds a source behind the others. */
  public synchronized void add(MetricSource source) {
    sources.add(source);
  }

  private synchronized MetricSource[] sources() {
    return sources.toArray(new MetricSource[0]);
  }

  @Override
  public MetricCursor open() {
    MetricSource[] now = sources();
    MetricCursor[] cursors = new MetricCursor[now.length];
    int opened = 0;
    try {
      while (opened < now.length) {
        cursors[opened] = now[opened].open();
        opened++;
      }
      return new JoinedCursor(this, cursors, versionOf(cursors));
    } catch (RuntimeException | Error e) {
      JoinedCursor.close(cursors, opened);
      throw e;
    }
  }

  /** The same number for as long as no source has another than before. */
  private synchronized long versionOf(MetricCursor[] cursors) {
    boolean changed = lastVersions.length != cursors.length;
    if (changed) {
      lastVersions = Arrays.copyOf(lastVersions, cursors.length);
    }
    for (int i = 0; i < cursors.length; i++) {
      long found = cursors[i].membershipVersion();
      changed |= lastVersions[i] != found;
      lastVersions[i] = found;
    }
    if (changed) {
      version++;
    }
    return version;
  }
}
