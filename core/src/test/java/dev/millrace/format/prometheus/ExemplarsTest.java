package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.TypeHint;
import dev.millrace.testkit.GivenBack;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exemplars: where they stand, what their labels are, and what is left out. */
class ExemplarsTest {
  private static final long TIME = 1_700_000_000_250_000_000L;
  private static final long HIGH = 0x4bf92f3577b34da6L;
  private static final long LOW = 0xa3ce929d0e0e4736L;
  private static final long SPAN = 0x00f067aa0ba902b7L;
  private static final String IDS =
      "trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\",span_id=\"00f067aa0ba902b7\"";

  /** What is left of 128 characters beside both ids. */
  private static final int LEFT = 128 - 63;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter() {
    return new Expositions(chunks.pool(), PrometheusOptions.DEFAULT.withTargetInfo(false));
  }

  private static FakePoint.Exemplar exemplar(double value, long time, String... attributes) {
    return new FakePoint.Exemplar(
        new FakePoint.Real(value), time, HIGH, LOW, SPAN, Labels.of(attributes));
  }

  private String ofCounter(Expositions exporter, FakePoint.Exemplar... exemplars) {
    String exposition =
        exporter.openMetrics(
            FakeMetric.counter("x", "", FakePoint.of(Labels.EMPTY, 7).withExemplars(exemplars)));
    String start = "# TYPE x counter\nx_total 7";
    String end = "\n# EOF\n";
    assertThat(exposition).startsWith(start).endsWith(end);
    return exposition.substring(start.length(), exposition.length() - end.length());
  }

  @Test
  void countersHaveTheNewest() {
    assertThat(ofCounter(exporter(), exemplar(1, TIME), exemplar(2.5, TIME + 1), exemplar(3, 0)))
        .isEqualTo(" # {" + IDS + "} 2.5 1700000000.250000001");
  }

  @Test
  void bucketsHaveTheNewestThatLiesInThem() {
    FakePoint point =
        FakePoint.histogram(Labels.of("a", "b"), 9, new double[] {0.5, 1, 10}, 1, 0, 1, 1)
            .withExemplars(
                exemplar(1, TIME, "at", "a bound"),
                exemplar(0.7, TIME - 1_000),
                exemplar(-3, 0),
                exemplar(1e300, TIME, "of", "many"));
    assertThat(exporter().openMetrics(FakeMetric.histogram("h", "", point)))
        .isEqualTo(
            """
            # TYPE h histogram
            h_bucket{a="b",le="0.5"} 1 # {IDS} -3
            h_bucket{a="b",le="1.0"} 1 # {IDS,at="a bound"} 1 1700000000.25
            h_bucket{a="b",le="10.0"} 2
            h_bucket{a="b",le="+Inf"} 3 # {IDS,of="many"} 1e+300 1700000000.25
            h_sum{a="b"} 9
            h_count{a="b"} 3
            # EOF
            """
                .replace("IDS", IDS));
  }

  @Test
  void aBoundOfInfinityIsTheLastBucket() {
    double[] bounds = {1, Double.POSITIVE_INFINITY};
    FakePoint point =
        FakePoint.histogram(Labels.EMPTY, 9, bounds, 1, 1, 0)
            .withExemplars(exemplar(2, TIME), exemplar(Double.POSITIVE_INFINITY, TIME - 1));
    assertThat(exporter().openMetrics(FakeMetric.histogram("h", "", point)))
        .contains(
            "h_bucket{le=\"1.0\"} 1\nh_bucket{le=\"+Inf\"} 2 # {" + IDS + "} 2 1700000000.25");
  }

  @Test
  void aHistogramWithoutBucketsHasOneBucket() {
    FakePoint point =
        FakePoint.histogram(Labels.EMPTY, 9, new double[0]).withExemplars(exemplar(-2, TIME));
    assertThat(exporter().openMetrics(FakeMetric.histogram("h", "", point)))
        .contains("h_bucket{le=\"+Inf\"} 0 # {" + IDS + "} -2 1700000000.25\n");
  }

  @Test
  void whatIsNotANumberLiesInNoBucket() {
    Expositions exporter = exporter();
    FakePoint point =
        FakePoint.histogram(Labels.EMPTY, 9, new double[] {1}, 1, 1)
            .withExemplars(exemplar(Double.NaN, TIME), exemplar(2, TIME - 1));
    assertThat(exporter.openMetrics(FakeMetric.histogram("h", "", point)))
        .doesNotContain("NaN")
        .contains("# {" + IDS + "} 2 ");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_exemplar_value_not_allowed", 1L));
  }

  @Test
  void wildInput4NothingOfTheLastPointsExemplarsSurvives() {
    double[] bounds = {1, 2};
    FakePoint with =
        FakePoint.histogram(Labels.of("a", "1"), 9, bounds, 1, 1, 1)
            .withExemplars(
                exemplar(0.5, TIME, "k", "v"), exemplar(1.5, TIME), exemplar(2.5, TIME, "k", "v"));
    FakePoint fewer =
        FakePoint.histogram(Labels.of("a", "2"), 9, bounds, 1, 1, 1)
            .withExemplars(
                new FakePoint.Exemplar(new FakePoint.Whole(2), 0, 0, 0, 0, Labels.EMPTY));
    FakePoint without = FakePoint.histogram(Labels.of("a", "3"), 9, bounds, 1, 1, 1);
    FakePoint counted = FakePoint.of(Labels.EMPTY, 1);
    Expositions exporter = exporter();
    String exposition =
        exporter.openMetrics(
            FakeMetric.histogram("h", "", with, fewer, without),
            FakeMetric.counter("x", "", counted));
    assertThat(exposition.lines().filter(line -> line.contains(" # ")))
        .containsExactly(
            "h_bucket{a=\"1\",le=\"1.0\"} 1 # {" + IDS + ",k=\"v\"} 0.5 1700000000.25",
            "h_bucket{a=\"1\",le=\"2.0\"} 2 # {" + IDS + "} 1.5 1700000000.25",
            "h_bucket{a=\"1\",le=\"+Inf\"} 3 # {" + IDS + ",k=\"v\"} 2.5 1700000000.25",
            "h_bucket{a=\"2\",le=\"2.0\"} 2 # {} 2");
    FakeMetrics later = new FakeMetrics(FakeMetric.histogram("h", "", with.withExemplars()));
    assertThat(exporter.openMetrics(later)).doesNotContain(" # {");
  }

  @ParameterizedTest
  @CsvSource({"a, true", "é, true", "請, true", "🚀, true", "a, false", "🚀, false", "é, false"})
  void wildInput17CharactersAreCountedAndNotBytes(String character, boolean fits) {
    Expositions exporter = exporter();
    String value = character.repeat(LEFT - 1 + (fits ? 0 : 1));
    assertThat(ofCounter(exporter, exemplar(1, TIME, "k", value)))
        .isEqualTo(" # {" + IDS + (fits ? ",k=\"" + value + "\"" : "") + "} 1 1700000000.25");
    assertThat(exporter.problems())
        .isEqualTo(fits ? Map.of() : Map.of("prometheus_exemplar_labels_too_long", 1L));
  }

  @Test
  void wildInput17AllAttributesGoOrNone() {
    Expositions exporter = exporter();
    String[] attributes = {"a", "short", "b", "x".repeat(LEFT - 8), "c", ""};
    assertThat(ofCounter(exporter, exemplar(1, TIME, attributes))).contains("a=\"short\"");
    attributes[5] = "1";
    assertThat(ofCounter(exporter, exemplar(1, TIME, attributes)))
        .isEqualTo(" # {" + IDS + "} 1 1700000000.25");
  }

  @Test
  void wildInput17WithoutIdsThereIsMoreRoom() {
    String value = "x".repeat(127);
    assertThat(ofCounter(exporter(), withoutIds(Labels.of("k", value))))
        .isEqualTo(" # {k=\"" + value + "\"} 1");
    assertThat(ofCounter(exporter(), withoutIds(Labels.of("kk", value)))).isEqualTo(" # {} 1");
  }

  private static FakePoint.Exemplar withoutIds(Labels attributes) {
    return new FakePoint.Exemplar(new FakePoint.Whole(1), 0, 0, 0, 0, attributes);
  }

  @Test
  void wildInput17EscapesAreNotCounted() {
    String value = "\"\\\n".repeat(21);
    assertThat(value).hasSize(LEFT - 2);
    assertThat(ofCounter(exporter(), exemplar(1, TIME, "kk", value)))
        .contains("kk=\"" + "\\\"\\\\\\n".repeat(21) + "\"}");
  }

  @Test
  void wildInput17MoreAttributesThanCharacters() {
    String[] attributes = new String[2 * 10_000];
    for (int i = 0; i < attributes.length; i += 2) {
      attributes[i] = ".".repeat(1 + i % 7) + "k";
      attributes[i + 1] = "";
    }
    // The seven keys come to one name.
    assertThat(ofCounter(exporter(), exemplar(1, TIME, attributes))).contains(",_k=\";;;");
    for (int i = 0; i < attributes.length; i += 2) {
      attributes[i] = "k" + i;
    }
    assertThat(ofCounter(exporter(), exemplar(1, TIME, attributes)))
        .isEqualTo(" # {" + IDS + "} 1 1700000000.25");
  }

  @Test
  void attributesAreNamedAndJoinedAsThoseOfSeriesAre() {
    Labels attributes =
        new Labels.Builder()
            .put("user.id", 7)
            .put("user-id", "a\"b")
            .put("2xx", true)
            .put("raw", LabelType.BYTES, new byte[] {1, 2})
            .build();
    assertThat(ofCounter(exporter(), withoutIds(attributes)))
        .isEqualTo(" # {key_2xx=\"true\",raw=\"AQI=\",user_id=\"a\\\"b;7\"} 1");
  }

  @Test
  void idsWinOverAttributesOfTheirNames() {
    FakePoint.Exemplar both =
        exemplar(1, 0, "trace_id", "mine", "trace.id", "mine", "span_id", "mine", "k", "v");
    assertThat(ofCounter(exporter(), both)).isEqualTo(" # {" + IDS + ",k=\"v\"} 1");
    FakePoint.Exemplar noSpan =
        new FakePoint.Exemplar(
            both.value(), 0, 0, 1, 0, Labels.of("trace_id", "mine", "span_id", "mine"));
    assertThat(ofCounter(exporter(), noSpan))
        .isEqualTo(" # {trace_id=\"00000000000000000000000000000001\",span_id=\"mine\"} 1");
    FakePoint.Exemplar noTrace =
        new FakePoint.Exemplar(both.value(), 0, 0, 0, -1, Labels.of("trace-id", "mine"));
    assertThat(ofCounter(exporter(), noTrace))
        .isEqualTo(" # {span_id=\"ffffffffffffffff\",trace_id=\"mine\"} 1");
  }

  @Test
  void quotesOfNamesAreNotCounted() {
    Expositions exporter =
        new Expositions(
            chunks.pool(),
            PrometheusOptions.DEFAULT
                .withTargetInfo(false)
                .withTranslationStrategy(TranslationStrategy.NO_UTF8_ESCAPING_WITH_SUFFIXES),
            EscapingScheme.ALLOW_UTF_8);
    String value = "x".repeat(LEFT - "é.\"\\".length());
    assertThat(ofCounter(exporter, exemplar(1, 0, "é.\"\\", value)))
        .isEqualTo(" # {" + IDS + ",\"é.\\\"\\\\\"=\"" + value + "\"} 1");
    assertThat(ofCounter(exporter, exemplar(1, 0, "é.\"\\", value + "x")))
        .isEqualTo(" # {" + IDS + "} 1");
    assertThat(ofCounter(exporter, exemplar(1, 0, "trace_id", "mine", "trace.id", "mine")))
        .isEqualTo(" # {" + IDS + ",\"trace.id\"=\"mine\"} 1");
  }

  @Test
  void keysOfExemplarsDoNotMakeSeriesAmbiguous() {
    FakePoint first =
        FakePoint.of(Labels.EMPTY, 1).withExemplars(exemplar(1, TIME, "user.id", "1"));
    FakePoint second = FakePoint.of(Labels.of("user_id", "1"), 1);
    Expositions exporter = exporter();
    FakeMetrics source = new FakeMetrics(FakeMetric.counter("x", "", first, second));
    String exposition = exporter.openMetrics(source);
    assertThat(exposition).contains("user_id=\"1\"} 1 17").contains("x_total{user_id=\"1\"} 1\n");
    assertThat(exporter.problems()).isEmpty();
  }

  @Test
  void nothingElseHasExemplars() {
    FakePoint point = FakePoint.of(Labels.of("x", "1"), 1).withExemplars(exemplar(1, TIME));
    FakeMetric gauge = FakeMetric.gauge("x", "", point);
    Expositions exporter = exporter();
    for (TypeHint hint : TypeHint.values()) {
      assertThat(exporter.openMetrics(gauge.hintedAs(hint))).contains("1\n").doesNotContain(" # {");
    }
    FakePoint histogram =
        FakePoint.histogram(Labels.EMPTY, 9, new double[] {1}, 1, 1)
            .withExemplars(exemplar(1, TIME));
    assertThat(
            exporter.text(
                FakeMetric.counter("c", "", point), FakeMetric.histogram("h", "", histogram)))
        .contains("c_total{x=\"1\"} 1\n")
        .contains("h_bucket{le=\"1.0\"} 1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "1700000000000000000, 1700000000",
    "1700000000000000001, 1700000000.000000001",
    "1700000000120000000, 1700000000.12",
    "1, 0.000000001",
    "9223372036854775807, 9223372036.854775807"
  })
  void timesAreExact(long time, String text) {
    assertThat(ofCounter(exporter(), exemplar(1, time))).endsWith("} 1 " + text);
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "-9223372036854775808"})
  void aTimeThatIsNotKnownIsNotWritten(long time) {
    assertThat(ofCounter(exporter(), exemplar(1, time))).endsWith("\"} 1");
  }
}
