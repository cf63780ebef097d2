package dev.millrace.agent.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads and the memory that all of a process' {@link HttpServer}s share. Thread-safe. The
 * owner closes it after the servers.
 */
public final class HttpLoops implements AutoCloseable {
  /**
   * Event loops only move bytes, about a gigabyte a second each; two keep one connection's burst
   * from being in the way of all others.
   */
  private static final int MAX_THREADS = 2;

  /** 256 KiB: the smallest piece of pooled memory that holds four reads of 64 KiB. */
  private static final int MAX_ORDER = 5;

  private static final int PAGE_BYTES = 8 * 1024;

  /** Headers of replies are small buffers; a few of them are kept with each thread. */
  private static final int SMALL_CACHE_BUFFERS = 16;

  private static final long CLOSE_MILLIS = 1_000;

  private final EventLoopGroup group;
  private final ByteBufAllocator allocator;

  /** Starts no thread yet; the first server does. */
  public HttpLoops() {
    int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    group =
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("millrace-http", true), NioIoHandler.newFactory());
    allocator = new HeapAllocator(threads);
  }

  EventLoopGroup group() {
    return group;
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  /** Ends the threads; waits for them at most a second. */
  @Override
  public void close() {
    group
        .shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_MILLIS);
  }

  /**
   * Pools a few heap buffers and no direct ones. What is read is copied into chunks at once, and
   * what is written are chunks, on the heap too; the JDK copies both through one buffer a thread. A
   * pool of direct memory would copy as often and be there when the agent is idle.
   */
  private static final class HeapAllocator extends PooledByteBufAllocator {
    HeapAllocator(int arenas) {
      super(false, arenas, 0, PAGE_BYTES, MAX_ORDER, SMALL_CACHE_BUFFERS, 0, false);
    }

    @Override
    public ByteBuf ioBuffer() {
      return heapBuffer();
    }

    @Override
    public ByteBuf ioBuffer(int initialCapacity) {
      return heapBuffer(initialCapacity);
    }

    @Override
    public ByteBuf ioBuffer(int initialCapacity, int maxCapacity) {
      return heapBuffer(initialCapacity, maxCapacity);
    }
  }
}
