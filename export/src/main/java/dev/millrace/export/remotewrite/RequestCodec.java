package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.format.remotewrite.RemoteWriteEncoder;
import dev.millrace.format.remotewrite.RemoteWriteRequests;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.format.remotewrite.RequestContent;
import dev.millrace.format.remotewrite.RequestSink;
import dev.millrace.model.MetricCursor;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What knows the contents of requests, with {@link Encoders}: makes them, and looks into finished
 * ones. Everybody else here handles bytes and counts. Thread-safe: one thread at a time encodes.
 */
final class RequestCodec {
  private final Encoders encoders;
  private final RequestSink sink;
  private final Receiver receiver;
  private final ReentrantLock lock = new ReentrantLock();

  /** Somebody wanted to flush while another thread encoded, which does it then. */
  private volatile boolean flushWanted;

  private boolean closed;

  /**
   * A codec that makes requests for a receiver.
   *
   * @param sink takes finished requests
   */
  RequestCodec(RemoteWriterOptions options, ChunkPool pool, Receiver receiver, RequestSink sink) {
    encoders = new Encoders(options, pool, sink);
    this.receiver = receiver;
    this.sink = sink;
  }

  /** Makes requests of what a cursor shows; waits for its turn. */
  void encode(MetricCursor cursor, long nowUnixMillis, boolean complete, boolean flush) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      RemoteWriteEncoder encoder = encoders.of(cursor.source());
      encoder.version(receiver.version());
      try {
        encoder.encode(cursor, nowUnixMillis, complete, sink);
      } finally {
        if (flush) {
          encoder.flush(sink);
        }
      }
    } finally {
      lock.unlock();
    }
    flushIfWanted();
  }

  /** Finishes what is open; waits for its turn. */
  void flush() {
    lock.lock();
    try {
      if (!closed) {
        encoders.flush();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Finishes what is open, now or when the thread that encodes is done. */
  void flushSoon() {
    flushWanted = true;
    flushIfWanted();
  }

  private void flushIfWanted() {
    while (flushWanted && lock.tryLock()) {
      try {
        flushWanted = false;
        if (!closed) {
          encoders.flush();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Finishes what is open, and makes nothing any more. */
  void end(boolean endSeries, long nowUnixMillis) {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        if (endSeries) {
          encoders.endAll(nowUnixMillis);
        }
        encoders.flush();
        encoders.close();
      }
    } finally {
      lock.unlock();
    }
  }

  static RemoteWriteVersion versionOf(Payload request) throws MalformedProtobufException {
    return RemoteWriteRequests.versionOf(request);
  }

  static RequestContent contentOf(Payload request) throws MalformedProtobufException {
    return RemoteWriteRequests.content(request);
  }

  /** Both halves, in order; nothing where there is one series only. */
  static List<Payload> halvesOf(Payload request) throws MalformedProtobufException {
    return RemoteWriteRequests.split(request);
  }

  static Payload asVersion1(Payload request) throws MalformedProtobufException {
    return RemoteWriteRequests.toVersion1(request);
  }
}
