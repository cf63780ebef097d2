package dev.millrace.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KNOWN =
      List.of("receivers", "exporters", "service", "endpoint", "max_series", "otlp", "at");

  @ParameterizedTest
  @CsvSource({
    "recievers, receivers",
    "receiver, receivers",
    "Receivers, receivers",
    "SERVICE, service",
    "exporter, exporters",
    "endpiont, endpoint",
    "end_point, endpoint",
    "maxSeries, max_series",
    "max-series, max_series",
    "otpl, otlp",
    "oltp, otlp",
    "otlp2, otlp",
    "otlp22, ",
    "pipelines, ",
    "ta, ",
    "to, ",
    "x, ",
    "'', ",
  })
  void findsWhatWasMeant(String found, String meant) {
    assertThat(Nearest.of(found, KNOWN)).isEqualTo(meant);
  }

  @Test
  void takesTheFirstOfEquallyNear() {
    assertThat(Nearest.of("cat-x", List.of("cat-a", "cat-b"))).isEqualTo("cat-a");
    assertThat(Nearest.of("cat-b1", List.of("cat-a", "cat-b"))).isEqualTo("cat-b");
  }

  @Test
  void leavesLongNamesAlone() {
    String name = "a".repeat(64);

    assertThat(Nearest.of(name, List.of(name))).isEqualTo(name);
    assertThat(Nearest.of(name + "a", List.of(name))).isNull();
    assertThat(Nearest.of(name, List.of(name + "a"))).isNull();
  }

  @Test
  void measuresWhatTheDefinitionSays() {
    long seed = 3;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      String a = text(random);
      String b = text(random);
      assertThat(Nearest.distance(a, b))
          .as("seed %d, %s, %s", seed, a, b)
          .isEqualTo(defined(a, a.length(), b, b.length()));
    }
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(6); length > 0; length--) {
      text.append((char) ('a' + random.nextInt(3)));
    }
    return text.toString();
  }

  /** The recursive definition, straight. */
  private static int defined(String a, int i, String b, int j) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int distance =
        Math.min(
            defined(a, i - 1, b, j - 1) + cost,
            1 + Math.min(defined(a, i - 1, b, j), defined(a, i, b, j - 1)));
    if (i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1)) {
      distance = Math.min(distance, 1 + defined(a, i - 2, b, j - 2));
    }
    return distance;
  }
}
