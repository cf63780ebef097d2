package dev.millrace.opentelemetry.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobPatternTest {
  @ParameterizedTest
  @CsvSource({
    "*, k8s.pod.name, true",
    "*, '', true",
    "k8s.*, k8s.pod.name, true",
    "k8s.*, k8s., true",
    "k8s.*, k8sxpod, false",
    "*.name, k8s.pod.name, true",
    "k8s.p?d.name, k8s.pod.name, true",
    "k8s.p?d.name, k8s.pd.name, false",
    "k8s.pod.name, k8s.pod.name, true",
    "k8s.pod.name, K8S.pod.name, false",
    "k8s.pod, k8s.pod.name, false",
    "[a-z]+, a, false",
    "[a-z]+, [a-z]+, true",
    "a\\Eb*, a\\Ebc, true",
  })
  void matchesWholeNames(String pattern, String name, boolean matches) {
    assertThat(GlobPattern.selecting(List.of(pattern), null).test(name)).isEqualTo(matches);
  }

  @Test
  void whatIsExcludedIsOutEvenWhereItIsIncluded() {
    Predicate<String> both = GlobPattern.selecting(List.of("k8s.*", "host"), List.of("*.uid", "x"));
    assertThat(List.of("k8s.pod.name", "host", "k8s.pod.uid", "x", "other"))
        .filteredOn(both)
        .containsExactly("k8s.pod.name", "host");
  }

  @Test
  void exclusionAloneIncludesAllOthers() {
    Predicate<String> excluding = GlobPattern.selecting(null, List.of("*.uid"));
    assertThat(List.of("a", "k8s.pod.uid", "b")).filteredOn(excluding).containsExactly("a", "b");
  }
}
