package dev.millrace.export.scrape;

import dev.millrace.export.scrape.ScrapeHandler.EncoderFactory;
import dev.millrace.format.MetricEncoder;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The encoders and the compressor that wait for their next scrape. Collections come one after the
 * other, so one of a kind is enough; of the kinds of encoders, those used last are kept.
 *
 * <p>Thread-safe; the lock is held for taking and giving back only.
 */
final class Encoders implements AutoCloseable {
  private record Idle(ScrapeKey key, MetricEncoder encoder) {}

  private final EncoderFactory factory;
  private final Compression compression;
  private final int maxIdle;
  private final ArrayDeque<Idle> idle = new ArrayDeque<>();
  private @Nullable Compressor idleCompressor;
  private boolean closed;

  Encoders(EncoderFactory factory, ScrapeHandlerOptions options) {
    this.factory = factory;
    this.compression = options.compression();
    this.maxIdle = options.maxIdleEncoders();
  }

  /** Gives an encoder to use; it need not come back. */
  MetricEncoder take(ScrapeKey key) {
    synchronized (this) {
      for (Iterator<Idle> i = idle.descendingIterator(); i.hasNext(); ) {
        Idle found = i.next();
        if (found.key.format() == key.format() && found.key.escaping() == key.escaping()) {
          i.remove();
          return found.encoder;
        }
      }
    }
    return factory.create(key.format(), key.escaping());
  }

  /** Takes an encoder back that did not fail. */
  synchronized void giveBack(ScrapeKey key, MetricEncoder encoder) {
    idle.addLast(new Idle(key, encoder));
    if (idle.size() > maxIdle) {
      idle.removeFirst();
    }
  }

  /** Gives a compressor to use; it has to come back. */
  Compressor takeCompressor() {
    synchronized (this) {
      Compressor taken = idleCompressor;
      if (taken != null) {
        idleCompressor = null;
        return taken;
      }
    }
    return Compressor.create(compression);
  }

  void giveBack(Compressor compressor) {
    synchronized (this) {
      if (!closed && idleCompressor == null) {
        idleCompressor = compressor;
        return;
      }
    }
    compressor.close();
  }

  /** Keeps no compressor any more, and lets go of the one that is idle. */
  @Override
  public void close() {
    Compressor last;
    synchronized (this) {
      closed = true;
      last = idleCompressor;
      idleCompressor = null;
    }
    if (last != null) {
      last.close();
    }
  }
}
