package dev.millrace.benchmarks.store;

import dev.millrace.store.StoreSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes directories and what scrapes them, in a folder of its own under {@code java.io.tmpdir};
 * closing this ends the processes and removes the folder. One thread at a time.
 */
final class DirectoryContestants implements AutoCloseable {
  static final String MILLRACE = "millrace";

  /** The peer that wrote the files. */
  static final String OWN_CLIENT = "the client itself";

  /** After this a directory's time of change tells of every change (see DirectoryReader). */
  private static final long SETTLED_MILLIS = 2_500;

  private static final long PAUSE_NANOS = 50_000_000;

  private final ScratchFolder folder = new ScratchFolder();
  private final Path scratch = folder.path();
  private final Path directory = folder.directory();
  private AutoCloseable writers = () -> {};

  /** Each contestant over files of its own. */
  ScrapedDirectory own(String contestant, Workload workload, int processes, ScrapeState state)
      throws IOException {
    return contestant.equals(MILLRACE)
        ? store(workload, processes, 0, false, state)
        : foreign(contestant, OWN_CLIENT, workload, processes, state);
  }

  /** A store's directory, with the files of dead processes where asked for. */
  ScrapedDirectory store(
      Workload workload, int processes, int dead, boolean retired, ScrapeState state)
      throws IOException {
    StoreWriters started = StoreWriters.start(directory, workload, processes);
    writers = started;
    if (dead > 0) {
      started.writeDead(directory, workload, dead);
    }
    if (retired) {
      int folded = retire();
      if (folded != dead) {
        throw new IllegalStateException("expected " + dead + " retired, found " + folded);
      }
    }
    return checked(MillraceDirectory.own(directory, state), workload, processes + dead);
  }

  private int retire() {
    try (StoreSource source = StoreSource.of(directory)) {
      return source.retire();
    }
  }

  /** A peer's directory, scraped by Millrace or by that peer. */
  ScrapedDirectory foreign(
      String files, String contestant, Workload workload, int processes, ScrapeState state)
      throws IOException {
    Peer peer = Peer.of(files);
    PeerProcess process = PeerProcess.start(peer, workload, directory, scratch);
    writers = process;
    process.ask("write " + processes);
    return checked(
        contestant.equals(MILLRACE)
            ? MillraceDirectory.foreign(directory, peer, scratch, state)
            : new PeerDirectory(process),
        workload,
        processes);
  }

  /** A peer's directory with the files of dead processes, scraped by that peer. */
  ScrapedDirectory peerWithDead(String contestant, Workload workload, int processes, int dead)
      throws IOException {
    PeerProcess process = PeerProcess.start(Peer.of(contestant), workload, directory, scratch);
    writers = process;
    process.ask("write " + processes);
    process.ask("write-dead " + dead);
    return checked(new PeerDirectory(process), workload, processes + dead);
  }

  private ScrapedDirectory checked(ScrapedDirectory scraped, Workload workload, int processes)
      throws IOException {
    scraped.check(workload, processes, scratch);
    long settledAt = Files.getLastModifiedTime(directory).toMillis() + SETTLED_MILLIS;
    while (System.currentTimeMillis() < settledAt) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return scraped;
  }

  @Override
  public void close() throws IOException {
    try {
      writers.close();
    } catch (Exception e) {
      throw new IllegalStateException("ending the writers", e);
    }
    folder.close();
  }
}
