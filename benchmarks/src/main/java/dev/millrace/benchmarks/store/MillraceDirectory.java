package dev.millrace.benchmarks.store;

import dev.millrace.benchmarks.scrape.CountingOutputStream;
import dev.millrace.benchmarks.scrape.ScrapeCoding;
import dev.millrace.benchmarks.scrape.ScrapeFormat;
import dev.millrace.benchmarks.scrape.SourceScrape;
import dev.millrace.model.MetricSource;
import dev.millrace.store.StoreSource;
import dev.millrace.store.foreign.ForeignClient;
import dev.millrace.store.foreign.ForeignOptions;
import dev.millrace.store.foreign.ForeignSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A directory, its own or another client's, scraped by Millrace. */
final class MillraceDirectory implements ScrapedDirectory {
  /** What client_ruby's files do not tell. */
  private static final String SCHEMA =
      """
      [{"name": "query_seconds", "type": "histogram", "help": "Time of queries.",
        "buckets": [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]}]
      """;

  private final CountingOutputStream out = new CountingOutputStream();
  private final Opener opener;
  private final ScrapeState state;
  private @Nullable Open open;

  private MillraceDirectory(Opener opener, ScrapeState state) {
    this.opener = opener;
    this.state = state;
  }

  private interface Opener {
    Open open();
  }

  private record Open(MetricSource source, AutoCloseable closed, SourceScrape scrape) {
    void close() {
      scrape.close();
      try {
        closed.close();
      } catch (Exception e) {
        throw new IllegalStateException("closing a source", e);
      }
    }
  }

  /** A store's directory. */
  static MillraceDirectory own(Path directory, ScrapeState state) {
    return new MillraceDirectory(
        () -> {
          StoreSource source = StoreSource.of(directory);
          return new Open(source, source, scrape(source));
        },
        state);
  }

  /** Another client's directory. */
  static MillraceDirectory foreign(Path directory, Peer peer, Path scratch, ScrapeState state)
      throws IOException {
    ForeignOptions.Builder options =
        ForeignOptions.builder()
            .client(
                switch (peer) {
                  case CLIENT_RUBY, CLIENT_RUBY_5 -> ForeignClient.CLIENT_RUBY;
                  case MMAP -> ForeignClient.PROMETHEUS_CLIENT_MMAP;
                  case CLIENT_PYTHON -> ForeignClient.CLIENT_PYTHON;
                });
    if (peer == Peer.CLIENT_RUBY || peer == Peer.CLIENT_RUBY_5) {
      options.schema(Files.writeString(scratch.resolve("metrics.json"), SCHEMA));
    }
    ForeignOptions built = options.build();
    return new MillraceDirectory(
        () -> {
          ForeignSource source = ForeignSource.of(directory, built);
          return new Open(source, source, scrape(source));
        },
        state);
  }

  private static SourceScrape scrape(MetricSource source) {
    return new SourceScrape(source, ScrapeFormat.TEXT, ScrapeCoding.IDENTITY);
  }

  @Override
  public void scrape(StoreCost cost) {
    Open scraped = open;
    if (state == ScrapeState.WARM && scraped != null) {
      cost.begin();
      scraped.scrape.run(out);
      cost.end(1, out.takeCount());
      return;
    }
    cost.begin();
    scraped = opener.open();
    scraped.scrape.run(out);
    cost.end(1, out.takeCount());
    if (state == ScrapeState.WARM) {
      open = scraped;
    } else {
      scraped.close();
    }
  }

  @Override
  public byte[] text(Path scratch) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Open scraped = opener.open();
    scraped.scrape.run(text);
    scraped.close();
    return text.toByteArray();
  }

  @Override
  public void close() {
    Open scraped = open;
    open = null;
    if (scraped != null) {
      scraped.close();
    }
  }
}
