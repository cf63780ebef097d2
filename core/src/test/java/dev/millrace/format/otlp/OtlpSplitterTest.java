package dev.millrace.format.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.Pieces;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OtlpSplitterTest {
  private static final int SEEDS = 400;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @ParameterizedTest
  @EnumSource
  void eachItemIsInOneHalfInItsOrder(OtlpSignal signal) throws Exception {
    OtlpSplitter splitter = new OtlpSplitter(chunks.pool(), signal);
    int split = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Message request = OtlpRequests.random(signal, seed);
      List<List<Message>> items = Items.of(request);
      SplittableRandom random = new SplittableRandom(seed);
      try (Payload payload = payload(request.toByteArray(), random)) {
        assertThat(splitter.countItems(payload)).as("seed %d", seed).isEqualTo(items.size());
        OtlpSplitter.Halves halves = splitter.split(payload);
        if (halves == null) {
          assertThat(items).as("seed %d", seed).hasSizeLessThan(2);
          continue;
        }
        split++;
        try (Payload first = halves.first();
            Payload second = halves.second()) {
          String what = signal + " seed " + seed;
          Message firstRequest = OtlpRequests.parse(signal, first.toByteArray());
          Message secondRequest = OtlpRequests.parse(signal, second.toByteArray());
          assertThat(firstRequest.toByteArray()).as(what).isEqualTo(first.toByteArray());
          assertThat(secondRequest.toByteArray()).as(what).isEqualTo(second.toByteArray());
          assertThat(Items.of(firstRequest)).as(what).hasSize(halves.firstItems());
          assertThat(Items.of(secondRequest)).as(what).hasSize(halves.secondItems());
          assertThat(halves.secondItems() - halves.firstItems()).as(what).isBetween(0, 1);
          assertThat(Items.of(List.of(firstRequest, secondRequest))).as(what).isEqualTo(items);
        }
      }
    }
    assertThat(split).isGreaterThan(SEEDS / 4);
  }

  @Test
  void oneMetricOfManyPointsIsSplitUntilEachIsAlone() throws Exception {
    Gauge.Builder gauge = Gauge.newBuilder();
    for (int i = 0; i < 37; i++) {
      gauge.addDataPointsBuilder().setAsInt(i);
    }
    Metric metric = Metric.newBuilder().setName("m").setUnit("s").setGauge(gauge).build();
    OtlpSplitter splitter = new OtlpSplitter(chunks.pool(), OtlpSignal.METRICS);
    try (Payload payload = payload(request(metric).toByteArray(), new SplittableRandom(1))) {
      assertThat(countAlone(splitter, payload)).isEqualTo(37);
    }
  }

  private static int countAlone(OtlpSplitter splitter, Payload payload) throws Exception {
    OtlpSplitter.Halves halves = splitter.split(payload);
    if (halves == null) {
      Metric alone =
          ExportMetricsServiceRequest.parseFrom(payload.toByteArray())
              .getResourceMetrics(0)
              .getScopeMetrics(0)
              .getMetrics(0);
      assertThat(alone.getName() + alone.getUnit()).isEqualTo("ms");
      return alone.getGauge().getDataPointsCount();
    }
    try (Payload first = halves.first();
        Payload second = halves.second()) {
      return countAlone(splitter, first) + countAlone(splitter, second);
    }
  }

  @Test
  void unknownFieldsAreInBothHalves() throws Exception {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                77,
                UnknownFieldSet.Field.newBuilder()
                    .addVarint(5)
                    .addLengthDelimited(ByteString.copyFromUtf8("later"))
                    .addGroup(UnknownFieldSet.newBuilder().build())
                    .build())
            .build();
    Metric metric =
        Metric.newBuilder()
            .setUnknownFields(unknown)
            .setGauge(
                Gauge.newBuilder()
                    .setUnknownFields(unknown)
                    .addDataPoints(number(1))
                    .addDataPoints(number(2)))
            .build();
    ExportMetricsServiceRequest request =
        request(metric).toBuilder().setUnknownFields(unknown).build();
    OtlpSplitter splitter = new OtlpSplitter(chunks.pool(), OtlpSignal.METRICS);
    try (Payload payload = payload(request.toByteArray(), new SplittableRandom(2))) {
      OtlpSplitter.Halves halves = Objects.requireNonNull(splitter.split(payload));
      try (Payload first = halves.first();
          Payload second = halves.second()) {
        for (Payload half : List.of(first, second)) {
          ExportMetricsServiceRequest parsed =
              ExportMetricsServiceRequest.parseFrom(half.toByteArray());
          Metric inside = parsed.getResourceMetrics(0).getScopeMetrics(0).getMetrics(0);
          assertThat(parsed.getUnknownFields()).isEqualTo(unknown);
          assertThat(inside.getUnknownFields()).isEqualTo(unknown);
          assertThat(inside.getGauge().getUnknownFields()).isEqualTo(unknown);
          assertThat(inside.getGauge().getDataPointsCount()).isOne();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void damagedRequestsGiveBackWhatWasTaken(OtlpSignal signal) throws Exception {
    OtlpSplitter splitter = new OtlpSplitter(chunks.pool(), signal);
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] bytes = OtlpRequests.random(signal, seed).toByteArray();
      SplittableRandom random = new SplittableRandom(seed);
      if (bytes.length == 0) {
        continue;
      }
      byte[] damaged = Arrays.copyOf(bytes, random.nextInt(1, bytes.length + 1));
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      try (Payload payload = payload(damaged, random)) {
        OtlpSplitter.Halves halves = splitter.split(payload);
        if (halves != null) {
          halves.first().close();
          halves.second().close();
        }
      } catch (MalformedProtobufException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(SEEDS / 4);
  }

  @Test
  void whatIsNoRequestIsRefused() {
    OtlpSplitter splitter = new OtlpSplitter(chunks.pool(), OtlpSignal.TRACES);
    try (Payload payload = payload(new byte[] {10, 5, 0}, new SplittableRandom(1))) {
      assertThatThrownBy(() -> splitter.split(payload))
          .isInstanceOf(MalformedProtobufException.class);
    }
  }

  private static NumberDataPoint number(long value) {
    return NumberDataPoint.newBuilder().setAsInt(value).build();
  }

  private static ExportMetricsServiceRequest request(Metric metric) {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setSchemaUrl("r")
                .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(metric).setSchemaUrl("s")))
        .build();
  }

  private Payload payload(byte[] bytes, SplittableRandom random) {
    return Pieces.cut(chunks.pool(), bytes, random, 1 + bytes.length / 8);
  }
}
