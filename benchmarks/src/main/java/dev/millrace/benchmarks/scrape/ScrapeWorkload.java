package dev.millrace.benchmarks.scrape;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * N series: 70 % counters, 10 % histograms of 15 bounds, and gauges; at most 1,000 series a family;
 * the labels {@code method}, {@code route} and {@code status} on each. The same for every
 * contestant, values included.
 */
final class ScrapeWorkload {
  static final int MAX_SERIES_PER_FAMILY = 1_000;
  static final String METHOD = "method";
  static final String ROUTE = "route";
  static final String STATUS = "status";

  private static final double[] BOUNDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10
  };
  private static final int OBSERVATIONS_PER_HISTOGRAM = 20;
  private static final int COUNTER_PERCENT = 70;
  private static final int HISTOGRAM_PERCENT = 10;

  private static final String[] METHODS = {"GET", "POST", "PUT", "DELETE"};
  private static final String[] STATUSES = {"200", "201", "400", "404", "503"};
  private static final String[] COLLECTIONS = {
    "orders",
    "customers",
    "invoices",
    "shipments",
    "products",
    "carts",
    "prices",
    "stores",
    "returns",
    "reviews"
  };
  private static final String[] ENDPOINTS = {
    "", "/{id}", "/{id}/items", "/search", "/{id}/history"
  };

  /** The kinds of family. */
  enum Kind {
    COUNTER("http.server.requests", "{request}", "http_server_requests_%d"),
    HISTOGRAM("http.server.duration", "s", "http_server_duration_%d_seconds"),
    GAUGE("http.server.buffers", "By", "http_server_buffers_%d_bytes");

    final String otelName;
    final String unit;
    private final String prometheusName;

    Kind(String otelName, String unit, String prometheusName) {
      this.otelName = otelName;
      this.unit = unit;
      this.prometheusName = prometheusName;
    }
  }

  /**
   * One family.
   *
   * @param number tells families of one kind apart
   * @param seriesCount from 1 to {@link #MAX_SERIES_PER_FAMILY}
   */
  record Family(Kind kind, int number, int seriesCount) {
    /** The name of an OpenTelemetry instrument. */
    String otelName() {
      return kind.otelName + "." + number;
    }

    /** The name that the OpenTelemetry one becomes, without {@code _total}. */
    String prometheusName() {
      return kind.prometheusName.formatted(number);
    }

    String description() {
      return "What family " + number + " of this kind measures.";
    }

    /** How often a counter was incremented: rarely used routes have small numbers. */
    long counterValue(int series) {
      SplittableRandom random = random(series);
      return random.nextLong(1, 1L << random.nextInt(4, 34));
    }

    /** A gauge's value: every other one is a whole number. */
    double gaugeValue(int series) {
      double value = random(series).nextDouble() * 1e6;
      return series % 2 == 0 ? Math.rint(value) : value;
    }

    /** What a histogram observed. */
    double[] observations(int series) {
      return random(series).doubles(OBSERVATIONS_PER_HISTOGRAM, 0, 12).toArray();
    }

    private SplittableRandom random(int series) {
      return new SplittableRandom(
          ((long) kind.otelName.hashCode() + number) * MAX_SERIES_PER_FAMILY + series);
    }
  }

  private final List<Family> families = new ArrayList<>();

  /**
   * A workload of its families.
   *
   * @param seriesCount 10 or more
   */
  ScrapeWorkload(int seriesCount) {
    int counters = Math.toIntExact((long) seriesCount * COUNTER_PERCENT / 100);
    int histograms = Math.toIntExact((long) seriesCount * HISTOGRAM_PERCENT / 100);
    add(Kind.COUNTER, counters);
    add(Kind.HISTOGRAM, histograms);
    add(Kind.GAUGE, seriesCount - counters - histograms);
  }

  private void add(Kind kind, int seriesCount) {
    int number = 0;
    for (int left = seriesCount; left > 0; left -= MAX_SERIES_PER_FAMILY) {
      families.add(new Family(kind, number++, Math.min(left, MAX_SERIES_PER_FAMILY)));
    }
  }

  List<Family> families() {
    return families;
  }

  /** The bounds of all histograms; a copy. */
  static double[] bounds() {
    return BOUNDS.clone();
  }

  /** How many sample lines a scrape has, besides {@code target_info}. */
  long sampleLines() {
    // A line for each bucket, the infinite one included, and those of sum and count.
    int linesPerHistogram = BOUNDS.length + 1 + 2;
    long lines = 0;
    for (Family family : families) {
      lines +=
          family.kind() == Kind.HISTOGRAM
              ? (long) family.seriesCount() * linesPerHistogram
              : family.seriesCount();
    }
    return lines;
  }

  static String method(int series) {
    return METHODS[series % METHODS.length];
  }

  static String status(int series) {
    return STATUSES[series / METHODS.length % STATUSES.length];
  }

  /**
   * A series' route.
   *
   * @param generation 0, or how often the series ended and began again under another route
   */
  static String route(int series, int generation) {
    int route = series / (METHODS.length * STATUSES.length);
    return "/api/v2/"
        + COLLECTIONS[route % COLLECTIONS.length]
        + ENDPOINTS[route / COLLECTIONS.length % ENDPOINTS.length]
        + (generation == 0 ? "" : "/" + generation);
  }
}
