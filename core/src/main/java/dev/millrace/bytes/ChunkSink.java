package dev.millrace.bytes;

/** Takes filled chunks from a {@link ChunkWriter} that streams. */
@FunctionalInterface
public interface ChunkSink {
  /**
   * Takes one filled chunk. The sink owns it from here on, also when it throws, and gives it back
   * to {@code pool} when done.
   *
   * @throws java.io.UncheckedIOException if the peer is gone; the writer's caller sees it and stops
   *     encoding
   */
  void accept(Chunk chunk, ChunkPool pool);
}
