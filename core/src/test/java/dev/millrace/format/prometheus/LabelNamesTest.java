package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.translation.LabelNames;
import dev.millrace.format.translation.Naming;
import dev.millrace.model.LabelType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelNamesTest {
  private static final PrometheusOptions ALL =
      PrometheusOptions.DEFAULT.withTargetLabels(true).withScopeLabels(true);

  @ParameterizedTest
  @CsvSource({
    "http.method, http_method",
    "http_method, http_method",
    "a..b, a_b",
    "a__b, a_b",
    "a:b, a_b",
    "2xx, key_2xx",
    "_x, _x",
    ".x, _x",
    "__x, key_x",
    "__name__, key_name_",
    "'', key",
    "_, key_",
    "__, key_",
    "\uD83D\uDE00, key_",
    "größe, gr_e",
    "x., x_"
  })
  void namesAreValid(String key, String name) {
    assertThat(nameOf(labelNames(ALL), key)).isEqualTo(name);
  }

  @Test
  void anyBytesGiveAValidName() {
    SplittableRandom random = new SplittableRandom(20260101);
    LabelNames names = labelNames(ALL);
    for (int i = 0; i < 20_000; i++) {
      byte[] key = new byte[random.nextInt(8)];
      random.nextBytes(key);
      assertThat(new String(names.of(key, 0, key.length).bytes(), UTF_8))
          .matches("[a-zA-Z_][a-zA-Z0-9_]*")
          .doesNotContain("__");
    }
  }

  @Test
  void theFirstKeyOfANameIsItsPrimaryKey() {
    LabelNames names = labelNames(ALL);
    assertThat(isUnambiguous(names, "a.b", LabelType.STRING)).isTrue();
    assertThat(isUnambiguous(names, "a_b", LabelType.STRING)).isFalse();
    assertThat(isUnambiguous(names, "a.b", LabelType.STRING)).isTrue();
  }

  @Test
  void theFirstTypeOfAKeyIsTheOnlyUnambiguousOne() {
    LabelNames names = labelNames(ALL);
    assertThat(isUnambiguous(names, "a", LabelType.LONG)).isTrue();
    assertThat(isUnambiguous(names, "a", LabelType.STRING)).isFalse();
    assertThat(isUnambiguous(names, "a", LabelType.LONG)).isTrue();
  }

  @Test
  void namesOfTheExportersOwnLabelsAreAmbiguous() {
    LabelNames names = labelNames(ALL);
    for (String key : List.of("job", "instance", "otel.scope.name", "otel_scope_x")) {
      assertThat(isUnambiguous(names, key, LabelType.STRING)).as(key).isFalse();
    }
    LabelNames free =
        labelNames(PrometheusOptions.DEFAULT.withTargetLabels(false).withScopeLabels(false));
    for (String key : List.of("job", "instance", "otel.scope.name", "otel_scope_x")) {
      assertThat(isUnambiguous(free, key, LabelType.STRING)).as(key).isTrue();
    }
  }

  @Test
  void keysPastTheBoundAreNamedButNotRemembered() {
    LabelNames names = labelNames(ALL);
    for (int i = 0; i < LabelNames.MAX_KEYS; i++) {
      assertThat(isUnambiguous(names, "k." + i, LabelType.STRING)).isTrue();
    }
    assertThat(nameOf(names, "one.more")).isEqualTo("one_more");
    assertThat(isUnambiguous(names, "one.more", LabelType.STRING)).isFalse();
    byte[] known = "k.7".getBytes(UTF_8);
    byte[] unknown = "one.more".getBytes(UTF_8);
    assertThat(names.of(known, 0, known.length)).isSameAs(names.of(known, 0, known.length));
    assertThat(names.of(unknown, 0, unknown.length))
        .isNotSameAs(names.of(unknown, 0, unknown.length));
  }

  @Test
  void threadsAgreeOnOnePrimaryKey() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 500; round++) {
        LabelNames names = labelNames(ALL);
        List<Callable<Boolean>> claims =
            List.of(
                () -> isUnambiguous(names, "a.b", LabelType.STRING),
                () -> isUnambiguous(names, "a-b", LabelType.STRING));
        List<Boolean> unambiguous = new ArrayList<>();
        for (Future<Boolean> claim : threads.invokeAll(claims)) {
          unambiguous.add(claim.get());
        }
        assertThat(unambiguous).containsExactlyInAnyOrder(true, false);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static LabelNames labelNames(PrometheusOptions options) {
    Naming naming =
        PrometheusFormats.naming(options.translationStrategy(), EscapingScheme.UNDERSCORES);
    return new LabelNames(naming, options.translation());
  }

  private static String nameOf(LabelNames names, String key) {
    byte[] bytes = ("<" + key + ">").getBytes(UTF_8);
    return new String(names.of(bytes, 1, bytes.length - 1).bytes(), UTF_8);
  }

  private static boolean isUnambiguous(LabelNames names, String key, LabelType type) {
    byte[] bytes = key.getBytes(UTF_8);
    return names.of(bytes, 0, bytes.length).isUnambiguous(type);
  }
}
