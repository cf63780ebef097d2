package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScrapeRefusalTest {
  @Test
  void onlyGetAndHeadMayBeUsed() {
    assertThat(ScrapeRefusal.ofMethod("GET")).isNull();
    assertThat(ScrapeRefusal.ofMethod("HEAD")).isNull();
    for (String method : new String[] {"POST", "OPTIONS", "TRACE", "get", "", "GET\r\nX: y"}) {
      ScrapeRefusal refusal = Objects.requireNonNull(ScrapeRefusal.ofMethod(method), method);
      assertThat(refusal.status()).isEqualTo(405);
      assertThat(refusal.headerName() + ": " + refusal.headerValue()).isEqualTo("Allow: GET, HEAD");
      assertThat(refusal.message()).startsWith("expected GET or HEAD, found ").doesNotContain("\n");
    }
  }

  @Test
  void aPathIsQuotedWithoutWhatCouldDoHarm() {
    ScrapeRefusal refusal = ScrapeRefusal.ofPath("/\u001b[2Jé" + "x".repeat(500), "/metrics");
    assertThat(refusal.status()).isEqualTo(404);
    assertThat(refusal.headerName()).isEmpty();
    assertThat(refusal.message())
        .startsWith("expected /metrics, found /?[2J?xxx")
        .endsWith("x...")
        .hasSizeLessThan(200);
  }

  @Test
  void aFailureIs503OnlyWhereComingBackHelps() {
    ScrapeRefusal busy = ScrapeRefusal.ofFailure(new ScrapeUnavailableException("too busy"));
    assertThat(busy).isEqualTo(new ScrapeRefusal(503, "Retry-After", "1", "too busy"));
    ScrapeRefusal failed = ScrapeRefusal.ofFailure(new IllegalStateException("a secret"));
    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.message()).doesNotContain("secret");
  }

  @Test
  void missingCredentialsAreAskedFor() {
    ScrapeRefusal refusal = ScrapeRefusal.ofCredentials("metrics");
    assertThat(refusal.status()).isEqualTo(401);
    assertThat(refusal.headerName() + ": " + refusal.headerValue())
        .isEqualTo("WWW-Authenticate: Basic realm=\"metrics\", charset=\"UTF-8\"");
  }
}
