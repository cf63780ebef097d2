package dev.millrace.testkit;

import java.util.function.ToLongFunction;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that did not give back what it took from a pool.
 *
 * <pre>{@code
 * @RegisterExtension
 * final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);
 * }</pre>
 *
 * @param <P> the pool's type
 */
public final class GivenBack<P> implements BeforeEachCallback, AfterEachCallback {
  private final P pool;
  private final ToLongFunction<? super P> outstanding;
  private long before;

  private GivenBack(P pool, ToLongFunction<? super P> outstanding) {
    this.pool = pool;
    this.outstanding = outstanding;
  }

  /**
   * Watches a pool.
   *
   * @param outstanding how many of the pool's things are in somebody's hands
   */
  public static <P> GivenBack<P> to(P pool, ToLongFunction<? super P> outstanding) {
    return new GivenBack<>(pool, outstanding);
  }

  /** The pool that is watched. */
  public P pool() {
    return pool;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    before = outstanding.applyAsLong(pool);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    long after = outstanding.applyAsLong(pool);
    if (after != before) {
      throw new AssertionError(
          context.getDisplayName()
              + ": expected every chunk taken in this test to be given back, but "
              + (after - before)
              + " are still out; close the writer or the payload on every path");
    }
  }
}
