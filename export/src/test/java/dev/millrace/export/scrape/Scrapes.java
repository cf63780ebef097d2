package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A handler on a clock that stands still unless the test moves it, and scrapes in threads. */
final class Scrapes implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);
  static final long MAX_WAIT_MILLIS = 5_000;

  /** Much less than any peer's patience. */
  private static final long STEP_MILLIS = 250;

  /** One scrape in a thread of its own. */
  static final class Scrape {
    final ScrapeKey key;
    final PacedReply reply;
    final Thread thread;
    volatile @Nullable ScrapeResult result;
    volatile @Nullable Throwable failure;
    volatile boolean leftInterrupted;

    private Scrape(ScrapeHandler handler, ScrapeKey key, PacedReply reply) {
      this.key = key;
      this.reply = reply;
      this.thread =
          new Thread(
              () -> {
                try {
                  result = handler.handle(request(key), reply);
                } catch (RuntimeException | Error e) {
                  failure = e;
                } finally {
                  leftInterrupted = Thread.currentThread().isInterrupted();
                }
              });
      thread.setDaemon(true);
    }

    /** Waits for the end, and for how it ended. */
    Scrape join() {
      try {
        thread.join(LIMIT.toMillis());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertThat(thread.isAlive()).as("a scrape that goes on").isFalse();
      return this;
    }

    Throwable failed() {
      join();
      assertThat(result).isNull();
      assertThat(reply.isEnded()).isFalse();
      Throwable thrown = failure;
      if (thrown == null) {
        throw new AssertionError("expected a scrape to fail, found it done");
      }
      return thrown;
    }
  }

  final LineSource source = new LineSource();
  final AtomicLong nanos = new AtomicLong(-3_000_000_000L);
  final List<String> log = new ArrayList<>();
  final Problems problems = new Problems(nanos::get, this::log);
  final ScrapeHandler handler;
  private final List<Scrape> all = new ArrayList<>();

  Scrapes(ChunkPool chunks) {
    this(chunks, options -> options);
  }

  Scrapes(ChunkPool chunks, UnaryOperator<ScrapeHandlerOptions> change) {
    handler =
        new ScrapeHandler(
            source,
            chunks,
            source::encoder,
            change.apply(
                ScrapeHandlerOptions.defaults()
                    .withMaxWaitMillis(MAX_WAIT_MILLIS)
                    .withNanoClock(nanos::get)
                    .withProblems(problems)));
  }

  static ScrapeKey key(PrometheusFormat format) {
    return new ScrapeKey(format, EscapingScheme.UNDERSCORES, ContentCoding.IDENTITY);
  }

  static ScrapeRequest request(ScrapeKey key) {
    String accept =
        key.format() == PrometheusFormat.PROTOBUF
            ? "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily"
                + ";encoding=delimited"
            : key.format().type()
                + "/"
                + key.format().subtype()
                + ";version="
                + key.format().version();
    return new ScrapeRequest(
        accept + ";escaping=" + key.escaping().headerValue(),
        key.coding() == ContentCoding.GZIP ? "gzip" : null,
        false);
  }

  /** Starts a scrape, and waits until its thread waits for something. */
  Scrape start(ScrapeKey key, PacedReply reply) {
    Scrape scrape = new Scrape(handler, key, reply);
    all.add(scrape);
    scrape.thread.start();
    awaitQuiet(scrape);
    return scrape;
  }

  /** Waits until a scrape's thread waits for something, or has ended. */
  void awaitQuiet(Scrape scrape) {
    Eventually.isTrue(
        "a thread that waits or has ended",
        LIMIT,
        () ->
            switch (scrape.thread.getState()) {
              case WAITING, TIMED_WAITING, TERMINATED -> true;
              default -> false;
            });
  }

  /** Waits until no scrape makes progress: each waits, has ended, or is held by its peer. */
  void awaitQuiet() {
    long[] seen = {-1};
    int[] times = {0};
    Eventually.isTrue(
        "scrapes that stand still",
        LIMIT,
        () -> {
          long progress = 0;
          for (Scrape scrape : all) {
            awaitQuiet(scrape);
            progress += scrape.reply.takenChunks() + (scrape.thread.isAlive() ? 0 : 1_000_000);
          }
          times[0] = progress == seen[0] ? times[0] + 1 : 0;
          seen[0] = progress;
          return times[0] == 4;
        });
  }

  /** Moves the clock, in steps that the waiting threads see one by one. */
  void pass(long millis) {
    for (long left = millis; left > 0; left -= STEP_MILLIS) {
      awaitQuiet();
      nanos.addAndGet(Math.min(left, STEP_MILLIS) * 1_000_000);
    }
    awaitQuiet();
  }

  /** Expects a scrape that went well, with the bytes of a collection. */
  void expectWhole(Scrape scrape, int collection) throws Exception {
    scrape.join();
    assertThat(scrape.failure).isNull();
    assertThat(scrape.reply.isEnded()).isTrue();
    assertThat(scrape.reply.isAborted()).isFalse();
    assertThat(scrape.reply.text(scrape.key)).isEqualTo(source.expected(scrape.key, collection));
    assertThat(scrape.reply.contentType())
        .isEqualTo(
            "test/"
                + scrape.key.format()
                + "+"
                + scrape.key.escaping()
                + (scrape.key.coding() == ContentCoding.GZIP ? " gzip" : " null"));
    assertThat(scrape.result)
        .isEqualTo(
            new ScrapeResult(
                scrape.key.format(),
                scrape.key.escaping(),
                scrape.key.coding(),
                scrape.reply.bytes().length));
  }

  /** Makes bodies so long that they do not fit into a window by far. */
  void makeLong() {
    source.lines = 2_500 * 4 * Window.CHUNKS;
  }

  synchronized List<String> logged() {
    return List.copyOf(log);
  }

  private synchronized void log(String line) {
    log.add(line);
  }

  /** Ends what goes on, and expects nothing to be left. */
  @Override
  public void close() {
    for (Scrape scrape : all) {
      scrape.reply.allow(Long.MAX_VALUE);
    }
    for (Scrape scrape : all) {
      scrape.join();
    }
    handler.close();
    assertThat(source.openCursors).hasValue(0);
  }
}
