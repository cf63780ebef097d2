package dev.millrace.export.scrape;

import static dev.millrace.export.scrape.ScrapeFormat.OPENMETRICS_1_0_0;
import static dev.millrace.export.scrape.ScrapeFormat.TEXT_0_0_4;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeNegotiationTest {
  /** What Prometheus 2.42 sends. */
  private static final String PROMETHEUS_2 =
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
          + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

  /** What Prometheus 3.5 sends. */
  private static final String PROMETHEUS_3 =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
          + "application/openmetrics-text;version=0.0.1;q=0.5,"
          + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
          + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

  @Test
  void prometheusGetsOpenMetrics() {
    assertThat(format(PROMETHEUS_2)).isEqualTo(OPENMETRICS_1_0_0);
    assertThat(format(PROMETHEUS_3)).isEqualTo(OPENMETRICS_1_0_0);
    // Native histograms on: protobuf first, which is not offered.
    assertThat(
            format(
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited;q=0.9,"
                    + PROMETHEUS_3))
        .isEqualTo(OPENMETRICS_1_0_0);
  }

  @Test
  void withoutAHeaderItIsText() {
    assertThat(format(null)).isEqualTo(TEXT_0_0_4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ",",
        ";;;",
        ";q=1",
        "*/*",
        "*/*;q=0.1",
        "*",
        "text/plain",
        "TEXT/Plain ; Version=0.0.4 ; charset=utf-8",
        "text/plain;version=\"0.0.4\"",
        "text/*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
        "application/json",
        "application/openmetrics-text;version=2.0.0",
        "application/openmetrics-text;version=0.0.1",
        "application/openmetrics-text;version=2.0.0,text/plain;version=0.0.4;q=0.1",
        "application/openmetrics-text;version=1.0.0;q=0,*/*",
        "application/openmetrics-text;q=0.2,text/plain;q=0.3",
        "text/plain,application/openmetrics-text",
        "text/plain;q=0,application/openmetrics-text;q=0",
        "application/openmetrics-textual;version=1.0.0",
        "text/plain;version=99",
      })
  void text(String accept) {
    assertThat(format(accept)).isEqualTo(TEXT_0_0_4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/openmetrics-text",
        "application/openmetrics-text; version=1.0.0; charset=utf-8",
        "Application/OpenMetrics-Text;VERSION=1.0.0",
        "application/openmetrics-text;version=\"1.0.0\"",
        "application/openmetrics-text;version=\"1\\.0.0\"",
        "application/openmetrics-text;q=1.0;version=1.0.0,text/plain",
        "application/openmetrics-text;x=\"a,b;c\";version=1.0.0",
        "application/*",
        "application/*;q=0.1",
        "application/openmetrics-text;version=2.0.0,application/openmetrics-text;q=0.01",
        "text/plain;q=0.3,application/openmetrics-text;q=0.301",
        "text/plain;q=0,*/*",
        "application/openmetrics-text,text/plain",
        "text/plain;q=0.5,application/openmetrics-text;q=junk",
        ",,;,application/openmetrics-text",
      })
  void openMetrics(String accept) {
    assertThat(format(accept)).isEqualTo(OPENMETRICS_1_0_0);
  }

  @Test
  void theMostExactRangeDecidesWhereverItStands() {
    assertThat(format("text/*;q=0.1,text/plain;version=0.0.4;q=0.9,application/*;q=0.5"))
        .isEqualTo(TEXT_0_0_4);
    assertThat(format("text/plain;version=0.0.4;q=0.1,text/*;q=0.9,application/*;q=0.5"))
        .isEqualTo(OPENMETRICS_1_0_0);
  }

  @Test
  void readsABoundedPartOfTheHeader() {
    String many = "a/b,".repeat(WeightedElement.MAX_ELEMENTS);
    assertThat(format(many + "application/openmetrics-text")).isEqualTo(TEXT_0_0_4);
    String tooLong = " ".repeat(WeightedElement.MAX_HEADER_CHARS);
    assertThat(format(tooLong + "application/openmetrics-text")).isEqualTo(TEXT_0_0_4);
    String parameters = ";x".repeat(1_000);
    assertThat(WeightedElement.parse("a/b" + parameters)).hasSize(1);
  }

  @Test
  void noHeaderMakesItThrow() {
    long seed = 20_260_301;
    SplittableRandom random = new SplittableRandom(seed);
    String[] pieces = {
      "text/plain",
      "application/openmetrics-text",
      "*/*",
      "version=",
      "1.0.0",
      "0.0.4",
      "q=",
      "0.5",
      ";",
      ",",
      "=",
      "\"",
      "\\",
      " ",
      "\t",
      "/",
      "*",
      "\u0000",
      "\ud800",
      "é",
      ".",
      "999999999999"
    };
    for (int i = 0; i < 20_000; i++) {
      StringBuilder header = new StringBuilder();
      int length = random.nextInt(30);
      for (int j = 0; j < length; j++) {
        header.append(pieces[random.nextInt(pieces.length)]);
      }
      String text = header.toString();
      assertThat(format(text)).as("seed %d, header <%s>", seed, text).isNotNull();
      assertThat(ContentCoding.of(text)).as("seed %d, header <%s>", seed, text).isNotNull();
    }
  }

  private static ScrapeFormat format(@org.jspecify.annotations.Nullable String accept) {
    return ScrapeNegotiation.of(accept).format();
  }
}
