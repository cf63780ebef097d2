package dev.millrace.format.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StaleMarkersTest {
  private static final long NOW = Written.NOW;
  private static final Labels A = Labels.of("k", "a");
  private static final Labels B = Labels.of("k", "b");

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private static RemoteWriteEncodingOptions options(RemoteWriteVersion version) {
    return RemoteWriteEncodingOptions.DEFAULT.withVersion(version);
  }

  /** Series as text: name, the label k, the bound, the value or "stale", the time. */
  private static List<String> texts(List<DecodedRequest.TimeSeries> series) {
    List<String> texts = new ArrayList<>();
    for (DecodedRequest.TimeSeries each : series) {
      for (DecodedRequest.Sample sample : each.samples()) {
        String value =
            sample.bits() == WriteSchema.STALE_NAN_BITS
                ? "stale"
                : "" + Double.longBitsToDouble(sample.bits());
        texts.add(text(each) + ' ' + value + ' ' + (sample.unixMillis() - NOW));
      }
      for (DecodedRequest.Histogram histogram : each.histograms()) {
        boolean stale = histogram.sumBits() == WriteSchema.STALE_NAN_BITS;
        String value = stale ? "stale" : "" + histogram.count();
        texts.add(text(each) + ' ' + value + ' ' + (histogram.unixMillis() - NOW));
      }
    }
    return texts;
  }

  private static String text(DecodedRequest.TimeSeries series) {
    String extra = series.label("le") + series.label("quantile");
    return (series.name() + ' ' + series.label("k") + ' ' + extra).strip().replace("  ", " ");
  }

  @ParameterizedTest
  @EnumSource
  void aSeriesThatIsGoneIsMarkedOnce(RemoteWriteVersion version) {
    FakePoint a = FakePoint.of(A, 1);
    FakePoint b = FakePoint.of(B, 2);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", a, b));
    try (Written written = new Written(chunks.pool(), options(version))) {
      assertThat(texts(written.write(NOW, source))).containsExactly("g a 1.0 0", "g b 2.0 0");
      source.setPoints(0, b);
      assertThat(texts(written.write(NOW + 10, source)))
          .containsExactly("g b 2.0 10", "g a stale 10");
      assertThat(texts(written.write(NOW + 20, source))).containsExactly("g b 2.0 20");
      source.setPoints(0, a, b);
      assertThat(texts(written.write(NOW + 30, source)))
          .containsExactly("g a 1.0 30", "g b 2.0 30");
    }
  }

  @Test
  void aMarkerIsLaterThanTheLastSample() {
    FakePoint a = FakePoint.of(A, 1).recordedAt((NOW + 500) * 1_000_000);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", a));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V1))) {
      assertThat(texts(written.write(NOW, source))).containsExactly("g a 1.0 500");
      source.setPoints(0);
      assertThat(texts(written.write(NOW + 10, source))).containsExactly("g a stale 501");
    }
  }

  @Test
  void anEqualSeriesGoesOn() {
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", FakePoint.of(A, 1)));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V2))) {
      written.write(NOW, source);
      source.setPoints(0, FakePoint.of(B, 2), FakePoint.of(A, 3));
      assertThat(texts(written.write(NOW + 10, source)))
          .containsExactly("g b 2.0 10", "g a 3.0 10");
      source.setPoints(0);
      assertThat(texts(written.write(NOW + 20, source)))
          .containsExactlyInAnyOrder("g a stale 20", "g b stale 20");
      assertThat(written.problems()).isEmpty();
    }
  }

  @Test
  void ofEqualSeriesTheOtherTakesOver() {
    FakePoint first = FakePoint.of(Labels.of("k.x", "a"), 1);
    FakePoint second = FakePoint.of(Labels.of("k_x", "a"), 2);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", first, second));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V2))) {
      assertThat(texts(written.write(NOW, source))).containsExactly("g 1.0 0");
      assertThat(written.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
      source.setPoints(0, second);
      assertThat(texts(written.write(NOW + 10, source))).containsExactly("g 2.0 10");
      source.setPoints(0);
      assertThat(texts(written.write(NOW + 20, source))).containsExactly("g stale 20");
    }
  }

  @ParameterizedTest
  @EnumSource
  void allSeriesOfAHistogram(RemoteWriteVersion version) {
    FakePoint point = FakePoint.histogram(A, 3, new double[] {1, 2}, 1, 1, 1);
    FakeMetrics source = new FakeMetrics(FakeMetric.histogram("h", "", point));
    try (Written written = new Written(chunks.pool(), options(version))) {
      written.write(NOW, source);
      source.setPoints(0, point.withoutRecordedValue());
      List<String> markers =
          List.of(
              "h_bucket a 1.0 stale 10",
              "h_bucket a 2.0 stale 10",
              "h_bucket a +Inf stale 10",
              "h_sum a stale 10",
              "h_count a stale 10");
      assertThat(texts(written.write(NOW + 10, source))).containsExactlyElementsOf(markers);
      assertThat(written.write(NOW + 20, source)).isEmpty();
      source.setPoints(0);
      assertThat(written.write(NOW + 30, source)).isEmpty();
    }
  }

  @Test
  void boundsThatAreGoneAreMarked() {
    FakePoint point = FakePoint.histogram(A, 3, new double[] {1, 2}, 1, 1, 1);
    FakeMetrics source = new FakeMetrics(FakeMetric.histogram("h", "", point));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V2))) {
      written.write(NOW, source);
      source.setPoints(
          0,
          point.withValue(
              new FakePoint.Histogram(
                  4, false, 0, Double.NaN, new double[] {2, 4}, new long[] {2, 1, 1})));
      assertThat(texts(written.write(NOW + 10, source)))
          .containsExactly(
              "h_bucket a 1.0 stale 10",
              "h_bucket a 2.0 2.0 10",
              "h_bucket a 4.0 3.0 10",
              "h_bucket a +Inf 4.0 10",
              "h_sum a stale 10",
              "h_count a 4.0 10");
    }
  }

  @Test
  void summariesAndNativeHistograms() {
    FakePoint summary =
        FakePoint.of(A, new FakePoint.Summary(3, 4, new double[] {0.5}, new double[] {1}));
    FakePoint exponential =
        FakePoint.of(B, new FakePoint.Exponential(2, 3, 0, 0, new long[] {1, 1}));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V2))) {
      written.write(
          NOW, FakeMetric.summary("s", "", summary), FakeMetric.exponential("e", "", exponential));
      assertThat(texts(written.endAll(NOW + 10)))
          .containsExactlyInAnyOrder(
              "s a 0.5 stale 10", "s_sum a stale 10", "s_count a stale 10", "e b stale 10");
      assertThat(written.endAll(NOW + 20)).isEmpty();
    }
  }

  @Test
  void aMetricThatIsGoneAndAResourceThatChanges() {
    Resource first = new Resource(Labels.of("service.name", "s", "v", "1"), "");
    Resource other = new Resource(Labels.of("service.name", "s", "v", "2"), "");
    FakePoint a = FakePoint.of(A, 1);
    FakeMetric gauge = FakeMetric.gauge("g", "", a);
    FakeMetrics source = new FakeMetrics(gauge.of(first), FakeMetric.gauge("x", "", a).of(first));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V2))) {
      written.write(NOW, source);
      source.set(List.of(gauge.of(other)));
      assertThat(texts(written.write(NOW + 10, source)))
          .containsExactlyInAnyOrder(
              "target_info 1.0 10", "target_info stale 10", "g a 1.0 10", "x a stale 10");
    }
  }

  @Test
  void anIncompleteCollectionEndsNothing() {
    FakePoint a = FakePoint.of(A, 1);
    FakePoint b = FakePoint.of(B, 2);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", a));
    try (Written written = new Written(chunks.pool(), options(RemoteWriteVersion.V2))) {
      written.write(NOW, source);
      source.setPoints(0, b);
      assertThat(texts(written.write(NOW + 10, source, false))).containsExactly("g b 2.0 10");
      assertThat(texts(written.endAll(NOW + 20))).containsExactly("g a stale 20");
    }
  }

  @Test
  void withoutMarkers() {
    FakePoint a = FakePoint.of(A, 1);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", a));
    RemoteWriteEncodingOptions options = RemoteWriteEncodingOptions.DEFAULT.withStaleMarkers(false);
    try (Written written = new Written(chunks.pool(), options)) {
      written.write(NOW, source);
      source.setPoints(0, a.withoutRecordedValue());
      assertThat(written.write(NOW + 10, source)).isEmpty();
      source.setPoints(0);
      assertThat(written.write(NOW + 20, source)).isEmpty();
    }
  }

  /** Series come, go, change places and are replaced by equal ones; a map knows what lives. */
  @ParameterizedTest
  @EnumSource
  void anyOrder(RemoteWriteVersion version) {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", ""), FakeMetric.gauge("h", ""));
      Map<String, FakePoint> points = new TreeMap<>();
      Map<String, Boolean> live = new TreeMap<>();
      RemoteWriteEncodingOptions options =
          options(version).withLimits(RemoteWriteLimits.DEFAULT.withShards(2));
      try (Written written = new Written(chunks.pool(), options)) {
        for (int round = 1; round < 20; round++) {
          for (int i = random.nextInt(4); i > 0; i--) {
            String k = "k" + random.nextInt(8);
            if (points.remove(k) == null || random.nextBoolean()) {
              points.put(k, FakePoint.of(Labels.of("k", k), round));
            }
          }
          List<FakePoint> shown = new ArrayList<>(points.values());
          if (random.nextBoolean()) {
            Collections.reverse(shown);
          }
          source.setPoints(random.nextInt(8) == 0 ? 1 : 0, shown.toArray(new FakePoint[0]));
          if (random.nextInt(8) == 0) {
            source.set(source.metrics());
          }
          Map<String, Boolean> after = new TreeMap<>();
          for (int metric = 0; metric < 2; metric++) {
            String name = source.metrics().get(metric).descriptor().name();
            for (FakePoint point : source.metrics().get(metric).points()) {
              after.put(name + ' ' + point.series().labels().text(0), true);
            }
          }
          Map<String, Boolean> expected = new TreeMap<>(after);
          live.keySet().forEach(key -> expected.putIfAbsent(key, false));
          Map<String, Boolean> found = new TreeMap<>();
          for (DecodedRequest.TimeSeries series : written.write(NOW + round, source)) {
            boolean stale = series.samples().get(0).bits() == WriteSchema.STALE_NAN_BITS;
            String key = series.name() + ' ' + series.label("k");
            assertThat(found.put(key, !stale)).as("seed %d: %s", seed, key).isNull();
          }
          assertThat(found).as("seed %d, round %d", seed, round).isEqualTo(expected);
          live = after;
        }
      }
    }
  }
}
