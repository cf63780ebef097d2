package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What receiving and reading cost the garbage collector once everything is warm. */
class OtlpAllocationTest {
  /** The payload itself, and what the JVM allocates now and then on a thread's behalf. */
  private static final long PAYLOAD_BYTES = 64;

  /** Times that stand nowhere else in a request, to be found and replaced. */
  private static final long START = 0x1122_3344_5566_7701L;

  private static final long TIME = 0x1122_3344_5566_7702L;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  private final OtlpMetricsReceiver receiver =
      new OtlpMetricsReceiver(table, chunks.pool(), problems);

  @Test
  void aWarmRequestOfAThousandPointsAllocatesNothing() throws Exception {
    byte[] request = thousandPoints().toByteArray();
    int[] starts = offsetsOf(request, START);
    int[] times = offsetsOf(request, TIME);
    assertThat(times).hasSize(1_000);
    ByteBuffer buffer = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN);
    ChunkWriter out = new ChunkWriter(chunks.pool());
    AtomicLong clock = new AtomicLong(1);
    long bytes =
        AllocationMeter.bytesPerOperation(
            200,
            100,
            () -> {
              long start = clock.getAndIncrement();
              for (int offset : starts) {
                buffer.putLong(offset, start);
              }
              for (int offset : times) {
                buffer.putLong(offset, start + 1);
              }
              out.write(request);
              OtlpReply reply = receiver.receive(OtlpEncoding.PROTOBUF, out.finish());
              if (reply.body().length != 0) {
                throw new AssertionError("expected a full success");
              }
            });
    assertThat(table.seriesCount()).isEqualTo(1_000);
    assertThat(bytes).isLessThanOrEqualTo(PAYLOAD_BYTES);
  }

  @Test
  void readingAThousandPointsAllocatesTheCursorAlone() throws Exception {
    receiver.receive(
        OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), thousandPoints().toByteArray()));
    long bytes =
        AllocationMeter.bytesPerOperation(
            200,
            100,
            () -> {
              int points = 0;
              try (MetricCursor cursor = table.open()) {
                for (int i = 0; i < cursor.metricCount(); i++) {
                  cursor.seekMetric(i);
                  while (cursor.nextPoint()) {
                    points++;
                  }
                }
              }
              if (points != 1_000) {
                throw new AssertionError("expected 1,000 points, found " + points);
              }
            });
    assertThat(bytes).isLessThanOrEqualTo(2_048);
  }

  private static int[] offsetsOf(byte[] content, long pattern) {
    ByteBuffer buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    return IntStream.range(0, content.length - Long.BYTES)
        .filter(offset -> buffer.getLong(offset) == pattern)
        .toArray();
  }

  /** Gauges, sums of both temporalities, histograms of both kinds, summaries. */
  private static ExportMetricsServiceRequest thousandPoints() {
    ResourceMetrics.Builder resource = ResourceMetrics.newBuilder();
    for (int i = 0; i < 12; i++) {
      resource.getResourceBuilder().addAttributes(Points.pair("resource.key" + i, "value" + i));
    }
    for (int i = 0; i < 10; i++) {
      ScopeMetrics.Builder scope = resource.addScopeMetricsBuilder();
      scope.getScopeBuilder().setName("scope" + i).setVersion("1.0");
      for (int j = 0; j < 5; j++) {
        Metric.Builder metric = scope.addMetricsBuilder().setName("metric" + j).setUnit("s");
        for (int k = 0; k < 20; k++) {
          addPoint(metric, j, k);
        }
        // The order of a metric's fields is not that of its points.
        AggregationTemporality temporality = i % 2 == 0 ? Points.DELTA : Points.CUMULATIVE;
        switch (j) {
          case 1 ->
              metric.getSumBuilder().setIsMonotonic(true).setAggregationTemporality(temporality);
          case 2 -> metric.getHistogramBuilder().setAggregationTemporality(temporality);
          case 3 -> metric.getExponentialHistogramBuilder().setAggregationTemporality(temporality);
          default -> {}
        }
      }
    }
    return ExportMetricsServiceRequest.newBuilder().addResourceMetrics(resource).build();
  }

  private static Exemplar.Builder exemplar(double value) {
    return Exemplar.newBuilder()
        .setTimeUnixNano(5)
        .setAsDouble(value)
        .setTraceId(ByteString.copyFrom(new byte[16]))
        .setSpanId(ByteString.copyFrom(new byte[8]));
  }

  private static void addPoint(Metric.Builder metric, int kind, int k) {
    switch (kind) {
      case 0 ->
          metric
              .getGaugeBuilder()
              .addDataPointsBuilder()
              .setTimeUnixNano(TIME)
              .setAsDouble(k)
              .addAttributes(Points.pair("http.route", "/users/" + k))
              .addAttributes(Points.pair("a.method", "GET"));
      case 1 ->
          metric
              .getSumBuilder()
              .addDataPointsBuilder()
              .setStartTimeUnixNano(START)
              .setTimeUnixNano(TIME)
              .setAsInt(k)
              .addExemplars(exemplar(k))
              .addAttributes(Points.pair("k", "" + k));
      case 2 ->
          metric
              .getHistogramBuilder()
              .addDataPointsBuilder()
              .setStartTimeUnixNano(START)
              .setTimeUnixNano(TIME)
              .setCount(3)
              .setSum(1)
              .addBucketCounts(1)
              .addBucketCounts(2)
              .addExplicitBounds(5)
              .addExemplars(exemplar(k))
              .addExemplars(exemplar(1))
              .addAttributes(Points.pair("k", "" + k));
      case 3 -> {
        var point =
            metric
                .getExponentialHistogramBuilder()
                .addDataPointsBuilder()
                .setStartTimeUnixNano(START)
                .setTimeUnixNano(TIME)
                .setCount(3)
                .setScale(3)
                .addExemplars(exemplar(k))
                .addAttributes(Points.pair("k", "" + k));
        point.getPositiveBuilder().setOffset(2).addBucketCounts(1).addBucketCounts(2);
      }
      default -> {
        var point =
            metric
                .getSummaryBuilder()
                .addDataPointsBuilder()
                .setTimeUnixNano(TIME)
                .setCount(3)
                .setSum(1)
                .addAttributes(Points.pair("k", "" + k));
        point.addQuantileValuesBuilder().setQuantile(0.5).setValue(1);
      }
    }
  }
}
