package dev.millrace.benchmarks.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.benchmarks.scrape.ScrapeWorkload.Family;
import dev.millrace.benchmarks.scrape.ScrapeWorkload.Kind;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeWorkloadTest {
  @ParameterizedTest
  @ValueSource(ints = {10, 1_000, 10_000, 12_345, 1_000_000})
  void hasTheSharesOfTheWorkload(int seriesCount) {
    ScrapeWorkload workload = new ScrapeWorkload(seriesCount);
    int counters = seriesOf(workload, Kind.COUNTER);
    int histograms = seriesOf(workload, Kind.HISTOGRAM);
    int gauges = seriesOf(workload, Kind.GAUGE);
    assertThat(counters + histograms + gauges).isEqualTo(seriesCount);
    assertThat(counters).isEqualTo((int) (seriesCount * 0.7));
    assertThat(histograms).isEqualTo((int) (seriesCount * 0.1));
    assertThat(workload.sampleLines()).isEqualTo(counters + gauges + 18L * histograms);
  }

  private static int seriesOf(ScrapeWorkload workload, Kind kind) {
    return workload.families().stream()
        .filter(family -> family.kind() == kind)
        .mapToInt(Family::seriesCount)
        .sum();
  }

  @Test
  void hasAtMostAThousandSeriesAFamilyAndNoNameTwice() {
    ScrapeWorkload workload = new ScrapeWorkload(100_500);
    Set<String> names = new HashSet<>();
    for (Family family : workload.families()) {
      assertThat(family.seriesCount()).isBetween(1, 1_000);
      assertThat(names.add(family.otelName())).isTrue();
      assertThat(names.add(family.prometheusName())).isTrue();
    }
  }

  @Test
  void hasLabelSetsThatDiffer() {
    Set<String> methods = new HashSet<>();
    Set<String> routes = new HashSet<>();
    Set<String> statuses = new HashSet<>();
    Set<String> sets = new HashSet<>();
    for (int series = 0; series < ScrapeWorkload.MAX_SERIES_PER_FAMILY; series++) {
      methods.add(ScrapeWorkload.method(series));
      routes.add(ScrapeWorkload.route(series, 0));
      statuses.add(ScrapeWorkload.status(series));
      sets.add(
          ScrapeWorkload.method(series)
              + ' '
              + ScrapeWorkload.route(series, 0)
              + ' '
              + ScrapeWorkload.status(series));
    }
    assertThat(methods).hasSize(4);
    assertThat(routes).hasSize(50);
    assertThat(statuses).hasSize(5);
    assertThat(sets).hasSize(1_000);
  }

  @Test
  void hasFifteenBoundsThatRiseAndValuesOnBothSidesOfEach() {
    double[] bounds = ScrapeWorkload.bounds();
    assertThat(bounds).hasSize(15).isSorted();
    Family family = new Family(Kind.HISTOGRAM, 0, 1_000);
    double least = Double.MAX_VALUE;
    double greatest = 0;
    for (int series = 0; series < family.seriesCount(); series++) {
      for (double value : family.observations(series)) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    assertThat(least).isBetween(0.0, bounds[0]);
    assertThat(greatest).isGreaterThan(bounds[bounds.length - 1]);
  }

  @Test
  void hasTheSameValuesEachTime() {
    Family counter = new Family(Kind.COUNTER, 3, 10);
    Family gauge = new Family(Kind.GAUGE, 3, 10);
    assertThat(counter.counterValue(7)).isEqualTo(counter.counterValue(7)).isPositive();
    assertThat(counter.counterValue(7)).isNotEqualTo(counter.counterValue(8));
    assertThat(gauge.gaugeValue(6)).isEqualTo(Math.rint(gauge.gaugeValue(6)));
    assertThat(gauge.gaugeValue(7)).isNotEqualTo(Math.rint(gauge.gaugeValue(7)));
  }
}
