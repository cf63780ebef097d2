package dev.millrace.format.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.model.Temporality;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemoteWriteEncoderTest {
  private static final long NOW = Written.NOW;
  private static final long NANOS_PER_MILLI = 1_000_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private Written written(RemoteWriteEncodingOptions options) {
    return new Written(chunks.pool(), options);
  }

  private static RemoteWriteEncodingOptions first() {
    return RemoteWriteEncodingOptions.DEFAULT.withVersion(RemoteWriteVersion.V1);
  }

  private static RemoteWriteEncodingOptions second() {
    return RemoteWriteEncodingOptions.DEFAULT;
  }

  private static DecodedRequest.Label label(String name, String value) {
    return new DecodedRequest.Label(name, value);
  }

  @ParameterizedTest
  @EnumSource
  void aCounterWithAllItsLabels(RemoteWriteVersion version) {
    Resource resource =
        new Resource(
            Labels.of(
                "service.name", "shop", "service.namespace", "eu", "service.instance.id", "1"),
            "");
    FakeMetric metric =
        FakeMetric.counter(
                "orders.taken",
                "",
                FakePoint.of(Labels.of("Kind", "cash", "empty", ""), 7)
                    .startedAt((NOW - 60_000) * NANOS_PER_MILLI)
                    .recordedAt((NOW - 5) * NANOS_PER_MILLI))
            .of(resource)
            .describedAs("Orders.");
    RemoteWriteEncodingOptions options =
        second()
            .withVersion(version)
            .withPrometheus(second().prometheus().withTargetInfo(false))
            .withExternalLabels(Labels.of("cluster", "c", "job", "not this one"));
    try (Written written = written(options)) {
      List<DecodedRequest.TimeSeries> series = written.write(NOW, metric);
      assertThat(series).hasSize(1);
      assertThat(series.get(0).labels())
          .containsExactly(
              label("Kind", "cash"),
              label("__name__", "orders_taken_total"),
              label("cluster", "c"),
              label("instance", "1"),
              label("job", "eu/shop"));
      boolean isSecond = version == RemoteWriteVersion.V2;
      assertThat(series.get(0).samples())
          .containsExactly(
              new DecodedRequest.Sample(
                  Double.doubleToRawLongBits(7), NOW - 5, isSecond ? NOW - 60_000 : 0));
      if (isSecond) {
        assertThat(series.get(0).metadata())
            .isEqualTo(new DecodedRequest.Metadata(1, "", "Orders.", ""));
      }
    }
  }

  @Test
  void targetInfoOnceForEachTarget() {
    Resource shop = new Resource(Labels.of("service.name", "shop", "host.name", "h", "os", ""), "");
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.gauge("a", "", FakePoint.of(Labels.EMPTY, 1)).of(shop),
            FakeMetric.gauge("b", "", FakePoint.of(Labels.EMPTY, 1)).of(shop));
    RemoteWriteEncodingOptions options =
        second().withExternalLabels(Labels.of("cluster", "c", "host_name", "other"));
    try (Written written = written(options)) {
      for (int i = 0; i < 2; i++) {
        List<DecodedRequest.TimeSeries> series = written.write(NOW + i, source);
        assertThat(series)
            .extracting(DecodedRequest.TimeSeries::name)
            .containsExactly("target_info", "a", "b");
        assertThat(series.get(0).labels())
            .containsExactly(
                label("__name__", "target_info"),
                label("cluster", "c"),
                label("host_name", "h"),
                label("job", "shop"));
      }
    }
  }

  @Test
  void metadataIsSentWhenNewAndThenEverySoOften() {
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.counter("x", "By", FakePoint.of(Labels.EMPTY, 1)).describedAs("Help."));
    try (Written written = written(first().withMetadataIntervalMillis(1_000))) {
      List<Integer> sent = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        written.encode(NOW + 500L * i, source, true);
        written.encoder.flush(written::accept);
        assertThat(written.contents().get(0).metadata())
            .isEqualTo(written.requests().get(0).metadata().size());
        sent.add(written.takeRequests().get(0).metadata().size());
      }
      assertThat(sent).containsExactly(1, 0, 1, 0, 1);
      source.set(
          List.of(FakeMetric.gauge("y", "", FakePoint.of(Labels.EMPTY, 1)).describedAs("Other.")));
      written.encode(NOW + 2_600, source, true);
      written.encoder.flush(written::accept);
      assertThat(written.takeRequests().get(0).metadata())
          .containsExactly(new DecodedRequest.Metadata(2, "y", "Other.", ""));
    }
  }

  @Test
  void noMetadataIfNotWanted() {
    FakeMetric metric = FakeMetric.counter("x", "By", FakePoint.of(Labels.EMPTY, 1));
    for (RemoteWriteVersion version : RemoteWriteVersion.values()) {
      RemoteWriteEncodingOptions options =
          second().withVersion(version).withMetadataIntervalMillis(0);
      try (Written written = written(options)) {
        written.encode(NOW, new FakeMetrics(metric), true);
        written.encoder.flush(written::accept);
        DecodedRequest request = written.takeRequests().get(0);
        assertThat(request.metadata()).isEmpty();
        assertThat(request.series().get(0).metadata().type()).isZero();
      }
    }
  }

  @Test
  void oldAndUnorderedPointsAreLeftOut() {
    FakePoint point = FakePoint.of(Labels.EMPTY, 1);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", ""));
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT.withMaxAgeMillis(1_000);
    try (Written written = written(second().withLimits(limits))) {
      source.setPoints(0, point.recordedAt((NOW - 1_001) * NANOS_PER_MILLI));
      assertThat(written.write(NOW, source)).isEmpty();
      assertThat(written.problems()).isEqualTo(Map.of("remote_write_too_old", 1L));
      source.setPoints(0, point.recordedAt((NOW - 1_000) * NANOS_PER_MILLI));
      assertThat(written.write(NOW, source)).hasSize(1);
      // The same point again is no loss, however old it has become.
      assertThat(written.write(NOW + 5_000, source)).isEmpty();
      assertThat(written.problems()).isEqualTo(Map.of("remote_write_too_old", 1L));
      source.setPoints(0, point.recordedAt((NOW - 1_001) * NANOS_PER_MILLI));
      assertThat(written.write(NOW, source)).isEmpty();
      assertThat(written.problems())
          .isEqualTo(Map.of("remote_write_too_old", 1L, "remote_write_out_of_order", 1L));
    }
  }

  @ParameterizedTest
  @EnumSource
  void manySamplesOfOneSeriesShareTheirLabels(RemoteWriteVersion version) {
    FakePoint point = FakePoint.of(Labels.of("k", "v".repeat(1_000)), 1);
    List<FakePoint> points = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      points.add(point.withValue(new FakePoint.Whole(i)).recordedAt((NOW + i) * NANOS_PER_MILLI));
    }
    FakeMetrics source =
        new FakeMetrics(FakeMetric.gauge("g", "", points.toArray(new FakePoint[0])));
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT.withMaxSamples(400);
    for (boolean complete : new boolean[] {true, false}) {
      try (Written written = written(second().withVersion(version).withLimits(limits))) {
        List<DecodedRequest.TimeSeries> series = written.write(NOW, source, complete);
        assertThat(series).extracting(each -> each.samples().size()).containsExactly(400, 400, 200);
        List<Long> times = new ArrayList<>();
        series.forEach(each -> each.samples().forEach(sample -> times.add(sample.unixMillis())));
        assertThat(times).hasSize(1_000).isSorted().doesNotHaveDuplicates();
        assertThat(written.problems()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestsKeepTheirLimits(RemoteWriteVersion version) {
    List<FakePoint> points = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      points.add(FakePoint.of(Labels.of("k", "v".repeat(i) + i), i));
    }
    FakeMetrics source =
        new FakeMetrics(FakeMetric.gauge("g", "", points.toArray(new FakePoint[0])));
    RemoteWriteLimits limits =
        RemoteWriteLimits.DEFAULT.withMaxSamples(50).withMaxRequestBytes(10_000);
    try (Written written = written(second().withVersion(version).withLimits(limits))) {
      written.encode(NOW, source, true);
      int samples = 0;
      written.encoder.flush(written::accept);
      for (int i = 0; i < written.requests().size(); i++) {
        DecodedRequest request = written.requests().get(i);
        RequestContent content = written.contents().get(i);
        assertThat(content.samples()).isBetween(1, 50).isEqualTo(request.series().size());
        assertThat(content.newestUnixMillis()).isEqualTo(NOW);
        assertThat(request.message().length).isLessThanOrEqualTo(10_000);
        samples += content.samples();
      }
      assertThat(samples).isEqualTo(500);
    }
  }

  @Test
  void aSeriesLargerThanARequestGoesAlone() {
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.gauge(
                "g",
                "",
                FakePoint.of(Labels.of("k", "a"), 1),
                FakePoint.of(Labels.of("k", "b".repeat(200_000)), 2),
                FakePoint.of(Labels.of("k", "c"), 3)));
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT.withMaxRequestBytes(2_000);
    for (RemoteWriteVersion version : RemoteWriteVersion.values()) {
      try (Written written = written(second().withVersion(version).withLimits(limits))) {
        written.encode(NOW, source, true);
        written.encoder.flush(written::accept);
        assertThat(written.takeRequests()).extracting(r -> r.series().size()).containsOnly(1);
      }
    }
  }

  @Test
  void aSeriesStaysInItsShard() {
    List<FakePoint> points = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      points.add(
          FakePoint.histogram(Labels.of("k", "" + i), 1, new double[] {1, 2, 3}, 1, 1, 1, 1));
    }
    FakeMetrics source =
        new FakeMetrics(FakeMetric.histogram("h", "", points.toArray(new FakePoint[0])));
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT.withShards(4).withMaxSamples(90);
    Map<String, Integer> shardOf = new HashMap<>();
    for (RemoteWriteVersion version : RemoteWriteVersion.values()) {
      // Another encoder, too, spreads them in the same way.
      try (Written written = written(second().withVersion(version).withLimits(limits))) {
        for (int round = 0; round < 3; round++) {
          written.encode(NOW + round, source, true);
          written.encoder.flush(written::accept);
          for (int i = 0; i < written.requests().size(); i++) {
            int shard = written.shards().get(i);
            for (DecodedRequest.TimeSeries series : written.requests().get(i).series()) {
              assertThat(shardOf.putIfAbsent(series.label("k"), shard)).isIn(null, shard);
            }
          }
          written.takeRequests();
        }
      }
    }
    for (int shard = 0; shard < 4; shard++) {
      int wanted = shard;
      assertThat(shardOf.values().stream().filter(s -> s == wanted).count()).isBetween(25L, 75L);
    }
  }

  @Test
  void theVersionChangesWithTheNextRequest() {
    FakePoint point = FakePoint.histogram(Labels.EMPTY, 1, new double[] {1}, 1, 1);
    FakeMetrics source = new FakeMetrics(FakeMetric.histogram("h", "", point));
    try (Written written = written(second().withCustomBuckets(true))) {
      written.encode(NOW, source, true);
      written.encoder.version(RemoteWriteVersion.V1);
      written.encode(NOW + 1, source, true);
      written.encoder.version(RemoteWriteVersion.V2);
      written.encoder.flush(written::accept);
      written.encode(NOW + 2, source, true);
      written.encoder.flush(written::accept);
      List<DecodedRequest> requests = written.takeRequests();
      assertThat(requests)
          .extracting(DecodedRequest::version)
          .containsExactly(RemoteWriteVersion.V2, RemoteWriteVersion.V1, RemoteWriteVersion.V2);
      assertThat(requests.get(1).series())
          .extracting(DecodedRequest.TimeSeries::name)
          .containsExactly("h_bucket", "h_bucket", "h_sum", "h_count", "h");
      assertThat(requests.get(1).series().get(4).histograms().get(0).sumBits())
          .isEqualTo(WriteSchema.STALE_NAN_BITS);
    }
  }

  @Test
  void deltaPointsAreLeftOut() {
    FakeMetric metric =
        FakeMetric.counter("x", "", FakePoint.of(Labels.EMPTY, 1))
            .withTemporality(Temporality.DELTA);
    try (Written written = written(second())) {
      assertThat(written.write(NOW, metric)).isEmpty();
      assertThat(written.problems()).isEqualTo(Map.of("prometheus_not_cumulative", 1L));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aNumberThatIsNoneIsNoStaleMarker(RemoteWriteVersion version) {
    double[] strange = {Double.NaN, Double.longBitsToDouble(WriteSchema.STALE_NAN_BITS), 0.0, -0.0};
    List<Long> bits = new ArrayList<>();
    try (Written written = written(second().withVersion(version))) {
      for (int i = 0; i < strange.length; i++) {
        FakePoint point = FakePoint.of(Labels.EMPTY, strange[i]);
        bits.add(
            written.write(NOW + i, FakeMetric.gauge("g", "", point)).stream()
                .flatMap(series -> series.samples().stream())
                .filter(sample -> sample.bits() != WriteSchema.STALE_NAN_BITS)
                .findFirst()
                .orElseThrow()
                .bits());
      }
    }
    assertThat(bits)
        .containsExactly(
            0x7ff8000000000001L, 0x7ff8000000000001L, 0L, Double.doubleToRawLongBits(-0.0));
  }

  @Test
  void aPromotedAttributeGivesWayToThatOfThePoint() {
    Resource resource = new Resource(Labels.of("zone", "resource", "host", "h"), "");
    FakeMetric metric =
        FakeMetric.gauge("g", "", FakePoint.of(Labels.of("zone", "point"), 1)).of(resource);
    PrometheusOptions prometheus =
        second().prometheus().withTargetInfo(false).withPromotedResourceAttributes(key -> true);
    try (Written written = written(second().withPrometheus(prometheus))) {
      assertThat(written.write(NOW, metric).get(0).labels())
          .containsExactly(label("__name__", "g"), label("host", "h"), label("zone", "point"));
    }
  }

  @Test
  void whatTheSinkThrowsEndsTheCallOnly() {
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.gauge(
                "g",
                "",
                FakePoint.of(Labels.of("k", "a"), 1),
                FakePoint.of(Labels.of("k", "b"), 1)));
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT.withMaxSamples(1);
    try (Written written = written(second().withLimits(limits));
        MetricCursor cursor = source.open()) {
      RequestSink broken =
          (shard, request, content) -> {
            request.close();
            throw new IllegalStateException("broken");
          };
      assertThatThrownBy(() -> written.encoder.encode(cursor, NOW, true, broken))
          .hasMessage("broken");
      List<DecodedRequest.TimeSeries> later = written.write(NOW + 1, source);
      assertThat(later).extracting(series -> series.label("k")).contains("a", "b");
      assertThat(written.endAll(NOW + 2)).hasSize(2);
    }
  }

  @Test
  void whatIsOpenIsGivenBack() {
    RemoteWriteEncoder encoder =
        new RemoteWriteEncoder(second(), chunks.pool(), new Problems(() -> 0L, line -> {}));
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", FakePoint.of(Labels.EMPTY, 1)));
    List<Payload> requests = new ArrayList<>();
    try (MetricCursor cursor = source.open()) {
      encoder.encode(cursor, NOW, true, (shard, request, content) -> requests.add(request));
    }
    assertThat(chunks.pool().outstandingChunks()).isPositive();
    encoder.close();
    assertThat(requests).isEmpty();
    assertThat(chunks.pool().outstandingChunks()).isZero();
  }
}
