package dev.millrace.bytes;

import java.util.SplittableRandom;

/** Payloads that are cut anywhere, for readers that must not care. */
public final class Pieces {
  private Pieces() {}

  /** A payload of chunks with 1 to {@code mostBytes} bytes each, and now and then an empty one. */
  public static Payload cut(
      ChunkPool pool, byte[] content, SplittableRandom random, int mostBytes) {
    Chunk first = null;
    Chunk last = null;
    int at = 0;
    while (at < content.length) {
      int step =
          random.nextInt(8) == 0 ? 0 : Math.min(content.length - at, 1 + random.nextInt(mostBytes));
      Chunk chunk = pool.take();
      System.arraycopy(content, at, chunk.bytes(), 0, step);
      chunk.setLengthBytes(step);
      at += step;
      if (last == null) {
        first = chunk;
      } else {
        last.setNext(chunk);
      }
      last = chunk;
    }
    return new Payload(pool, first, content.length);
  }
}
