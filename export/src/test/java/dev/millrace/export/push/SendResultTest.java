package dev.millrace.export.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SendResultTest {
  @Test
  void aReasonIsOneBoundedLine() {
    String page = "HTTP 500: <html>\r\n\u001b[31mred\u2028next" + "x".repeat(10_000);
    String reason = SendResult.fatal(500, "500", page).reason();
    assertThat(reason)
        .startsWith("HTTP 500: <html>   [31mred next")
        .hasSize(SendResult.MAX_REASON_CHARS);
  }

  @Test
  void everythingElseStaysWhereOnePartChanges() {
    SendResult result =
        SendResult.retryable(503, "503", "busy")
            .withRetryAfterMillis(7)
            .withBody(new byte[] {1, 2})
            .withHeaders(Map.of("x-written", "3"));
    assertThat(result.kind()).isEqualTo(SendResult.Kind.RETRYABLE);
    assertThat(result.statusCode()).isEqualTo(503);
    assertThat(result.errorType()).isEqualTo("503");
    assertThat(result.reason()).isEqualTo("busy");
    assertThat(result.retryAfterMillis()).isEqualTo(7);
    assertThat(result.body()).containsExactly(1, 2);
    assertThat(result.header("x-written")).isEqualTo("3");
    assertThat(result.header("x-other")).isNull();
  }
}
