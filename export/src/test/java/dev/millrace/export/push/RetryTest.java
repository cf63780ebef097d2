package dev.millrace.export.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class RetryTest {
  @Test
  void pausesGrowUpToTheLongest() {
    Retry retry = Retry.defaults();
    assertThat(retry.maxAttempts()).isEqualTo(5);
    assertThat(retry.pauseMillis(1, 0.5)).isEqualTo(1_000);
    assertThat(retry.pauseMillis(2, 0.5)).isEqualTo(1_500);
    assertThat(retry.pauseMillis(3, 0.5)).isEqualTo(2_250);
    assertThat(retry.pauseMillis(4, 0.5)).isEqualTo(3_375);
    assertThat(retry.pauseMillis(9, 0.5)).isEqualTo(5_000);
    assertThat(retry.pauseMillis(100_000, 0.5)).isEqualTo(5_000);
  }

  @Test
  void aPauseIsAFifthLongerOrShorter() {
    assertThat(Retry.defaults().pauseMillis(1, 0)).isEqualTo(800);
    assertThat(Retry.defaults().pauseMillis(1, 1)).isEqualTo(1_200);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Retry(0, 1, 1, 1, 0))
        .withMessageContaining("maxAttempts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Retry(1, 2, 1, 1, 0))
        .withMessageContaining("maxBackoffMillis");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Retry(1, 1, 1, Double.NaN, 0))
        .withMessageContaining("backoffMultiplier");
  }
}
