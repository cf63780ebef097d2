package dev.millrace.bytes;

import org.jspecify.annotations.Nullable;

/**
 * Writes bytes, text and numbers into chunks. Growth takes another chunk; it never copies and never
 * starts over.
 *
 * <p>A writer either collects its chunks for a {@link Payload} ({@link #finish}), or streams: each
 * filled chunk goes to a {@link ChunkSink}, so that output of any size needs one chunk of memory.
 * After {@link #finish} or {@link #flush} it is empty and can be used again. Not thread-safe. The
 * owner closes it; that gives back what was not finished.
 *
 * <pre>{@code
 * try (ChunkWriter out = new ChunkWriter(pool)) {
 *   out.writeUtf8("up ");
 *   out.writeLong(1);
 *   Payload payload = out.finish();
 *   assert payload.lengthBytes() == 4;
 *   payload.close();
 * }
 * }</pre>
 */
public final class ChunkWriter implements AutoCloseable {
  /**
   * No method asks for more than this at once in a chunk; callers of {@link #reserve} may not
   * either.
   */
  public static final int MAX_RESERVE_BYTES = 1024;

  private static final byte[] NO_BYTES = new byte[0];
  private static final int UTF8_STEP_CHARS = MAX_RESERVE_BYTES / 3;

  private final ChunkPool pool;
  private final @Nullable ChunkSink sink;
  private @Nullable Chunk first;
  private @Nullable Chunk last;
  private byte[] bytes = NO_BYTES;
  private int position;
  private int limit;
  private long lengthOfFullBytes;

  /** A writer that collects. */
  public ChunkWriter(ChunkPool pool) {
    this(pool, null);
  }

  /**
   * A writer that streams.
   *
   * @param sink takes each filled chunk, in order; {@code null} to collect instead
   */
  public ChunkWriter(ChunkPool pool, @Nullable ChunkSink sink) {
    this.pool = pool;
    this.sink = sink;
  }

  /** Bytes written since the writer was made or last finished. */
  public long lengthBytes() {
    return lengthOfFullBytes + position;
  }

  /** Writes the low eight bits. */
  public void writeByte(int value) {
    if (position == limit) {
      nextChunk();
    }
    bytes[position++] = (byte) value;
  }

  /** Writes a whole array. */
  public void write(byte[] source) {
    write(source, 0, source.length);
  }

  /** Writes a part of an array, filling every chunk to its end. */
  public void write(byte[] source, int offset, int lengthBytes) {
    if (lengthBytes <= limit - position) {
      System.arraycopy(source, offset, bytes, position, lengthBytes);
      position += lengthBytes;
      return;
    }
    writeAcrossChunks(source, offset, lengthBytes);
  }

  private void writeAcrossChunks(byte[] source, int offset, int lengthBytes) {
    int from = offset;
    int left = lengthBytes;
    while (left > 0) {
      if (position == limit) {
        nextChunk();
      }
      int step = Math.min(left, limit - position);
      System.arraycopy(source, from, bytes, position, step);
      position += step;
      from += step;
      left -= step;
    }
  }

  /** Writes text as UTF-8; an unpaired surrogate becomes U+FFFD. */
  public void writeUtf8(String text) {
    int chars = text.length();
    if (chars <= UTF8_STEP_CHARS) {
      int at = reserve(Utf8.maxBytes(chars));
      advanceTo(Utf8.write(text, bytes, at));
      return;
    }
    int from = 0;
    while (from < chars) {
      int to = Math.min(chars, from + UTF8_STEP_CHARS);
      if (to < chars && Character.isHighSurrogate(text.charAt(to - 1))) {
        to--;
      }
      int at = reserve(Utf8.maxBytes(to - from));
      advanceTo(Utf8.write(text, from, to, bytes, at));
      from = to;
    }
  }

  /** Writes a whole number in decimal. */
  public void writeLong(long value) {
    int at = reserve(LongText.MAX_BYTES);
    advanceTo(LongText.write(value, bytes, at));
  }

  /**
   * Writes a number as the shortest text that reads back equal, as {@link DoubleText#write} does.
   */
  public void writeDouble(double value) {
    int at = reserve(DoubleText.MAX_BYTES);
    advanceTo(DoubleText.write(value, bytes, at));
  }

  /**
   * Makes room for bytes that the caller writes itself into {@link #reservedBytes}, and then claims
   * with {@link #advanceTo}. The rest of the chunk stays unused where the room is not there.
   *
   * @param lengthBytes at most {@link #MAX_RESERVE_BYTES}
   * @return the offset at which to write
   */
  public int reserve(int lengthBytes) {
    if (lengthBytes > limit - position) {
      if (lengthBytes > MAX_RESERVE_BYTES) {
        throw new IllegalArgumentException(
            "expected at most "
                + MAX_RESERVE_BYTES
                + " bytes to reserve, found "
                + lengthBytes
                + "; use write");
      }
      nextChunk();
    }
    return position;
  }

  /** The array that {@link #reserve} made room in. */
  public byte[] reservedBytes() {
    return bytes;
  }

  /**
   * Claims what was written after {@link #reserve}.
   *
   * @param offset the offset after the last byte written
   */
  public void advanceTo(int offset) {
    if (offset < position || offset > limit) {
      throw new IllegalArgumentException(
          "expected an offset from "
              + position
              + " to "
              + limit
              + ", found "
              + offset
              + "; reserve first");
    }
    position = offset;
  }

  /**
   * Ends a collecting writer's payload.
   *
   * @return the payload; the caller owns it
   * @throws IllegalStateException if the writer streams
   */
  public Payload finish() {
    if (sink != null) {
      throw new IllegalStateException(
          "expected a collecting writer; a streaming one ends with flush");
    }
    closeLastChunk();
    Payload payload = new Payload(pool, first, lengthOfFullBytes);
    forget();
    return payload;
  }

  /**
   * Hands the last, partly filled chunk of a streaming writer to the sink.
   *
   * @throws IllegalStateException if the writer collects
   */
  public void flush() {
    ChunkSink to = sink;
    if (to == null) {
      throw new IllegalStateException(
          "expected a streaming writer; a collecting one ends with finish");
    }
    closeLastChunk();
    Chunk chunk = first;
    forget();
    if (chunk != null) {
      to.accept(chunk, pool);
    }
  }

  /** Gives back what was written and not finished. The writer is empty afterwards. */
  @Override
  public void close() {
    Chunk chunk = first;
    forget();
    pool.giveBackAll(chunk);
  }

  private void nextChunk() {
    closeLastChunk();
    Chunk full = last;
    ChunkSink to = sink;
    if (to != null && full != null) {
      // The sink owns the chunk even when it throws, so the writer must have let go of it before.
      first = null;
      last = null;
      bytes = NO_BYTES;
      limit = 0;
      to.accept(full, pool);
    }
    Chunk chunk = pool.take();
    Chunk before = last;
    if (before == null) {
      first = chunk;
    } else {
      before.setNext(chunk);
    }
    last = chunk;
    bytes = chunk.bytes();
    limit = bytes.length;
  }

  private void closeLastChunk() {
    Chunk chunk = last;
    if (chunk != null) {
      chunk.setLengthBytes(position);
      lengthOfFullBytes += position;
    }
    position = 0;
  }

  private void forget() {
    first = null;
    last = null;
    bytes = NO_BYTES;
    position = 0;
    limit = 0;
    lengthOfFullBytes = 0;
  }
}
