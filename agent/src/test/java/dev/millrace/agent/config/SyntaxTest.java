package dev.millrace.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.series.SeriesTableOptions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways that single values are written. */
class SyntaxTest {
  private static final Duration MAX = Duration.ofNanos(Long.MAX_VALUE);
  private static final Duration MIN = MAX.negated();

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "5s, 5000000000",
    "300s, 300000000000",
    "5m, 300000000000",
    "1m30s, 90000000000",
    "1h, 3600000000000",
    "500ms, 500000000",
    "1.5h, 5400000000000",
    ".5s, 500000000",
    "1.s, 1000000000",
    "-1m, -60000000000",
    "+1m, 60000000000",
    "30s1m, 90000000000",
    "1h2m3s4ms5us6ns, 3723004005006",
    "7\u00B5s, 7000",
    "7\u03BCs, 7000",
    "0.0000000019s, 1",
    "9223372036854775807ns, 9223372036854775807",
    "0000000005s, 5000000000",
  })
  void durationsAreWhatGoTakesThemFor(String text, long nanos) {
    assertThat(DurationSyntax.parse(text, MIN, MAX).value()).isEqualTo(Duration.ofNanos(nanos));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "s",
        ".s",
        "1.2.3s",
        "5 s",
        " 5s",
        "5s ",
        "5M",
        "5d",
        "1w",
        "5min",
        "--5s",
        "-",
        "+",
        "1e3s",
        "5s5",
        "\u0665s",
        "0x5s",
        "9223372036854775808ns",
        "1h-5m",
        "5\u0000s"
      })
  void otherTextsAreNoDurations(String text) {
    Parsed<Duration> parsed = DurationSyntax.parse(text, MIN, MAX);

    assertThat(parsed.value()).isNull();
    assertThat(parsed.expected()).isNotEmpty();
  }

  @Test
  void aDurationMustLieWithinItsBounds() {
    Duration min = Duration.ofSeconds(1);
    Duration max = Duration.ofHours(1);

    assertThat(DurationSyntax.parse("1s", min, max).value()).isEqualTo(min);
    assertThat(DurationSyntax.parse("60m", min, max).value()).isEqualTo(max);
    assertThat(DurationSyntax.parse("999ms", min, max).expected())
        .isEqualTo("a duration from 1s to 1h");
    assertThat(DurationSyntax.parse("60m1ns", min, max).value()).isNull();
  }

  @Test
  void aDurationThatIsShownIsReadBack() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      Duration duration = Duration.ofNanos(random.nextLong() >>> random.nextInt(1, 64));
      String shown = DurationSyntax.show(duration);
      assertThat(DurationSyntax.parse(shown, MIN, MAX).value())
          .as("seed %d, %s", seed, shown)
          .isEqualTo(duration);
    }
    assertThat(DurationSyntax.show(Duration.ZERO)).isEqualTo("0s");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "20971520, 20971520",
    "1B, 1",
    "1KiB, 1024",
    "64MiB, 67108864",
    "64 MiB, 67108864",
    "3GiB, 3221225472",
    "007KiB, 7168",
    "999999999999999999, 999999999999999999",
    "8589934591GiB, 9223372035781033984",
  })
  void sizesAreBytesOrHaveABinaryUnit(String text, long bytes) {
    assertThat(SizeSyntax.parse(text, 0, Long.MAX_VALUE).value()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "KiB",
        "-1",
        "+1",
        "1.5MiB",
        "1kib",
        "1KB",
        "1K",
        "1M",
        "1 K iB",
        "1e3",
        "0x10",
        "1_000",
        "\u0661",
        "8589934592GiB",
        "99999999999999999999999"
      })
  void otherTextsAreNoSizes(String text) {
    assertThat(SizeSyntax.parse(text, 0, Long.MAX_VALUE).value()).isNull();
  }

  @Test
  void aSizeThatIsShownIsReadBack() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      long bytes = random.nextLong(1L << 50) << random.nextInt(10);
      String shown = SizeSyntax.show(bytes);
      assertThat(SizeSyntax.parse(shown, 0, Long.MAX_VALUE).value())
          .as("seed %d, %s", seed, shown)
          .isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:4318, 127.0.0.1, 4318",
    "0.0.0.0:0, 0.0.0.0, 0",
    "localhost:65535, localhost, 65535",
    "my-host.example_1.com:1, my-host.example_1.com, 1",
    "a.b.c.:00080, '', 0",
    "[::1]:4318, ::1, 4318",
    "[::]:1, ::, 1",
    "[2001:db8::ff00:42:8329]:1, 2001:db8::ff00:42:8329, 1",
    "[1:2:3:4:5:6:7:8]:1, 1:2:3:4:5:6:7:8, 1",
    "[::ffff:192.0.2.1]:1, ::ffff:192.0.2.1, 1",
    "[1:2:3:4:5:6:7::]:1, 1:2:3:4:5:6:7::, 1",
    "[fe80::1%eth0]:1, fe80::1%eth0, 1",
  })
  void endpointsAreHostAndPort(String text, String host, int port) {
    Endpoint endpoint = EndpointSyntax.parse(text).value();
    if (host.isEmpty()) {
      assertThat(endpoint).isNull();
    } else {
      assertThat(endpoint).isEqualTo(new Endpoint(host, port)).hasToString(text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":1",
        "a",
        "a:",
        "a:b",
        "a:1:2",
        "a b:1",
        "a:65536",
        "a:-1",
        "a:+1",
        "a:123456",
        "http://a:1",
        "a/b:1",
        "256.1.1.1:1",
        "1.1.1:1",
        "1.1.1.1.1:1",
        "01.1.1.1:1",
        "1.1.1.:1",
        "a..b:1",
        ".a:1",
        "é:1",
        "[]:1",
        "[:]:1",
        "[1]:1",
        "[1:2]:1",
        "[1::2::3]:1",
        "[:::]:1",
        "[1:2:3:4:5:6:7:8::]:1",
        "[1:2:3:4:5:6:7:8:9]:1",
        "[12345::]:1",
        "[g::]:1",
        "[::1.2.3]:1",
        "[1.2.3.4::]:1",
        "[127.0.0.1]:1",
        "[fe80::1%]:1",
        "[::1",
        "[::1]",
        "[::1]1",
        "[::1]:",
        "::1",
        "::1:1",
        "a:\u0661"
      })
  void otherTextsAreNoEndpoints(String text) {
    Parsed<Endpoint> parsed = EndpointSyntax.parse(text);

    assertThat(parsed.value()).isNull();
    assertThat(parsed.hint()).startsWith("; ");
  }

  @Test
  void aHostNameHasBoundedLength() {
    String label = "a".repeat(63);

    assertThat(EndpointSyntax.parse(label + ":1").value()).isNotNull();
    assertThat(EndpointSyntax.parse(label + "a:1").value()).isNull();
    String name = label + "." + label + "." + label + "." + "a".repeat(61);
    assertThat(EndpointSyntax.parse(name + ":1").value()).isNotNull();
    assertThat(EndpointSyntax.parse(name + "a:1").value()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, 127.0.0.1:1, true",
    "127.0.0.1:1, 127.0.0.1:2, false",
    "127.0.0.1:0, 127.0.0.1:0, false",
    "127.0.0.1:1, 127.0.0.2:1, false",
    "127.0.0.1:1, 0.0.0.0:1, true",
    "127.0.0.1:1, [::]:1, true",
    "127.0.0.1:1, [::1]:1, false",
    "[::1]:1, 0.0.0.0:1, false",
    "[::]:1, 0.0.0.0:1, true",
    "localhost:1, 127.0.0.1:1, true",
    "localhost:1, [::1]:1, true",
    "localhost:1, LOCALHOST:1, true",
    "localhost:1, example.com:1, false",
  })
  void endpointsOverlapIfOneSocketWouldServeBoth(String a, String b, boolean overlap) {
    Endpoint first = parsed(a);
    Endpoint second = parsed(b);

    assertThat(first.overlaps(second)).isEqualTo(overlap);
    assertThat(second.overlaps(first)).isEqualTo(overlap);
  }

  private static Endpoint parsed(String text) {
    Endpoint endpoint = EndpointSyntax.parse(text).value();
    if (endpoint == null) {
      throw new AssertionError(text);
    }
    return endpoint;
  }

  @Test
  void componentIdsAreTypeAndName() {
    assertThat(ComponentId.parse("otlp")).isEqualTo(new ComponentId("otlp", ""));
    assertThat(ComponentId.parse("otlp/2")).isEqualTo(new ComponentId("otlp", "2"));
    assertThat(ComponentId.parse("otlp/a/b")).isEqualTo(new ComponentId("otlp", "a/b"));
    assertThat(ComponentId.parse("O_1/é-\u65E5")).hasToString("O_1/é-\u65E5");
    assertThat(new ComponentId("otlp", "2"))
        .hasSameHashCodeAs(new ComponentId("otlp", "2"))
        .isNotEqualTo(new ComponentId("otlp", ""))
        .isNotEqualTo(new ComponentId("otlq", "2"));
    assertThat(ComponentId.parse("a".repeat(63) + "/" + "n".repeat(1024))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/2",
        "otlp/",
        "2otlp",
        "_a",
        "a-b",
        "a.b",
        "a b",
        "a/b c",
        "a/\t",
        "a/$",
        "a/+",
        "a/\u200B",
        "a/\u2028",
        "a/\uE000",
        "é",
        "a/\uD83D\uDE00"
      })
  void otherTextsAreNoComponentIds(String text) {
    assertThat(ComponentId.parse(text)).isNull();
  }

  @Test
  void whatAFileMaySayTheSeriesTableTakes() {
    for (Duration expiration :
        List.of(
            PrometheusExporterConfig.MIN_METRIC_EXPIRATION,
            PrometheusExporterConfig.MAX_METRIC_EXPIRATION)) {
      for (int maxSeries : new int[] {1, PrometheusExporterConfig.MAX_MAX_SERIES}) {
        assertThatNoException()
            .isThrownBy(
                () ->
                    SeriesTableOptions.DEFAULTS
                        .withMaxSeries(maxSeries)
                        .withExpirationNanos(expiration.toNanos()));
      }
    }
  }

  @Test
  void recordsRefuseWhatTheReaderWould() {
    Endpoint endpoint = new Endpoint("localhost", 1);
    assertThatThrownBy(() -> new Endpoint("", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Endpoint("a", 65536)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Endpoint("a", -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ComponentId("a b", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ComponentId("a", " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OtlpReceiverConfig.Http(endpoint, 1023))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OtlpReceiverConfig.Http(endpoint, (1L << 30) + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new PrometheusExporterConfig(
                    endpoint, Duration.ZERO, 1, TranslationConfig.DEFAULT, ScrapeConfig.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new PrometheusExporterConfig(
                    endpoint,
                    Duration.ofDays(8),
                    1,
                    TranslationConfig.DEFAULT,
                    ScrapeConfig.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new PrometheusExporterConfig(
                    endpoint,
                    Duration.ofDays(1),
                    0,
                    TranslationConfig.DEFAULT,
                    ScrapeConfig.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new PrometheusExporterConfig(
                    endpoint,
                    Duration.ofDays(1),
                    100_000_001,
                    TranslationConfig.DEFAULT,
                    ScrapeConfig.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ScrapeConfig(null, null, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new ScrapeConfig(null, null, Duration.ofSeconds(1), Duration.ofDays(2)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
