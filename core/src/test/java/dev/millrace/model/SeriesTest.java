package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private static final Object TEXT = new Object();
  private static final Object OTHER = new Object();

  private final EncodedLabelsBudget budget = new EncodedLabelsBudget(1_000);
  private final Series series = new Series(Labels.of("a", "b"));

  @Test
  void keepsTheBytesOfEachEncodingApart() {
    byte[] text = {1};
    byte[] other = {2, 3};
    series.keepEncodedLabels(TEXT, text, budget);
    series.keepEncodedLabels(OTHER, other, budget);
    assertThat(series.encodedLabels(TEXT)).isSameAs(text);
    assertThat(series.encodedLabels(OTHER)).isSameAs(other);
    assertThat(series.encodedLabels(new Object())).isNull();
    assertThat(budget.usedBytes()).isEqualTo(3 + 2 * Series.ENTRY_OVERHEAD_BYTES);
  }

  @Test
  void theFirstBytesOfAnEncodingStayAndCostOnce() {
    byte[] first = {1};
    series.keepEncodedLabels(TEXT, first, budget);
    series.keepEncodedLabels(TEXT, new byte[] {9}, budget);
    assertThat(series.encodedLabels(TEXT)).isSameAs(first);
    assertThat(budget.usedBytes()).isEqualTo(1 + Series.ENTRY_OVERHEAD_BYTES);
  }

  @Test
  void pastTheBudgetNothingIsKept() {
    series.keepEncodedLabels(TEXT, new byte[1_000], budget);
    assertThat(series.encodedLabels(TEXT)).isNull();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void theEndGivesTheBudgetBackForGood() {
    series.keepEncodedLabels(TEXT, new byte[10], budget);
    series.keepEncodedLabels(OTHER, new byte[10], budget);
    series.end(budget);
    series.end(budget);
    assertThat(budget.usedBytes()).isZero();
    assertThat(series.encodedLabels(TEXT)).isNull();

    series.keepEncodedLabels(TEXT, new byte[10], budget);
    assertThat(series.encodedLabels(TEXT)).isNull();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void eightThreadsKeepingAndEndingLeaveTheBudgetEmpty() throws Exception {
    EncodedLabelsBudget large = new EncodedLabelsBudget(1 << 30);
    ExecutorService executor = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 500; round++) {
        Series shared = new Series(Labels.EMPTY);
        List<Future<?>> work = new ArrayList<>();
        for (int t = 0; t < 7; t++) {
          Object encoding = t % 2 == 0 ? TEXT : OTHER;
          work.add(executor.submit(() -> shared.keepEncodedLabels(encoding, new byte[8], large)));
        }
        work.add(executor.submit(() -> shared.end(large)));
        for (Future<?> each : work) {
          each.get();
        }
        shared.end(large);
        assertThat(large.usedBytes()).as("round %d", round).isZero();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
