package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpRepliesTest {
  @Test
  void aFullSuccessIsAnEmptyResponse() throws Exception {
    OtlpReply protobuf = OtlpReplies.success(OtlpEncoding.PROTOBUF);
    assertThat(protobuf.httpStatus()).isEqualTo(200);
    assertThat(protobuf.encoding()).isEqualTo(OtlpEncoding.PROTOBUF);
    assertThat(ExportMetricsServiceResponse.parseFrom(protobuf.body()).hasPartialSuccess())
        .isFalse();
    OtlpReply json = OtlpReplies.success(OtlpEncoding.JSON);
    assertThat(json.httpStatus()).isEqualTo(200);
    assertThat(json.encoding().contentType()).isEqualTo("application/json");
    assertThat(text(json)).isEqualTo("{}");
  }

  @Test
  void aPartialSuccessSaysHowManyAndWhy() throws Exception {
    String message = "a \"quoted\" é\n\u0001 thing".repeat(20);
    OtlpReply protobuf = OtlpReplies.partialSuccess(OtlpEncoding.PROTOBUF, 300, message);
    assertThat(protobuf.httpStatus()).isEqualTo(200);
    assertThat(ExportMetricsServiceResponse.parseFrom(protobuf.body()))
        .isEqualTo(
            ExportMetricsServiceResponse.newBuilder()
                .setPartialSuccess(
                    ExportMetricsPartialSuccess.newBuilder()
                        .setRejectedDataPoints(300)
                        .setErrorMessage(message))
                .build());
    assertThat(text(OtlpReplies.partialSuccess(OtlpEncoding.JSON, 2, "no \"b\"\\c\n")))
        .isEqualTo(
            "{\"partialSuccess\":{\"rejectedDataPoints\":\"2\",\"errorMessage\":"
                + "\"no \\\"b\\\"\\\\c\\u000a\"}}");
  }

  @ParameterizedTest
  @CsvSource({"400, 3", "401, 16", "403, 7", "404, 12", "413, 2", "415, 2", "429, 8", "503, 14"})
  void aFailureIsAStatus(int httpStatus, int code) {
    OtlpReply protobuf =
        OtlpMetricsReceiver.failure(OtlpEncoding.PROTOBUF, httpStatus, "ü expected");
    assertThat(protobuf.httpStatus()).isEqualTo(httpStatus);
    assertThat(RpcStatus.parse(protobuf.body())).isEqualTo(new RpcStatus(code, "ü expected"));
    OtlpReply json = OtlpMetricsReceiver.failure(OtlpEncoding.JSON, httpStatus, "ü expected");
    assertThat(text(json)).isEqualTo("{\"code\":" + code + ",\"message\":\"ü expected\"}");
  }

  private static String text(OtlpReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }
}
