package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many scrapes of all kinds at once, some of which fail, on the system's clock. */
class ScrapeStressTest {
  private static final int THREADS = 8;
  private static final int SCRAPES_PER_THREAD = 30;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(128), ChunkPool::outstandingChunks);

  private final LineSource source = new LineSource();

  @Test
  void withoutACache() throws Exception {
    run(ScrapeHandlerOptions.defaults().withMaxWaitMillis(ScrapeHandlerOptions.MAX_MILLIS), 71);
  }

  @Test
  void withACache() throws Exception {
    run(
        ScrapeHandlerOptions.defaults()
            .withMaxWaitMillis(ScrapeHandlerOptions.MAX_MILLIS)
            .withCacheMillis(1)
            .withCacheBytes(1_500_000),
        72);
  }

  private void run(ScrapeHandlerOptions options, long seed) throws Exception {
    source.lines = 30_000;
    SplittableRandom random = new SplittableRandom(seed);
    AtomicInteger done = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (ScrapeHandler handler =
        new ScrapeHandler(source, chunks.pool(), source::encoder, options)) {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom own = random.split();
        Callable<Boolean> scrapes =
            () -> {
              for (int j = 0; j < SCRAPES_PER_THREAD; j++) {
                if (scrape(handler, own, seed)) {
                  done.incrementAndGet();
                }
              }
              return true;
            };
        results.add(threads.submit(scrapes));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
      assertThat(handler.droppedScrapes()).isZero();
      assertThat(handler.collections() + handler.sharedScrapes() + handler.cachedScrapes())
          .as("seed %d: scrapes that did not give up while they waited", seed)
          .isBetween((long) done.get(), (long) THREADS * SCRAPES_PER_THREAD);
      assertThat(done.get()).isGreaterThan(THREADS * SCRAPES_PER_THREAD / 2);
    } finally {
      threads.shutdown();
    }
    assertThat(source.openCursors).hasValue(0);
  }

  /** Scrapes once, maybe as a peer that goes away or in a thread that is interrupted. */
  private boolean scrape(ScrapeHandler handler, SplittableRandom random, long seed)
      throws Exception {
    ScrapeKey key = key(random);
    int luck = random.nextInt(12);
    PacedReply reply = luck == 0 ? PacedReply.goneAfter(random.nextInt(12)) : PacedReply.fast();
    if (luck == 1) {
      Thread.currentThread().interrupt();
    }
    try {
      handler.handle(Scrapes.request(key), reply);
    } catch (RuntimeException e) {
      assertThat(luck).as("seed %d: %s", seed, e).isLessThan(2);
      assertThat(reply.isEnded()).isFalse();
      return false;
    } finally {
      boolean interrupted = Thread.interrupted();
      assertThat(interrupted).as("seed %d", seed).isEqualTo(luck == 1);
    }
    String text = reply.text(key);
    int collection = LineSource.collection(text);
    assertThat(text).as("seed %d", seed).isEqualTo(source.expected(key, collection));
    return true;
  }

  private static ScrapeKey key(SplittableRandom random) {
    PrometheusFormat[] formats = PrometheusFormat.values();
    EscapingScheme[] escapings = EscapingScheme.values();
    return new ScrapeKey(
        formats[random.nextInt(formats.length)],
        escapings[random.nextInt(2)],
        random.nextInt(3) == 0 ? ContentCoding.GZIP : ContentCoding.IDENTITY);
  }
}
