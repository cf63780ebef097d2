package dev.millrace.export.scrape;

import static dev.millrace.format.prometheus.EscapingScheme.ALLOW_UTF_8;
import static dev.millrace.format.prometheus.EscapingScheme.DOTS;
import static dev.millrace.format.prometheus.EscapingScheme.UNDERSCORES;
import static dev.millrace.format.prometheus.EscapingScheme.VALUES;
import static dev.millrace.format.prometheus.PrometheusFormat.OPEN_METRICS_0_0_1;
import static dev.millrace.format.prometheus.PrometheusFormat.OPEN_METRICS_1_0_0;
import static dev.millrace.format.prometheus.PrometheusFormat.PROTOBUF;
import static dev.millrace.format.prometheus.PrometheusFormat.TEXT_0_0_4;
import static dev.millrace.format.prometheus.PrometheusFormat.TEXT_1_0_0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeNegotiationTest {
  private static final String PROTO =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  private static final String OM = "application/openmetrics-text";

  private static ScrapeNegotiation of(@Nullable String accept) {
    return ScrapeNegotiation.of(accept);
  }

  private static ScrapeNegotiation answer(PrometheusFormat format, EscapingScheme escaping) {
    return new ScrapeNegotiation(format, escaping);
  }

  private static PrometheusFormat format(@Nullable String accept) {
    return of(accept).format();
  }

  @Test
  void prometheusBefore2_49() {
    String rest = OM + ";version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    assertThat(of(OM + ";version=1.0.0," + rest))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, UNDERSCORES));
    assertThat(of(PROTO + "," + OM + ";version=1.0.0;q=0.8," + rest))
        .as("with its feature native-histograms")
        .isEqualTo(answer(PROTOBUF, UNDERSCORES));
  }

  @Test
  void prometheus2_53() {
    assertThat(
            of(
                OM
                    + ";version=1.0.0;q=0.5,"
                    + OM
                    + ";version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, UNDERSCORES));
    assertThat(
            of(
                PROTO
                    + ";q=0.5,"
                    + OM
                    + ";version=1.0.0;q=0.4,"
                    + OM
                    + ";version=0.0.1;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1"))
        .as("with its feature native-histograms")
        .isEqualTo(answer(PROTOBUF, UNDERSCORES));
  }

  @Test
  void prometheus3_3() {
    assertThat(
            of(
                OM
                    + ";version=1.0.0;escaping=allow-utf-8;q=0.6,"
                    + OM
                    + ";version=0.0.1;escaping=allow-utf-8;q=0.5,"
                    + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                    + "text/plain;version=0.0.4;escaping=allow-utf-8;q=0.3,*/*;q=0.2"))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, ALLOW_UTF_8));
    assertThat(
            of(
                PROTO
                    + ";escaping=allow-utf-8;q=0.6,"
                    + OM
                    + ";version=1.0.0;escaping=allow-utf-8;q=0.5,"
                    + OM
                    + ";version=0.0.1;escaping=allow-utf-8;q=0.4,"
                    + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
                    + "text/plain;version=0.0.4;escaping=allow-utf-8;q=0.2,*/*;q=0.1"))
        .as("with native histograms")
        .isEqualTo(answer(PROTOBUF, ALLOW_UTF_8));
  }

  @Test
  void prometheusSince3_4() {
    String texts = ",text/plain;version=1.0.0;escaping=allow-utf-8";
    assertThat(
            of(
                OM
                    + ";version=1.0.0;escaping=allow-utf-8;q=0.6,"
                    + OM
                    + ";version=0.0.1;q=0.5"
                    + texts
                    + ";q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, ALLOW_UTF_8));
    assertThat(
            of(
                PROTO
                    + ";q=0.6,"
                    + OM
                    + ";version=1.0.0;escaping=allow-utf-8;q=0.5,"
                    + OM
                    + ";version=0.0.1;q=0.4"
                    + texts
                    + ";q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1"))
        .as("with native histograms")
        .isEqualTo(answer(PROTOBUF, UNDERSCORES));
    assertThat(of("text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,*/*;q=0.5"))
        .as("with scrape_protocols of its own")
        .isEqualTo(answer(TEXT_1_0_0, ALLOW_UTF_8));
  }

  @Test
  void grafanaAlloyAsksLikeThePrometheusInIt() {
    assertThat(
            of(
                OM
                    + ";version=1.0.0;escaping=underscores;q=0.6,"
                    + OM
                    + ";version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=underscores;q=0.4,"
                    + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2"))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, UNDERSCORES));
  }

  @Test
  void otherScrapersAndPeople() {
    Map<String, ScrapeNegotiation> answers =
        Map.of(
            // VictoriaMetrics and vmagent, netdata
            "text/plain;version=0.0.4;q=1,*/*;q=0.1",
            answer(TEXT_0_0_4, UNDERSCORES),
            // curl
            "*/*",
            answer(TEXT_0_0_4, UNDERSCORES),
            // Firefox, Chrome
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            answer(TEXT_0_0_4, UNDERSCORES),
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,"
                + "*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
            answer(TEXT_0_0_4, UNDERSCORES),
            // Java's HttpURLConnection
            "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
            answer(TEXT_0_0_4, UNDERSCORES),
            // Telegraf, and scrapers that were written after it
            PROTO + ";q=0.7,text/plain;version=0.0.4;q=0.3",
            answer(PROTOBUF, UNDERSCORES),
            // Prometheus 1
            PROTO
                + ";q=0.7,text/plain;version=0.0.4;q=0.3,"
                + "application/json;schema=\"prometheus/telemetry\";version=0.0.2;q=0.2,*/*;q=0.1",
            answer(PROTOBUF, UNDERSCORES));
    assertThat(of(null)).isEqualTo(answer(TEXT_0_0_4, UNDERSCORES));
    assertThat(answers)
        .allSatisfy((accept, expected) -> assertThat(of(accept)).as(accept).isEqualTo(expected));
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
        "application/json",
        "application/openmetrics-text;version=2.0.0",
        "application/openmetrics-text;version=2.0.0,text/plain;version=0.0.4;q=0.1",
        "application/openmetrics-text;version=1.0.0;q=0,*/*",
        "application/openmetrics-text;q=0.2,text/plain;q=0.3",
        "text/plain,application/openmetrics-text",
        "text/plain;q=0,application/openmetrics-text;q=0",
        "application/openmetrics-textual;version=1.0.0",
        "application/openmetrics-tex",
        "application/",
        "/",
        "text/plain/x",
        "text/plain;version=99",
        "*/*;q=0",
        // A browser's range is no better than an exact one that the client wants less.
        "text/plain;version=0.0.4;q=0.9,application/*;q=0.5,text/plain;version=1.0.0;q=0",
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
        "*/*;version=1.0.0",
      })
  void openMetrics(String accept) {
    assertThat(format(accept)).isEqualTo(OPEN_METRICS_1_0_0);
  }

  @Test
  void theRarerFormats() {
    assertThat(format("application/openmetrics-text;version=0.0.1")).isEqualTo(OPEN_METRICS_0_0_1);
    assertThat(
            format("application/openmetrics-text;version=1.0.0;q=0,application/openmetrics-text"))
        .isEqualTo(OPEN_METRICS_0_0_1);
    assertThat(format("text/plain;version=1.0.0")).isEqualTo(TEXT_1_0_0);
    assertThat(format("text/plain;version=0.0.4;q=0.2,text/plain;version=1.0.0;q=0.3"))
        .isEqualTo(TEXT_1_0_0);
    assertThat(format("text/plain;version=0.0.4;q=0.1,text/*;q=0.9")).isEqualTo(TEXT_1_0_0);
    assertThat(format("text/plain;q=0,application/openmetrics-text;q=0,*/*")).isEqualTo(PROTOBUF);
  }

  @Test
  void protobufIsNamedByItsMessageAndItsEncodingTogether() {
    assertThat(format(PROTO)).isEqualTo(PROTOBUF);
    assertThat(
            format(
                "Application/Vnd.Google.Protobuf; Encoding=\"delimited\";"
                    + " Proto=io.prometheus.client.MetricFamily;q=0.7"))
        .isEqualTo(PROTOBUF);
    String type = "application/vnd.google.protobuf";
    for (String other :
        new String[] {
          type,
          type + ";proto=io.prometheus.client.MetricFamily",
          type + ";encoding=delimited",
          type + ";proto=io.prometheus.client.MetricFamily;encoding=text",
          type + ";proto=io.prometheus.client.MetricFamily;encoding=compact-text",
          type + ";proto=io.prometheus.client.Metric;encoding=delimited",
          type + ";proto=IO.PROMETHEUS.CLIENT.METRICFAMILY;encoding=delimited",
          "application/x-protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
        }) {
      assertThat(format(other)).as(other).isEqualTo(TEXT_0_0_4);
      assertThat(format(other + "," + OM + ";q=0.1")).as(other).isEqualTo(OPEN_METRICS_1_0_0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "escaping=allow-utf-8, ALLOW_UTF_8",
    "escaping=underscores, UNDERSCORES",
    "escaping=dots, DOTS",
    "escaping=values, VALUES",
    "Escaping=\"values\", VALUES",
    "escaping=allow-utf8, UNDERSCORES",
    "escaping=DOTS, UNDERSCORES",
    "escaping=, UNDERSCORES",
    "escaping, UNDERSCORES",
    "escaping=punycode, UNDERSCORES",
    "escaping=dots;escaping=values, DOTS",
    "x=escaping, UNDERSCORES",
  })
  void escapingIsWhatTheRangeAsksFor(String parameter, EscapingScheme expected) {
    Map<String, PrometheusFormat> ranges =
        Map.of(
            "text/plain;version=0.0.4",
            TEXT_0_0_4,
            "text/plain;version=1.0.0",
            TEXT_1_0_0,
            OM + ";version=0.0.1",
            OPEN_METRICS_0_0_1,
            OM + ";version=1.0.0",
            OPEN_METRICS_1_0_0,
            PROTO,
            PROTOBUF,
            "*/*",
            TEXT_0_0_4);
    assertThat(ranges)
        .allSatisfy(
            (range, format) ->
                assertThat(of(range + ";" + parameter + ";q=0.5"))
                    .isEqualTo(answer(format, expected)));
  }

  @Test
  void theEscapingOfAnotherRangeDoesNotCount() {
    assertThat(of("text/plain;version=1.0.0;escaping=dots;q=0.3," + OM + ";version=1.0.0;q=0.5"))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, UNDERSCORES));
    assertThat(of(PROTO + ";q=0.9," + OM + ";version=1.0.0;escaping=values;q=0.5"))
        .isEqualTo(answer(PROTOBUF, UNDERSCORES));
    assertThat(of(OM + ";version=3.0.0;escaping=dots," + OM + ";escaping=values;q=0.1"))
        .isEqualTo(answer(OPEN_METRICS_1_0_0, VALUES));
    assertThat(of("application/*;escaping=values;q=0.9,text/plain;escaping=dots"))
        .isEqualTo(answer(TEXT_0_0_4, DOTS));
  }

  @Test
  void theMostExactRangeDecidesWhereverItStands() {
    assertThat(format("text/*;q=0.1,text/plain;version=0.0.4;q=0.9,application/*;q=0.5"))
        .isEqualTo(TEXT_0_0_4);
    assertThat(format("text/plain;q=0.1,text/*;q=0.9,application/*;q=0.5"))
        .isEqualTo(OPEN_METRICS_1_0_0);
  }
}
