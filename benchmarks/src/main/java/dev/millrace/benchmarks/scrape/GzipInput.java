package dev.millrace.benchmarks.scrape;

import dev.millrace.testkit.GeneratedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** What is compressed. */
public enum GzipInput {
  /** A scrape in the Prometheus text format. */
  TEXT {
    @Override
    byte[] bytes(int series) throws IOException {
      return scrape(series, ScrapeFormat.TEXT);
    }
  },
  /** A scrape in the OpenMetrics format. */
  OPENMETRICS {
    @Override
    byte[] bytes(int series) throws IOException {
      return scrape(series, ScrapeFormat.OPENMETRICS);
    }
  },
  /** Nothing to find. */
  RANDOM {
    @Override
    byte[] bytes(int series) {
      return generate(GeneratedBytes.RANDOM, series);
    }
  },
  /** A search at each byte that finds next to nothing. */
  DELIMITERS {
    @Override
    byte[] bytes(int series) {
      return generate(GeneratedBytes.DELIMITERS, series);
    }
  },
  /** Repeats of six bytes only. */
  SHORT_REPEATS {
    @Override
    byte[] bytes(int series) {
      return generate(GeneratedBytes.SHORT_REPEATS, series);
    }
  };

  /** About what a series takes in the text formats. */
  private static final int BYTES_PER_SERIES = 390;

  /** The input, of the size of a scrape of so many series. */
  abstract byte[] bytes(int series) throws IOException;

  private static byte[] scrape(int series, ScrapeFormat format) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Contestant scraped =
        Contestants.create(
            Contestants.MILLRACE, new ScrapeWorkload(series), format, ScrapeCoding.IDENTITY);
    try {
      scraped.scrape(text);
    } finally {
      scraped.close();
    }
    return text.toByteArray();
  }

  private static byte[] generate(GeneratedBytes kind, int series) {
    return kind.generate(series * BYTES_PER_SERIES, 1);
  }
}
