package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A reply whose peer takes as many chunks as the test lets it, and may go away. */
final class PacedReply implements ScrapeReply {
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final int chunksUntilGone;
  private final boolean heedsAbort;
  private long allowedChunks;
  private long takenChunks;
  private boolean stalled;
  private boolean aborted;
  private boolean ended;
  private @Nullable String contentType;

  private PacedReply(long allowedChunks, int chunksUntilGone, boolean heedsAbort) {
    this.allowedChunks = allowedChunks;
    this.chunksUntilGone = chunksUntilGone;
    this.heedsAbort = heedsAbort;
  }

  /** A peer that takes everything. */
  static PacedReply fast() {
    return stallingAfter(Long.MAX_VALUE);
  }

  /** A peer that takes so many chunks, and more when it is told to. */
  static PacedReply stallingAfter(long chunks) {
    return new PacedReply(chunks, Integer.MAX_VALUE, true);
  }

  /** A peer that takes nothing, in a transport that cannot abort. */
  static PacedReply stuck() {
    return new PacedReply(0, Integer.MAX_VALUE, false);
  }

  /** A peer that is gone after so many chunks. */
  static PacedReply goneAfter(int chunks) {
    return new PacedReply(Long.MAX_VALUE, chunks, true);
  }

  /** Lets the peer take more. */
  synchronized void allow(long chunks) {
    allowedChunks =
        chunks > Long.MAX_VALUE - allowedChunks ? Long.MAX_VALUE : allowedChunks + chunks;
    notifyAll();
  }

  @Override
  public synchronized void start(String contentType, @Nullable String contentEncoding) {
    if (this.contentType != null) {
      throw new AssertionError("expected one start, found two");
    }
    this.contentType = contentType + " " + contentEncoding;
  }

  @Override
  public synchronized void accept(Chunk chunk, ChunkPool pool) {
    try {
      if (contentType == null || ended) {
        throw new AssertionError("expected chunks between start and end");
      }
      awaitPermission();
      if (takenChunks == chunksUntilGone) {
        throw new UncheckedIOException(new IOException("gone"));
      }
      takenChunks++;
      body.write(chunk.bytes(), 0, chunk.lengthBytes());
    } finally {
      pool.giveBack(chunk);
    }
  }

  private void awaitPermission() {
    try {
      while (takenChunks >= allowedChunks && !(aborted && heedsAbort)) {
        stalled = true;
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("the transport stops"));
    } finally {
      stalled = false;
    }
    if (aborted) {
      throw new UncheckedIOException(new IOException("aborted"));
    }
  }

  @Override
  public synchronized void end() {
    if (contentType == null || ended) {
      throw new AssertionError("expected one end after start");
    }
    if (aborted) {
      throw new UncheckedIOException(new IOException("aborted"));
    }
    ended = true;
  }

  @Override
  public synchronized void abort() {
    aborted = true;
    notifyAll();
  }

  synchronized boolean isStalled() {
    return stalled;
  }

  synchronized boolean isAborted() {
    return aborted;
  }

  synchronized boolean isEnded() {
    return ended;
  }

  synchronized boolean isStarted() {
    return contentType != null;
  }

  synchronized long takenChunks() {
    return takenChunks;
  }

  synchronized String contentType() {
    return String.valueOf(contentType);
  }

  synchronized byte[] bytes() {
    return body.toByteArray();
  }

  /** The body as text, uncompressed if it was compressed. */
  String text(ScrapeKey key) throws IOException {
    if (key.coding() == ContentCoding.IDENTITY) {
      return new String(bytes(), StandardCharsets.US_ASCII);
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes()))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
