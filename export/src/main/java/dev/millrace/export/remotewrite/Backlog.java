package dev.millrace.export.remotewrite;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.export.push.SendTimer;
import dev.millrace.export.push.Spool;
import dev.millrace.format.remotewrite.RequestContent;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What waits in one shard, in order: first what is on disk, then what is in memory. While the disk
 * holds something, what is new goes there, too. One thread at a time.
 */
final class Backlog {
  /**
   * How often a disk is looked at that is empty, has failed, or is sent from by another process.
   */
  static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final int shard;
  private final MemoryQueue memory;
  private final @Nullable Spool disk;
  private final SendTimer timer;
  private final Drops drops;
  private final WriteCounters counters;
  private boolean diskFailed;
  private long diskFailedNanos;
  private boolean looked;
  private long lookedNanos;

  Backlog(
      int shard,
      MemoryQueue memory,
      @Nullable Spool disk,
      SendTimer timer,
      Drops drops,
      WriteCounters counters) {
    this.shard = shard;
    this.memory = memory;
    this.disk = disk;
    this.timer = timer;
    this.drops = drops;
    this.counters = counters;
  }

  /** Brings to the disk what has to wait there. */
  void spill() {
    if (disk == null || !(disk.mayHold() || memory.isHalfFull())) {
      return;
    }
    if (diskFailed && timer.nanoTime() - diskFailedNanos < LOOK_NANOS) {
      return;
    }
    diskFailed = false;
    for (QueuedRequest next = memory.take(shard); next != null; next = memory.take(shard)) {
      if (!store(disk, next, false)) {
        // It waits in memory, for as long as there is room; the disk has logged why.
        memory.putBack(shard, next);
        diskFailed = true;
        diskFailedNanos = timer.nanoTime();
        return;
      }
      settle(next);
    }
  }

  private boolean store(Spool to, QueuedRequest request, boolean first) {
    boolean isStored =
        first
            ? to.addFirst(request.payload(), request.itemsOnDisk())
            : to.add(request.payload(), request.itemsOnDisk());
    if (isStored) {
      counters.stored();
      looked = false;
    }
    return isStored;
  }

  private void settle(QueuedRequest taken) {
    memory.settled(shard, taken);
    taken.payload().close();
  }

  /** Takes what is to be sent next; {@code null} where nothing waits. */
  @Nullable Head next() {
    Head oldest = oldestOnDisk();
    if (oldest != null) {
      return oldest;
    }
    QueuedRequest taken = memory.take(shard);
    return taken == null ? null : Head.taken(taken);
  }

  private @Nullable Head oldestOnDisk() {
    if (disk == null) {
      return null;
    }
    long now = timer.nanoTime();
    if (looked && now - lookedNanos < LOOK_NANOS) {
      return null;
    }
    for (Spool.Stored stored = disk.oldest(); stored != null; stored = disk.oldest()) {
      try {
        RequestContent content = RequestCodec.contentOf(stored.payload());
        looked = false;
        return Head.stored(
            QueuedRequest.of(stored.payload(), content, timer.nanoTime(), 0), stored);
      } catch (MalformedProtobufException | RuntimeException e) {
        stored.payload().close();
        disk.remove(stored);
        drops.add(
            new RequestContent(stored.items(), 0, 0, 0, 0),
            null,
            DropReason.UNREADABLE,
            () -> "expected a request on the disk, found " + e.getMessage());
      }
    }
    // Another process sends what is there, or nothing is.
    looked = true;
    lookedNanos = now;
    return null;
  }

  /** Whether the disk has to be looked at again later. */
  boolean hasDisk() {
    return disk != null;
  }

  /** Forgets one of which nothing is left. */
  void done(Head head) {
    QueuedRequest taken = head.taken();
    if (taken != null) {
      memory.settled(shard, taken);
    }
    Spool.Stored stored = head.stored();
    if (stored != null && disk != null) {
      disk.remove(stored);
    }
  }

  /**
   * Brings to the disk whatever is left, at the end; without one it is lost.
   *
   * @param head what was under way
   */
  void keepAll(@Nullable Head head) {
    if (head != null) {
      keep(head);
    }
    for (QueuedRequest next = memory.take(shard); next != null; next = memory.take(shard)) {
      if (disk == null || !store(disk, next, false)) {
        lose(next);
      }
      settle(next);
    }
  }

  private void keep(Head head) {
    if (head.stored() == null || !head.isWhole()) {
      Iterator<QueuedRequest> lastFirst = head.lastFirst();
      while (lastFirst.hasNext()) {
        QueuedRequest part = lastFirst.next();
        if (disk == null || !store(disk, part, true)) {
          lose(part);
        }
      }
      done(head);
    }
    head.close();
  }

  private void lose(QueuedRequest request) {
    drops.add(
        request.content(),
        null,
        DropReason.SHUTDOWN,
        () -> "the writer was shut down before it was sent");
  }
}
