package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What the leader of a round does: reads the source once, and encodes it for each group in turn.
 * Its own reply gets its chunks here; when that fails, the leader goes on for the others. One
 * thread.
 */
final class RoundLeader {
  /** What every leader of a handler works with. */
  record Tools(
      MetricSource source,
      ChunkPool pool,
      Encoders encoders,
      RoundLock shared,
      Turns turns,
      Handover handover,
      Delivery delivery) {}

  private final Tools tools;
  private final Turns turns;
  private final Handover handover;
  private final Round round;
  private final Member self;
  private @Nullable MetricCursor open;

  RoundLeader(Tools tools, Round round, Member self) {
    this.tools = tools;
    this.turns = tools.turns;
    this.handover = tools.handover;
    this.round = round;
    this.self = self;
  }

  /**
   * Leads the round to its end.
   *
   * @return bytes of the own reply's body
   */
  long lead() {
    Throwable unexpected = null;
    try {
      long openedNanos = tools.shared.nanoTime();
      MetricCursor cursor = tools.source.open();
      open = cursor;
      turns.begin(round, tools.pool);
      for (Group group = handover.nextGroup(round, openedNanos);
          group != null;
          group = handover.nextGroup(round, openedNanos)) {
        encode(group, cursor);
      }
      freeSource();
    } catch (RuntimeException | Error e) {
      unexpected = notOfThePeer(e);
    } finally {
      finish(unexpected);
    }
    throwOwnFailure(unexpected);
    Group own = self.group;
    return own == null ? 0 : own.bodyBytes;
  }

  private void finish(@Nullable Throwable unexpected) {
    try {
      freeSource();
    } catch (RuntimeException | Error e) {
      // What went wrong first tells more.
      handover.fail(round, notOfThePeer(e));
    } finally {
      turns.end(round, unexpected);
      if (round.interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void throwOwnFailure(@Nullable Throwable unexpected) {
    Throwable failure = self.failure == null ? unexpected : self.failure;
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    if (self.dropped) {
      throw RoundLock.dropped(null);
    }
  }

  /** Frees the source as soon as it is not needed, whatever is still to be sent. */
  private void freeSource() {
    MetricCursor cursor = open;
    open = null;
    try {
      if (cursor != null) {
        cursor.close();
      }
    } finally {
      turns.freeSource(round);
    }
  }

  private void encode(Group group, MetricCursor cursor) {
    try {
      GroupSink sink = new GroupSink(group);
      if (group.key.coding() == ContentCoding.GZIP) {
        writeGzip(group, cursor, sink);
      } else {
        write(group, cursor, sink, sink);
      }
      handover.complete(round, group, sink.bodyBytes);
      if (group.leaderTakes()) {
        endOwn(group);
      }
    } catch (Handover.UnwantedException e) {
      handover.breakOff(round, group, null);
    } catch (RuntimeException | Error e) {
      Throwable failure = notOfThePeer(e);
      handover.breakOff(round, group, failure);
      if (group.leader == self) {
        handover.fail(round, failure);
      }
    }
  }

  /** To a transport, an {@link UncheckedIOException} says that the peer is gone. */
  private static Throwable notOfThePeer(Throwable failure) {
    return failure instanceof UncheckedIOException
        ? new IllegalStateException(
            "expected to read and encode the source, found: " + failure.getMessage(), failure)
        : failure;
  }

  private void writeGzip(Group group, MetricCursor cursor, GroupSink sink) {
    Compressor compressor = tools.encoders.takeCompressor();
    try (ChunkWriter out = new ChunkWriter(tools.pool, sink)) {
      compressor.begin(out);
      write(group, cursor, compressor, null);
      compressor.finish();
      sink.bodyBytes = out.lengthBytes();
      out.flush();
    } finally {
      tools.encoders.giveBack(compressor);
    }
  }

  /**
   * Encodes.
   *
   * @param last where to note how long the body is before its last chunk comes
   */
  private void write(Group group, MetricCursor cursor, ChunkSink body, @Nullable GroupSink last) {
    MetricEncoder encoder = tools.encoders.take(group.key);
    boolean reusable = false;
    try (ChunkWriter out = new ChunkWriter(tools.pool, body)) {
      group.contentType = encoder.contentType();
      encoder.encode(cursor, out);
      reusable = true;
      if (handover.isLastWanted(round, group)) {
        freeSource();
      }
      if (last != null) {
        last.bodyBytes = out.lengthBytes();
      }
      out.flush();
    } catch (Handover.UnwantedException e) {
      // Peers that went away say nothing about the encoder; one that failed for any other reason
      // may hold half a plan and is not used again.
      reusable = true;
      throw e;
    } finally {
      if (reusable) {
        tools.encoders.giveBack(group.key, encoder);
      }
    }
  }

  private void endOwn(Group group) {
    try {
      tools.delivery.end(round, self, group.contentType);
      handover.leave(round, self);
    } catch (RuntimeException | Error e) {
      ownFailed(e);
    }
  }

  /**
   * Notes why the own reply cannot go on. The round goes on, in a thread that is not interrupted.
   */
  private void ownFailed(Throwable failure) {
    handover.fail(round, failure);
    if (Thread.interrupted()) {
      round.interrupted = true;
    }
  }

  /** Shows a group's chunks to its followers, and delivers them to the own reply. */
  private final class GroupSink implements ChunkSink {
    private final Group group;

    /** How long the whole body is; -1 before its last chunk. */
    private long bodyBytes = -1;

    GroupSink(Group group) {
      this.group = group;
    }

    @Override
    public void accept(Chunk chunk, ChunkPool from) {
      boolean given = false;
      try {
        if (handover.publish(round, group, chunk, bodyBytes)) {
          given = true;
          tools.delivery.deliver(round, self, group.contentType, chunk);
        }
      } catch (Handover.UnwantedException e) {
        throw e;
      } catch (RuntimeException | Error e) {
        if (!given) {
          throw e;
        }
        ownFailed(e);
      } finally {
        if (!given) {
          from.giveBack(chunk);
        }
      }
    }
  }
}
