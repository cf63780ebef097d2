package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.model.Problems;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ScrapeHandlerOptionsTest {
  private final ScrapeHandlerOptions defaults = ScrapeHandlerOptions.defaults();

  @Test
  void eachChangeLeavesTheOthers() {
    Problems problems = new Problems();
    LongSupplier clock = () -> 7;
    assertThat(
            defaults
                .withMaxIdleEncoders(1)
                .withMaxWaitMillis(2)
                .withMaxScrapes(3)
                .withCacheMillis(4)
                .withCacheBytes(5)
                .withCompression(Compression.ZLIB)
                .withNanoClock(clock)
                .withProblems(problems))
        .isEqualTo(new ScrapeHandlerOptions(1, 2, 3, 4, 5, Compression.ZLIB, clock, problems));
  }

  @Test
  void theDefaults() {
    assertThat(defaults.maxWaitMillis()).isEqualTo(5_000);
    assertThat(defaults.cacheMillis()).isZero();
  }

  @Test
  void valuesOutOfTheirBoundsAreRefusedByName() {
    Map<String, Runnable> mistakes =
        Map.of(
            "maxIdleEncoders: expected 1 or more, found 0", () -> defaults.withMaxIdleEncoders(0),
            "maxWaitMillis: expected 1 to 86400000, found 0", () -> defaults.withMaxWaitMillis(0),
            "maxWaitMillis: expected 1 to 86400000, found 5000000000",
                () -> defaults.withMaxWaitMillis(5_000_000_000L),
            "maxScrapes: expected 1 or more, found -1", () -> defaults.withMaxScrapes(-1),
            "cacheMillis: expected 0 to 86400000, found -1", () -> defaults.withCacheMillis(-1),
            "cacheBytes: expected 1 or more, found 0", () -> defaults.withCacheBytes(0));
    mistakes.forEach(
        (message, mistake) ->
            assertThatIllegalArgumentException().isThrownBy(mistake::run).withMessage(message));
  }
}
