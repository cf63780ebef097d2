package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProblemsTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final List<String> lines = new ArrayList<>();
  private final Problems problems = new Problems(nanos::get, lines::add);

  @Test
  void oneLineAKindAMinuteWithTheNumberSinceTheLast() {
    Problem conflict = problems.kind("type_conflict");
    AtomicInteger details = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      conflict.add(1, () -> "detail " + details.incrementAndGet());
    }
    assertThat(lines).containsExactly("type_conflict: detail 1");
    assertThat(conflict.count()).isEqualTo(1_000);

    nanos.addAndGet(Problem.QUIET_NANOS);
    conflict.add(2, () -> "detail " + details.incrementAndGet());
    assertThat(lines)
        .containsExactly("type_conflict: detail 1", "type_conflict (1001 times): detail 2");
  }

  @Test
  void kindsAreQuietApart() {
    problems.kind("b").add(1, () -> "x");
    problems.kind("a").add(1, () -> "y");
    assertThat(lines).containsExactly("b: x", "a: y");
    assertThat(problems.kinds()).extracting(Problem::name).containsExactly("a", "b");
    assertThat(problems.kind("a")).isSameAs(problems.kind("a"));
  }
}
