package dev.millrace.agent.otlp;

import static dev.millrace.agent.otlp.Points.CUMULATIVE;
import static dev.millrace.agent.otlp.Points.DELTA;
import static dev.millrace.agent.otlp.Points.exponential;
import static dev.millrace.agent.otlp.Points.gauge;
import static dev.millrace.agent.otlp.Points.histogram;
import static dev.millrace.agent.otlp.Points.number;
import static dev.millrace.agent.otlp.Points.pair;
import static dev.millrace.agent.otlp.Points.request;
import static dev.millrace.agent.otlp.Points.sum;
import static dev.millrace.agent.otlp.Points.summary;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.agent.series.Outcome;
import dev.millrace.agent.series.Refusals;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each thing that can be wrong with a well-formed point: it is refused, and the rest is not. */
class PointRefusalTest {
  private static final SeriesTableOptions OPTIONS =
      SeriesTableOptions.DEFAULTS.withMaxBuckets(20).withMaxLabelBytes(100);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0, log::add);
  private SeriesTable table = new SeriesTable(OPTIONS, () -> 0, problems);

  @Test
  void refusesPointsWithoutATimeAValueOrATemporality() {
    refuses(Outcome.NO_TIME, gauge(number(0, 0, 1)));
    refuses(Outcome.NO_TIME, gauge(number(0, 0, 1).setFlags(1)));
    refuses(Outcome.NO_VALUE, gauge(NumberDataPoint.newBuilder().setTimeUnixNano(1)));
    refuses(
        Outcome.NO_TEMPORALITY,
        sum(AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED, number(0, 1, 1)));
    refuses(Outcome.NO_NAME, gauge(number(0, 1, 1)).toBuilder().clearName().build());
  }

  @Test
  void refusesDeltasThatCannotBeAdded() {
    refuses(Outcome.NEGATIVE_DELTA, sum(DELTA, number(1, 2, -1)));
    refuses(Outcome.START_AFTER_TIME, sum(DELTA, number(3, 2, 1)));
    takes(sum(DELTA, number(1, 5, 1)));
    refusesLater(Outcome.OVERLAPPING_DELTA, sum(DELTA, number(1, 5, 1)));
    refusesLater(Outcome.OVERLAPPING_DELTA, sum(DELTA, number(4, 6, 1)));
    takes(sum(DELTA, number(5, 6, 1)));
    takes(sum(DELTA, number(0, 7, 1)));
    assertThat(TableText.of(table)).containsValue("1..7 3L");
  }

  @Test
  void refusesHistogramsWhoseBucketsAndBoundsDoNotFit() {
    HistogramDataPoint.Builder point = HistogramDataPoint.newBuilder().setTimeUnixNano(1);
    refuses(
        Outcome.BUCKETS_DO_NOT_FIT_BOUNDS,
        histogram(CUMULATIVE, point.clone().addExplicitBounds(1)));
    refuses(
        Outcome.BUCKETS_DO_NOT_FIT_BOUNDS,
        histogram(CUMULATIVE, point.clone().addExplicitBounds(1).addBucketCounts(1)));
    refuses(
        Outcome.BUCKETS_DO_NOT_FIT_BOUNDS,
        histogram(CUMULATIVE, point.clone().addBucketCounts(1).addBucketCounts(1)));
    refuses(Outcome.BOUNDS_NOT_RISING, histogram(CUMULATIVE, bounds(1, 1)));
    refuses(Outcome.BOUNDS_NOT_RISING, histogram(CUMULATIVE, bounds(2, 1)));
    refuses(Outcome.BOUNDS_NOT_RISING, histogram(CUMULATIVE, bounds(Double.NaN)));
    refuses(Outcome.BOUNDS_NOT_RISING, histogram(CUMULATIVE, bounds(1, Double.NaN)));
    double[] many = new double[20];
    Arrays.setAll(many, i -> i);
    refuses(Outcome.TOO_MANY_BUCKETS, histogram(CUMULATIVE, bounds(many)));
    takes(histogram(CUMULATIVE, bounds(Arrays.copyOf(many, 19))));
    takes(histogram(CUMULATIVE, point.clone().setCount(4).setSum(2)));
    takes(histogram(CUMULATIVE, point.clone().addBucketCounts(4)));
    takes(histogram(CUMULATIVE, bounds(-2, -1, 0)));
  }

  @Test
  void refusesExponentialHistogramsBeyondDoublesOrBounds() {
    refuses(Outcome.BUCKETS_OUT_OF_RANGE, exponential(CUMULATIVE, buckets(0, 1024, 1)));
    refuses(Outcome.BUCKETS_OUT_OF_RANGE, exponential(CUMULATIVE, buckets(0, -1077, 1)));
    refuses(Outcome.BUCKETS_OUT_OF_RANGE, exponential(CUMULATIVE, buckets(-4, 64, 1)));
    refuses(
        Outcome.BUCKETS_OUT_OF_RANGE, exponential(CUMULATIVE, buckets(Integer.MIN_VALUE, 1, 1)));
    refuses(
        Outcome.BUCKETS_OUT_OF_RANGE,
        exponential(CUMULATIVE, buckets(20, Integer.MAX_VALUE, 1, 1)));
    refuses(Outcome.TOO_MANY_BUCKETS, exponential(CUMULATIVE, buckets(20, 0, new long[21])));
    takes(exponential(CUMULATIVE, buckets(0, 1023, 1)));
    takes(exponential(CUMULATIVE, buckets(20, 1023 << 20, 1)));
    takes(exponential(CUMULATIVE, buckets(-10, -1, 1, 1)));
    takes(exponential(CUMULATIVE, buckets(Integer.MIN_VALUE, -1, 1, 1)));
    takes(exponential(CUMULATIVE, buckets(Integer.MAX_VALUE, Integer.MIN_VALUE, 1)));
    takes(exponential(CUMULATIVE, buckets(0, 5_000, 0, 0)));
    takes(exponential(CUMULATIVE, buckets(-10, 0)));
  }

  @Test
  void refusesSummariesWithWrongQuantiles() {
    refuses(Outcome.BAD_QUANTILES, summary(quantiles(-0.1)));
    refuses(Outcome.BAD_QUANTILES, summary(quantiles(1.1)));
    refuses(Outcome.BAD_QUANTILES, summary(quantiles(Double.NaN)));
    refuses(Outcome.BAD_QUANTILES, summary(quantiles(0.5, 0.5)));
    refuses(Outcome.TOO_MANY_BUCKETS, summary(quantiles(new double[21])));
    takes(summary(quantiles(0, 0.5, 1)));
    takes(summary(quantiles()));
  }

  @Test
  void refusesTextThatIsNotUtf8WhereverItIs() {
    ByteString bad = ByteString.copyFrom(new byte[] {'b', (byte) 0xff, 'd'});
    byte[] good =
        request(
                gauge(number(0, 1, 1).addAttributes(pair("bad-key", "bad-value"))).toBuilder()
                    .setName("bad-name")
                    .setUnit("bad-unit")
                    .setDescription("bad-description")
                    .build())
            .toByteArray();
    for (String text : List.of("bad-key", "bad-value", "bad-name", "bad-unit", "bad-description")) {
      byte[] content = good.clone();
      int at = ByteString.copyFrom(good).toString(StandardCharsets.ISO_8859_1).indexOf(text);
      bad.copyTo(content, at);
      ExportMetricsPartialSuccess partial = receive(content);
      assertThat(partial.getRejectedDataPoints()).as(text).isEqualTo(1);
      assertThat(partial.getErrorMessage()).as(text).contains("valid UTF-8");
      assertThat(table.seriesCount()).as(text).isZero();
    }
  }

  @Test
  void refusesWhatIsTooLarge() {
    String large = "x".repeat(101);
    Metric metric = gauge(number(0, 1, 1));
    refuses(Outcome.TEXT_TOO_LONG, metric.toBuilder().setName(large).build());
    refuses(Outcome.TEXT_TOO_LONG, metric.toBuilder().setUnit(large).build());
    refuses(Outcome.TEXT_TOO_LONG, metric.toBuilder().setDescription(large).build());
    refuses(Outcome.LABELS_TOO_LARGE, gauge(number(0, 1, 1).addAttributes(pair("k", large))));
    NumberDataPoint.Builder many = number(0, 1, 1);
    for (int i = 0; i < 1_025; i++) {
      many.addAttributes(KeyValue.getDefaultInstance());
    }
    refuses(Outcome.LABELS_TOO_LARGE, gauge(many));
    refuses(
        Outcome.POINT_TOO_LARGE,
        gauge(number(0, 1, 1).addAttributes(pair("k", "v".repeat(1 << 20)))));
    String huge = "x".repeat(2 << 20);
    refuses(Outcome.TEXT_TOO_LONG, metric.toBuilder().setName(huge).build());
    refusesAll(
        Outcome.LABELS_TOO_LARGE,
        edit(
            request(metric),
            r ->
                r.getResourceMetricsBuilder(0)
                    .getResourceBuilder()
                    .addAttributes(pair("k", huge))));
    refusesAll(
        Outcome.LABELS_TOO_LARGE,
        edit(request(metric), r -> r.getResourceMetricsBuilder(0).setSchemaUrl(huge)));
    refusesAll(
        Outcome.LABELS_TOO_LARGE,
        edit(
            request(metric),
            r ->
                r.getResourceMetricsBuilder(0)
                    .getScopeMetricsBuilder(0)
                    .getScopeBuilder()
                    .setName(huge)));
    refusesAll(
        Outcome.LABELS_TOO_LARGE,
        edit(
            request(metric),
            r ->
                r.getResourceMetricsBuilder(0)
                    .getScopeMetricsBuilder(0)
                    .getScopeBuilder()
                    .setVersion(large)));
    takes(
        metric,
        r ->
            r.getResourceMetricsBuilder(0)
                .getResourceBuilder()
                .addAttributes(pair("k", "x".repeat(200_000))));
  }

  @Test
  void refusesNewSeriesBeyondTheBoundAndKeepsTheOldGoing() {
    table = new SeriesTable(OPTIONS.withMaxSeries(2), () -> 0, problems);
    NumberDataPoint.Builder[] points = new NumberDataPoint.Builder[5];
    for (int i = 0; i < 5; i++) {
      points[i] = number(0, 1, i).addAttributes(pair("i", "" + i));
    }
    ExportMetricsPartialSuccess partial = receive(request(gauge(points)).toByteArray());
    assertThat(partial.getRejectedDataPoints()).isEqualTo(3);
    assertThat(partial.getErrorMessage())
        .isEqualTo(
            "3 points, first in metric \"gauge\": the agent holds as many series as max_series"
                + " allows; send fewer series or raise it");
    assertThat(table.seriesCount()).isEqualTo(2);
    points[0].setTimeUnixNano(2).setAsInt(100);
    assertThat(receive(request(gauge(points[0], points[1])).toByteArray()).getRejectedDataPoints())
        .isZero();
    assertThat(TableText.of(table)).containsValues("0..2 100L", "0..1 1L");
    // A metric of which nothing was taken is not there either.
    Metric other = gauge(points[4]).toBuilder().setName("other").build();
    assertThat(receive(request(other).toByteArray()).getRejectedDataPoints()).isEqualTo(1);
    assertThat(table.metricCount()).isEqualTo(1);
  }

  @Test
  void countsAllAndSaysTheFirstOfEachKindOnce() {
    ExportMetricsPartialSuccess partial =
        receive(
            request(
                    gauge(number(0, 0, 1), number(0, 1, 1), number(0, 0, 1)),
                    sum(DELTA, number(3, 2, 1)),
                    sum(DELTA, number(3, 2, 1)))
                .toByteArray());
    assertThat(partial.getRejectedDataPoints()).isEqualTo(4);
    assertThat(partial.getErrorMessage())
        .isEqualTo(
            "2 points, first in metric \"sum\": expected delta points to begin before they end; 2"
                + " points, first in metric \"gauge\": expected time_unix_nano to be set, found 0");
    assertThat(problems.kind("no_time").count()).isEqualTo(2);
    assertThat(log)
        .containsExactlyInAnyOrder(
            "no_time (2 times): first in metric \"gauge\": expected time_unix_nano to be set, found"
                + " 0",
            "start_after_time (2 times): first in metric \"sum\": expected delta points to begin"
                + " before they end");
  }

  @Test
  void keepsTheMessageShort() {
    List<Metric> metrics = new ArrayList<>();
    String name = "n".repeat(100);
    metrics.add(gauge(number(0, 0, 1)).toBuilder().setName(name).build());
    metrics.add(sum(DELTA, number(3, 2, 1)).toBuilder().setName(name).build());
    metrics.add(sum(DELTA, number(1, 2, -1)).toBuilder().setName(name).build());
    metrics.add(histogram(DELTA, bounds(2, 1)).toBuilder().setName(name).build());
    metrics.add(histogram(DELTA, bounds(new double[20])).toBuilder().setName(name).build());
    metrics.add(summary(quantiles(2)).toBuilder().setName(name).build());
    metrics.add(exponential(DELTA, buckets(0, 1024, 1)).toBuilder().setName(name).build());
    metrics.add(
        gauge(NumberDataPoint.newBuilder().setTimeUnixNano(1)).toBuilder().setName(name).build());
    ExportMetricsPartialSuccess partial =
        receive(request(metrics.toArray(Metric[]::new)).toByteArray());
    assertThat(partial.getRejectedDataPoints()).isEqualTo(8);
    assertThat(partial.getErrorMessage()).hasSize(1024).endsWith("...");
  }

  private interface Edit {
    void on(ExportMetricsServiceRequest.Builder request);
  }

  private static ExportMetricsServiceRequest edit(ExportMetricsServiceRequest request, Edit edit) {
    ExportMetricsServiceRequest.Builder builder = request.toBuilder();
    edit.on(builder);
    return builder.build();
  }

  /** The point is refused in a table of its own, and a good one beside it is not. */
  private void refuses(Outcome outcome, Metric metric) {
    refusesAll(outcome, request(metric));
    Metric good = gauge(number(0, 9, 9)).toBuilder().setName("good").build();
    SeriesTable before = table;
    table = new SeriesTable(OPTIONS, () -> 0, problems);
    ExportMetricsPartialSuccess partial = receive(request(good, metric, good).toByteArray());
    assertThat(partial.getRejectedDataPoints()).isEqualTo(1);
    assertThat(TableText.of(table)).hasSize(1).containsValue("0..9 9L");
    table = before;
  }

  private void refusesAll(Outcome outcome, ExportMetricsServiceRequest request) {
    SeriesTable before = table;
    table = new SeriesTable(OPTIONS, () -> 0, problems);
    refusesLater(outcome, request);
    assertThat(table.seriesCount()).isZero();
    assertThat(table.metricCount()).isZero();
    table = before;
  }

  private void refusesLater(Outcome outcome, Metric metric) {
    refusesLater(outcome, request(metric));
  }

  private void refusesLater(Outcome outcome, ExportMetricsServiceRequest request) {
    long counted = problems.kind(Refusals.problemName(outcome)).count();
    ExportMetricsPartialSuccess partial = receive(request.toByteArray());
    assertThat(partial.getRejectedDataPoints()).isEqualTo(1);
    assertThat(partial.getErrorMessage())
        .startsWith("1 point, first in metric ")
        .endsWith(outcome.explanation());
    assertThat(problems.kind(Refusals.problemName(outcome)).count()).isEqualTo(counted + 1);
  }

  private void takes(Metric metric) {
    takes(metric, r -> {});
  }

  private void takes(Metric metric, Edit edit) {
    assertThat(receive(edit(request(metric), edit).toByteArray()))
        .isEqualTo(ExportMetricsPartialSuccess.getDefaultInstance());
  }

  private ExportMetricsPartialSuccess receive(byte[] content) {
    OtlpReply reply =
        new OtlpMetricsReceiver(table, chunks.pool(), problems)
            .receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), content));
    assertThat(reply.httpStatus()).isEqualTo(200);
    try {
      return ExportMetricsServiceResponse.parseFrom(reply.body()).getPartialSuccess();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static HistogramDataPoint.Builder bounds(double... bounds) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder().setTimeUnixNano(10).addBucketCounts(1);
    for (double bound : bounds) {
      point.addExplicitBounds(bound).addBucketCounts(1);
    }
    return point;
  }

  private static ExponentialHistogramDataPoint.Builder buckets(
      int scale, int offset, long... counts) {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder().setTimeUnixNano(10).setScale(scale);
    point.getPositiveBuilder().setOffset(offset);
    for (long count : counts) {
      point.getPositiveBuilder().addBucketCounts(count);
    }
    return point;
  }

  private static SummaryDataPoint.Builder quantiles(double... quantiles) {
    SummaryDataPoint.Builder point = SummaryDataPoint.newBuilder().setTimeUnixNano(10);
    for (double quantile : quantiles) {
      point.addQuantileValues(
          SummaryDataPoint.ValueAtQuantile.newBuilder().setQuantile(quantile).setValue(1));
    }
    return point;
  }
}
