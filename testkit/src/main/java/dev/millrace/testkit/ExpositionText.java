package dev.millrace.testkit;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Generated text like that of a scrape, for what takes bytes: 70 % counters, 10 % histograms with
 * 15 bounds and 20 % gauges, in families of at most 1,000 series, with the labels {@code method},
 * {@code route} and {@code status}. Values are as varied as real ones: counts from 1 to tens of
 * millions, sums of many digits, gauges whole and broken. Equal parameters give equal text.
 */
public final class ExpositionText {
  /** What the lines look like. */
  public enum Style {
    /** Plain text, series in the order of their labels. */
    SORTED,
    /** Plain text, the series of each family in no order, as a hash table gives them. */
    SHUFFLED,
    /** Each series also carries {@code otel_scope_name} and {@code otel_scope_version}. */
    SCOPED,
    /** OpenMetrics: {@code _created} for each series, and the end marker. */
    OPENMETRICS
  }

  private static final int FAMILY_SERIES = 1_000;
  private static final String[] METHODS = {"GET", "POST", "PUT", "DELETE", "PATCH"};
  private static final String[] STATUSES = {"200", "201", "204", "400", "404", "409", "500"};
  private static final String[] COLLECTIONS = {
    "users", "orders", "items", "carts", "payments", "sessions", "reports", "devices", "invoices"
  };
  private static final String[] ENDPOINTS = {
    "", "/{id}", "/{id}/history", "/{id}/status", "/export", "/{id}/comments/{commentId}"
  };
  private static final String[] SCOPES = {
    "io.opentelemetry.tomcat-10.0", "io.opentelemetry.jdbc", "io.opentelemetry.kafka-clients-2.6"
  };
  private static final String[] BOUNDS = {
    "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "0.75", "1.0", "2.5",
    "5.0", "7.5", "10.0", "+Inf"
  };

  private final StringBuilder text = new StringBuilder();
  private final Style style;
  private final SplittableRandom random;

  private ExpositionText(Style style, long seed) {
    this.style = style;
    random = new SplittableRandom(seed);
  }

  /**
   * Generates text.
   *
   * @param series how many series there are, at least 0; each takes some 300 bytes
   * @param seed of the values, and of the order where there is none
   */
  public static byte[] generate(int series, Style style, long seed) {
    ExpositionText generated = new ExpositionText(style, seed);
    int family = 0;
    for (int left = series; left > 0; left -= FAMILY_SERIES) {
      generated.family(family++, Math.min(left, FAMILY_SERIES));
    }
    if (style == Style.OPENMETRICS) {
      generated.text.append("# EOF\n");
    }
    return generated.text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void family(int number, int series) {
    switch (number % 10) {
      case 3 -> family("http_server_duration_" + number + "_seconds", "histogram", number, series);
      case 5, 9 -> family("pool_connections_usage_" + number, "gauge", number, series);
      default -> family("http_server_requests_" + number, "counter", number, series);
    }
  }

  private void family(String name, String type, int number, int series) {
    boolean counter = type.equals("counter");
    String described = counter && style != Style.OPENMETRICS ? name + "_total" : name;
    line("# HELP ", described, " What family " + number + " of this kind measures.");
    line("# TYPE ", described, " " + type);
    int[] order = order(series);
    for (int i = 0; i < series; i++) {
      String labels = labels(number, order[i]);
      switch (type) {
        case "counter" -> sample(name + "_total", labels, Long.toString(count()));
        case "gauge" -> sample(name, labels, gauge());
        default -> histogram(name, labels);
      }
      if (style == Style.OPENMETRICS && !type.equals("gauge")) {
        sample(
            name + "_created", labels, "1.7" + random.nextInt(100_000_000, 1_000_000_000) + "E9");
      }
    }
  }

  private int[] order(int series) {
    int[] order = new int[series];
    for (int i = 0; i < series; i++) {
      order[i] = i;
      if (style == Style.SHUFFLED) {
        int other = random.nextInt(i + 1);
        order[i] = order[other];
        order[other] = i;
      }
    }
    return order;
  }

  private String labels(int family, int series) {
    int route = series / (METHODS.length * STATUSES.length);
    String labels =
        "method=\""
            + METHODS[series % METHODS.length]
            + "\",route=\"/api/v"
            + (1 + route / (COLLECTIONS.length * ENDPOINTS.length))
            + "/"
            + COLLECTIONS[route % COLLECTIONS.length]
            + ENDPOINTS[route / COLLECTIONS.length % ENDPOINTS.length]
            + "\",status=\""
            + STATUSES[series / METHODS.length % STATUSES.length]
            + "\"";
    if (style != Style.SCOPED) {
      return labels;
    }
    return labels
        + ",otel_scope_name=\""
        + SCOPES[family % SCOPES.length]
        + "\",otel_scope_version=\"2."
        + family % 20
        + ".0-alpha\"";
  }

  private void histogram(String name, String labels) {
    int peak = random.nextInt(2, 10);
    long atPeak = count();
    long total = 0;
    for (int i = 0; i < BOUNDS.length; i++) {
      int away = Math.abs(i - peak);
      if (away < 5) {
        total += random.nextLong(atPeak + 1) >> (2 * away);
      }
      sample(name + "_bucket", labels + ",le=\"" + BOUNDS[i] + "\"", Long.toString(total));
    }
    sample(name + "_sum", labels, Double.toString(total * random.nextDouble()));
    sample(name + "_count", labels, Long.toString(total));
  }

  /** Small counts are as likely as large ones: most routes are hardly used. */
  private long count() {
    return (long) Math.exp(random.nextDouble() * 18);
  }

  private String gauge() {
    return switch (random.nextInt(4)) {
      case 0 -> Double.toString(random.nextDouble());
      case 1 -> Integer.toString(random.nextInt(1_000));
      case 2 -> Double.toString(random.nextInt(100_000) / 100.0);
      default -> Long.toString(count());
    };
  }

  private void sample(String name, String labels, String value) {
    text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
  }

  private void line(String start, String name, String rest) {
    text.append(start).append(name).append(rest).append('\n');
  }
}
