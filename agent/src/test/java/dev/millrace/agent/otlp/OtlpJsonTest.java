package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.format.otlp.OtlpJsonWriter;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.RandomMessages;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpJsonTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final OtlpJson translator = new OtlpJson(OtlpJson.factory(), chunks.pool());

  @Test
  void translatesEveryFieldToWhatProtobufHas() throws Exception {
    for (int seed = 0; seed < 400; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
      new RandomMessages(random, 2).fill(request, 8);
      String json = new OtlpJsonText(random).write(request.build());
      assertThat(translate(json)).as("seed %d: %s", seed, json).isEqualTo(request.build());
    }
  }

  @Test
  void readsWhatTheJsonWriterWrites() throws Exception {
    OtlpJsonWriter writer = new OtlpJsonWriter(chunks.pool(), OtlpSignal.METRICS);
    for (int seed = 0; seed < 400; seed++) {
      ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
      new RandomMessages(new SplittableRandom(seed), 2).fill(request, 8);
      try (Payload protobuf = Payloads.of(chunks.pool(), request.build().toByteArray());
          Payload json = writer.write(protobuf);
          Payload back = translator.translate(json)) {
        assertThat(ExportMetricsServiceRequest.parseFrom(back.toByteArray()))
            .as("seed %d", seed)
            .isEqualTo(request.build());
      }
    }
  }

  @Test
  void readsAWholeRequest() throws Exception {
    ExportMetricsServiceRequest request = translate(sample());
    assertThat(request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList())
        .extracting(Metric::getName)
        .containsExactly("orders", "queue.depth", "latency", "size", "wait");
    Problems problems = new Problems(() -> 0, line -> {});
    SeriesTable fromJson = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
    SeriesTable fromProtobuf = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
    OtlpReply reply =
        new OtlpMetricsReceiver(fromJson, chunks.pool(), problems)
            .receive(OtlpEncoding.JSON, payload(sample(), StandardCharsets.UTF_8));
    assertThat(reply.httpStatus()).isEqualTo(200);
    assertThat(reply.encoding()).isEqualTo(OtlpEncoding.JSON);
    assertThat(reply.body()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
    new OtlpMetricsReceiver(fromProtobuf, chunks.pool(), problems)
        .receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), request.toByteArray()));
    assertThat(TableText.of(fromJson)).hasSize(5).isEqualTo(TableText.of(fromProtobuf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " { } ", "{\"resourceMetrics\":null}", "{\"resourceMetrics\":[]}"})
  void readsRequestsOfNothing(String json) throws Exception {
    assertThat(translate(json)).isEqualTo(ExportMetricsServiceRequest.getDefaultInstance());
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE"})
  void readsTheEncodingsOfJson(String charset) throws Exception {
    String json = "{\"resourceMetrics\":[{\"schemaUrl\":\"日本😀\"}]}";
    try (Payload source = payload(json, Charset.forName(charset));
        Payload translated = translator.translate(source)) {
      assertThat(
              ExportMetricsServiceRequest.parseFrom(translated.toByteArray())
                  .getResourceMetrics(0)
                  .getSchemaUrl())
          .isEqualTo("日本😀");
    }
  }

  @Test
  void readsTheNamesOfTemporalities() throws Exception {
    assertThat(temporality("\"AGGREGATION_TEMPORALITY_DELTA\""))
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
    assertThat(temporality("2"))
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    assertThat(temporality("\"2\""))
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    assertThat(temporality("99")).isEqualTo(AggregationTemporality.UNRECOGNIZED);
  }

  private AggregationTemporality temporality(String value) throws Exception {
    return translate(metric("{\"sum\":{\"aggregationTemporality\":" + value + "}}"))
        .getResourceMetrics(0)
        .getScopeMetrics(0)
        .getMetrics(0)
        .getSum()
        .getAggregationTemporality();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Not JSON, or not an object.
        "`` | expected an object, found the end of the JSON",
        "[] | line 1, column 1: expected an object, found a list",
        "{\"a\":1 | expected well-formed JSON: Unexpected end-of-input",
        "{} x | expected well-formed JSON: Unrecognized token 'x'",
        "{} {} | line 1, column 4: expected nothing after the request, found an object",
        "{\"resourceMetrics\":[{]} | line 1, column 22, at \"/resourceMetrics/0\": expected well-formed",
        // Wrong types.
        "{\"resourceMetrics\":{}} | at \"/resourceMetrics\": expected a list, found an object",
        "{\"resourceMetrics\":[null]} | at \"/resourceMetrics/0\": expected an object, found null",
        "{\"resourceMetrics\":[7]} | at \"/resourceMetrics/0\": expected an object, found \"7\"",
        "{\"resourceMetrics\":[{\"schemaUrl\":1}]} | at \"/resourceMetrics/0/schemaUrl\": expected text, found \"1\"",
        "{\"resourceMetrics\":[{\"resource\":\"x\"}]} | at \"/resourceMetrics/0/resource\": expected an object, found text",
        // Fields twice.
        "{\"resourceMetrics\":[{\"schemaUrl\":\"a\",\"schemaUrl\":\"b\"}]} | at \"/resourceMetrics/0/schemaUrl\": expected schemaUrl once",
      })
  void saysWhatIsWrong(String json, String message) {
    assertThatExceptionOfType(OtlpJsonException.class)
        .isThrownBy(() -> translate(json))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"asInt\":\"9223372036854775808\" | asInt\": expected a whole number of 64 bits, found \"9223372036854775808\"",
        "\"asInt\":1.5 | asInt\": expected a whole number of 64 bits, found \"1.5\"",
        "\"asInt\":\"\" | asInt\": expected a whole number of 64 bits, found \"\"",
        "\"asInt\":\"0x10\" | asInt\": expected a whole number of 64 bits",
        "\"asInt\":1e999999999 | asInt\": expected a whole number of 64 bits",
        "\"asInt\":true | asInt\": expected a whole number, found \"true\"",
        "\"timeUnixNano\":-1 | timeUnixNano\": expected a whole number from 0 to 18446744073709551615, found \"-1\"",
        "\"timeUnixNano\":\"18446744073709551616\" | timeUnixNano\": expected a whole number from 0 to",
        "\"flags\":4294967296 | flags\": expected a whole number from 0 to 4294967295, found \"4294967296\"",
        "\"asDouble\":1e400 | asDouble\": expected a number that a double can hold",
        "\"asDouble\":\"nan\" | asDouble\": expected a number that a double can hold",
        "\"asDouble\":NaN | expected well-formed JSON: Non-standard token 'NaN'",
        "\"asDouble\":\"1.0f\" | asDouble\": expected a number that a double can hold",
        "\"asDouble\":[] | asDouble\": expected a number, found a list",
        "\"asDouble\":1,\"asInt\":1 | asInt\": expected asInt once, and only one of the fields",
        "\"exemplars\":[{\"traceId\":7}] | traceId\": expected an id in hexadecimal, found \"7\"",
        "\"attributes\":[{\"value\":{\"bytesValue\":\"*\"}}] | bytesValue\": expected bytes in base64, found other text",
        "\"attributes\":[{\"value\":{\"boolValue\":\"true\"}}] | boolValue\": expected true or false, found text",
      })
  void saysWhatIsWrongWithAPoint(String member, String message) {
    String json = metric("{\"gauge\":{\"dataPoints\":[{" + member + "}]}}");
    assertThatExceptionOfType(OtlpJsonException.class)
        .isThrownBy(() -> translate(json))
        .withMessageContaining(message);
  }

  @Test
  void refusesTwoKindsOfDataInOneMetric() {
    assertThatExceptionOfType(OtlpJsonException.class)
        .isThrownBy(() -> translate(metric("{\"gauge\":{},\"sum\":{}}")))
        .withMessageContaining("metrics/0/sum\": expected sum once, and only one of the fields");
  }

  @Test
  void refusesDeepNesting() throws Exception {
    translate(nested(45));
    for (int levels : new int[] {49, 100, 10_000, 100_000}) {
      assertThatExceptionOfType(OtlpJsonException.class)
          .as("%d levels", levels)
          .isThrownBy(() -> translate(nested(levels)))
          .withMessageMatching("(?s).*(at most 100 deep|nesting depth).*");
    }
  }

  @Test
  void refusesTextThatIsNotUtf8AndRepliesToIt() {
    Problems problems = new Problems(() -> 0, line -> {});
    OtlpMetricsReceiver receiver =
        new OtlpMetricsReceiver(
            new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems),
            chunks.pool(),
            problems);
    byte[] json = "{\"resourceMetrics\":[{\"schemaUrl\":\"?\"}]}".getBytes(StandardCharsets.UTF_8);
    json[json.length - 5] = (byte) 0xff;
    OtlpReply reply = receiver.receive(OtlpEncoding.JSON, Payloads.of(chunks.pool(), json));
    assertThat(reply.httpStatus()).isEqualTo(400);
    assertThat(reply.body())
        .asString(StandardCharsets.UTF_8)
        .startsWith(
            "{\"code\":3,\"message\":\"the body is not an OTLP metrics request in JSON: line 1,")
        .contains("Invalid UTF-8");
    assertThat(problems.kind("otlp_request_malformed").count()).isEqualTo(1);
  }

  @Test
  void neverFailsWhateverTheBytes() {
    Problems problems = new Problems(() -> 0, line -> {});
    byte[] good = sample().getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int seed = 0; seed < 1_500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bad =
          Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
      for (int i = random.nextInt(4); i > 0 && bad.length > 0; i--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
      OtlpReply reply =
          new OtlpMetricsReceiver(table, chunks.pool(), problems)
              .receive(OtlpEncoding.JSON, Payloads.of(chunks.pool(), bad));
      assertThat(reply.httpStatus()).as("seed %d", seed).isIn(200, 400);
      if (reply.httpStatus() == 400) {
        refused++;
        assertThat(table.metricCount()).as("seed %d", seed).isZero();
      }
    }
    assertThat(refused).isBetween(500, 1_450);
  }

  private static String nested(int levels) {
    return "{\"resourceMetrics\":[{\"resource\":{\"attributes\":[{\"value\":"
        + "{\"arrayValue\":{\"values\":[".repeat(levels)
        + "]}}".repeat(levels)
        + "}]}}]}";
  }

  private static String metric(String json) {
    return "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[" + json + "]}]}]}";
  }

  private static String sample() {
    try (InputStream in = OtlpJsonTest.class.getResourceAsStream("/otlp/metrics.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Payload payload(String json, Charset charset) {
    return Payloads.of(chunks.pool(), json.getBytes(charset));
  }

  private ExportMetricsServiceRequest translate(String json) throws OtlpJsonException, IOException {
    try (Payload source = payload(json, StandardCharsets.UTF_8);
        Payload translated = translator.translate(source)) {
      return ExportMetricsServiceRequest.parseFrom(translated.toByteArray());
    }
  }
}
