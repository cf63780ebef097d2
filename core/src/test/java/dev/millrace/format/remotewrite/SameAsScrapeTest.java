package dev.millrace.format.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.ExponentialHistograms;
import dev.millrace.format.prometheus.Expositions;
import dev.millrace.format.prometheus.GeneratedMetrics;
import dev.millrace.format.prometheus.ParsedExposition;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.format.prometheus.TranslationStrategy;
import dev.millrace.model.FakeMetrics;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the metrics are, remote write has the samples of the text format: the same names, labels
 * and values, and the same things left out. The text format has a reference of its own.
 */
class SameAsScrapeTest {
  private static final int SEEDS = 600;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @ParameterizedTest
  @EnumSource
  void samplesAreThoseOfTheTextFormat(RemoteWriteVersion version) {
    for (long seed = 0; seed < SEEDS; seed++) {
      PrometheusOptions prometheus = options(seed);
      FakeMetrics source = GeneratedMetrics.of(seed);
      Expositions scrape = new Expositions(chunks.pool(), prometheus, EscapingScheme.ALLOW_UTF_8);
      Map<String, Double> expected = expected(scrape.text(source));
      RemoteWriteEncodingOptions options =
          RemoteWriteEncodingOptions.DEFAULT
              .withVersion(version)
              .withPrometheus(prometheus)
              .withNativeHistograms(false)
              .withLimits(limits(seed));
      try (Written written = new Written(chunks.pool(), options)) {
        written.encode(Written.NOW, source, true);
        written.encoder.flush(written::accept);
        List<DecodedRequest> requests = written.takeRequests();
        assertThat(found(requests)).as("seed %d", seed).isEqualTo(expected);
        assertThat(comparable(written.problems()))
            .as("seed %d", seed)
            .isEqualTo(comparable(scrape.problems()));
        for (DecodedRequest request : requests) {
          assertThat(ReferenceRequest.encode(request))
              .as("seed %d", seed)
              .isEqualTo(request.message());
        }
      }
    }
  }

  @Test
  void nativeHistogramsLeaveAllElseAsItIs() {
    for (long seed = 0; seed < SEEDS; seed++) {
      FakeMetrics source = GeneratedMetrics.of(seed);
      RemoteWriteEncodingOptions options =
          RemoteWriteEncodingOptions.DEFAULT
              .withPrometheus(options(seed))
              .withCustomBuckets(seed % 2 == 0)
              .withLimits(limits(seed));
      try (Written written = new Written(chunks.pool(), options)) {
        written.encode(Written.NOW, source, true);
        written.encoder.flush(written::accept);
        for (DecodedRequest request : written.takeRequests()) {
          assertThat(ReferenceRequest.encode(request))
              .as("seed %d", seed)
              .isEqualTo(request.message());
        }
      }
    }
  }

  private static PrometheusOptions options(long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    TranslationStrategy[] strategies = TranslationStrategy.values();
    ExponentialHistograms[] exponential = ExponentialHistograms.values();
    return PrometheusOptions.DEFAULT
        .withTargetLabels(random.nextBoolean())
        .withScopeLabels(random.nextBoolean())
        .withTargetInfo(random.nextInt(4) > 0)
        .withTranslationStrategy(strategies[random.nextInt(strategies.length)])
        .withExponentialHistograms(exponential[random.nextInt(exponential.length)])
        .withPromotedResourceAttributes(key -> key.length() % 2 == 1);
  }

  private static RemoteWriteLimits limits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return RemoteWriteLimits.DEFAULT
        .withShards(random.nextInt(1, 4))
        .withMaxSamples(random.nextInt(1, 40))
        .withMaxRequestBytes(random.nextInt(1024, 8192));
  }

  private static Map<String, Double> expected(String text) {
    Map<String, Double> samples = new TreeMap<>();
    for (ParsedExposition.Sample sample : ParsedExposition.parse(text, false).samples()) {
      TreeMap<String, String> labels = new TreeMap<>(sample.labels());
      labels.values().removeIf(String::isEmpty);
      labels.put("__name__", sample.name());
      samples.put(labels.toString(), number(sample.value()));
    }
    return samples;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static Map<String, Double> found(List<DecodedRequest> requests) {
    Map<String, Double> samples = new TreeMap<>();
    List<String> twice = new ArrayList<>();
    for (DecodedRequest request : requests) {
      for (DecodedRequest.TimeSeries series : request.series()) {
        TreeMap<String, String> labels = new TreeMap<>();
        series.labels().forEach(label -> labels.put(label.name(), label.value()));
        for (DecodedRequest.Sample sample : series.samples()) {
          if (sample.bits() != WriteSchema.STALE_NAN_BITS
              && samples.put(labels.toString(), Double.longBitsToDouble(sample.bits())) != null) {
            twice.add(labels.toString());
          }
        }
      }
    }
    assertThat(twice).isEmpty();
    return samples;
  }

  /**
   * The text format has no exemplars, and makes no labels for a point without a value, of which
   * remote write has stale markers.
   */
  private static Map<String, Long> comparable(Map<String, Long> problems) {
    Map<String, Long> others = new TreeMap<>(problems);
    others.keySet().removeIf(kind -> kind.contains("exemplar") || kind.contains("reserved"));
    return others;
  }
}
