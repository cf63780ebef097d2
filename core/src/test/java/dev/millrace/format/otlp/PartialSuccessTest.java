package dev.millrace.format.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartialSuccessTest {
  @Test
  void allSignalsInProtobuf() {
    PartialSuccess expected = new PartialSuccess(3, "too old");
    assertThat(PartialSuccess.fromProtobuf(traces(3, "too old"))).isEqualTo(expected);
    assertThat(
            PartialSuccess.fromProtobuf(
                ExportMetricsServiceResponse.newBuilder()
                    .setPartialSuccess(
                        ExportMetricsPartialSuccess.newBuilder()
                            .setRejectedDataPoints(3)
                            .setErrorMessage("too old"))
                    .build()
                    .toByteArray()))
        .isEqualTo(expected);
    assertThat(
            PartialSuccess.fromProtobuf(
                ExportLogsServiceResponse.newBuilder()
                    .setPartialSuccess(
                        ExportLogsPartialSuccess.newBuilder()
                            .setRejectedLogRecords(3)
                            .setErrorMessage("too old"))
                    .build()
                    .toByteArray()))
        .isEqualTo(expected);
  }

  @Test
  void nothingRejectedAndNothingSaidIsSuccess() {
    assertThat(PartialSuccess.fromProtobuf(new byte[0])).isSameAs(PartialSuccess.NONE);
    assertThat(PartialSuccess.fromProtobuf(traces(0, ""))).isSameAs(PartialSuccess.NONE);
    assertThat(PartialSuccess.fromProtobuf(traces(-5, ""))).isSameAs(PartialSuccess.NONE);
    assertThat(PartialSuccess.NONE.isNone()).isTrue();
  }

  @Test
  void aWarningRejectsNothing() {
    PartialSuccess warning = PartialSuccess.fromProtobuf(traces(0, "deprecated"));
    assertThat(warning).isEqualTo(new PartialSuccess(0, "deprecated"));
    assertThat(warning.isNone()).isFalse();
  }

  @Test
  void aMessageIsOneBoundedLine() {
    assertThat(PartialSuccess.fromProtobuf(traces(1, "\na\r\nb\u0000\u2028\u202Ec\u001B[31m ")))
        .isEqualTo(new PartialSuccess(1, "a  b   c [31m"));
    assertThat(PartialSuccess.fromProtobuf(traces(1, "x".repeat(5_000_000))).message())
        .isEqualTo("x".repeat(PartialSuccess.MAX_MESSAGE_CHARS));
    // A character of two is not cut in two.
    assertThat(PartialSuccess.fromProtobuf(traces(1, "x" + "😀".repeat(9_999))).message())
        .isEqualTo("x" + "😀".repeat((PartialSuccess.MAX_MESSAGE_CHARS - 1) / 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"partialSuccess\":{\"rejectedSpans\":\"3\",\"errorMessage\":\"too old\"}}",
        "{\"partialSuccess\":{\"errorMessage\":\"too old\",\"rejectedDataPoints\":3}}",
        " { \"x\" : [ 1 , { \"a\" : \"]}\\\"\" } , null ] , \"partialSuccess\" : {"
            + " \"y\":-1.5e+3, \"errorMessage\" : \"too\\u0020old\" ,\n"
            + "\"rejectedLogRecords\" : \"3\" } } ",
        "{\"rejectedSpans\":9,\"other\":{\"errorMessage\":\"no\",\"partialSuccess\":{}},"
            + "\"partialSuccess\":{\"rejectedSpans\":\"3\",\"errorMessage\":\"too old\"}}"
      })
  void json(String json) {
    assertThat(PartialSuccess.fromJson(json.getBytes(UTF_8)))
        .isEqualTo(new PartialSuccess(3, "too old"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "null",
        "{\"partialSuccess\":{}}",
        "{\"partialSuccess\":null}",
        "{\"partialSuccess\":{\"rejectedSpans\":\"0\",\"errorMessage\":\"\"}}",
        "{\"partialSuccess\":{\"rejectedSpans\":\"-3\"}}",
        "{\"partialSuccess\":{\"rejectedSpans\":\"3\"}",
        "{\"partialSuccess\":{\"rejectedSpans\":\"3\"}} x",
        "{\"partialSuccess\":{\"rejectedSpans\":\"3}}",
        "{\"partialSuccess\":{\"rejectedSpans\":99999999999999999999999}}",
        "<html>{\"partialSuccess\":{\"rejectedSpans\":\"3\"}}</html>",
        "[{\"partialSuccess\":{\"rejectedSpans\":\"3\"}}]"
      })
  void jsonOfSuccessOrOfNothingKnown(String json) {
    assertThat(PartialSuccess.fromJson(json.getBytes(UTF_8))).isSameAs(PartialSuccess.NONE);
  }

  @Test
  void nestingCostsNoStack() {
    String deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    assertThat(
            PartialSuccess.fromJson(
                ("{\"x\":" + deep + ",\"partialSuccess\":{\"rejectedSpans\":2}}").getBytes(UTF_8)))
        .isEqualTo(new PartialSuccess(2, ""));
  }

  @Test
  void damagedRepliesAreNoFailures() {
    byte[] json =
        "{\"partialSuccess\":{\"rejectedSpans\":\"3\",\"errorMessage\":\"\\u00e9\"}}"
            .getBytes(UTF_8);
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (byte[] body : new byte[][] {json, traces(3, "too old")}) {
        byte[] damaged = Arrays.copyOf(body, random.nextInt(1, body.length + 1));
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        assertThat(PartialSuccess.fromJson(damaged).rejectedItems())
            .as("seed %d", seed)
            .isNotNegative();
        assertThat(PartialSuccess.fromProtobuf(damaged).message().length())
            .as("seed %d", seed)
            .isLessThanOrEqualTo(PartialSuccess.MAX_MESSAGE_CHARS);
      }
    }
  }

  private static byte[] traces(long rejected, String message) {
    return ExportTraceServiceResponse.newBuilder()
        .setPartialSuccess(
            ExportTracePartialSuccess.newBuilder()
                .setRejectedSpans(rejected)
                .setErrorMessage(message))
        .build()
        .toByteArray();
  }
}
