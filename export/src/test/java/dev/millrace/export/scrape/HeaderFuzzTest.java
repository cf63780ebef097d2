package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.testkit.AllocationMeter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** No header makes the parser throw, or work for long. */
class HeaderFuzzTest {
  private static final String[] PIECES = {
    "text/plain",
    "application/openmetrics-text",
    "application/vnd.google.protobuf",
    "*/*",
    "version=",
    "1.0.0",
    "0.0.4",
    "proto=io.prometheus.client.MetricFamily",
    "encoding=delimited",
    "escaping=",
    "allow-utf-8",
    "q=",
    "0.5",
    "gzip",
    "identity",
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
    "İ",
    ".",
    "-",
    "999999999999"
  };

  @Test
  void noHeaderMakesItThrow() {
    long seed = 20_260_301;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50_000; i++) {
      StringBuilder header = new StringBuilder();
      int length = random.nextInt(30);
      for (int j = 0; j < length; j++) {
        if (random.nextInt(8) == 0) {
          header.append((char) random.nextInt(0x10000));
        } else {
          header.append(PIECES[random.nextInt(PIECES.length)]);
        }
      }
      String text = header.toString();
      assertThat(ScrapeNegotiation.of(text)).as("seed %d, header <%s>", seed, text).isNotNull();
      assertThat(ContentCoding.of(text)).as("seed %d, header <%s>", seed, text).isNotNull();
    }
  }

  @Test
  void readsABoundedPartOfTheHeader() {
    String many = "a/b,".repeat(WeightedElement.MAX_ELEMENTS);
    assertThat(format(many + "application/openmetrics-text"))
        .isEqualTo(PrometheusFormat.TEXT_0_0_4);
    String tooLong = " ".repeat(WeightedElement.MAX_HEADER_CHARS);
    assertThat(format(tooLong + "application/openmetrics-text"))
        .isEqualTo(PrometheusFormat.TEXT_0_0_4);
    String parameters = ";x".repeat(1_000);
    assertThat(WeightedElement.parse("a/b" + parameters)).hasSize(1);
  }

  /** Work that grew faster than the header would show in what is allocated for it. */
  @Test
  void theWorkIsBoundedWhateverTheHeaderHolds() throws Exception {
    for (String unit :
        new String[] {
          ",", ";", "=", "\"", "\\", "a", "a/b,", ";a=b", ";q=0.1", "a;a=\"\\\"\"", ";\"", ";=\"",
        }) {
      String huge = unit.repeat(2_000_000 / unit.length());
      long bytes = AllocationMeter.bytesPerOperation(2, 1, () -> ScrapeNegotiation.of(huge));
      assertThat(bytes).as("header of <%s>", unit).isLessThan(512 * 1024);
    }
  }

  private static PrometheusFormat format(String accept) {
    return ScrapeNegotiation.of(accept).format();
  }
}
