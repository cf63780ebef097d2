package dev.millrace.agent.http;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/**
 * A chunk in Netty's hands, without a copy. It goes back to its pool when Netty has let go of it,
 * whether it was written, the peer went away, or the event loop has ended.
 */
final class ChunkBuf extends UnpooledHeapByteBuf {
  private final Chunk chunk;
  private final ChunkPool pool;
  private final Runnable onReleased;

  /**
   * Takes over a chunk.
   *
   * @param onReleased runs after the chunk went back, on the thread that let go of it last
   */
  ChunkBuf(ByteBufAllocator allocator, Chunk chunk, ChunkPool pool, Runnable onReleased) {
    super(allocator, chunk.bytes(), Chunk.SIZE_BYTES);
    this.chunk = chunk;
    this.pool = pool;
    this.onReleased = onReleased;
    writerIndex(chunk.lengthBytes());
  }

  @Override
  protected void freeArray(byte[] array) {
    pool.giveBack(chunk);
    onReleased.run();
  }
}
