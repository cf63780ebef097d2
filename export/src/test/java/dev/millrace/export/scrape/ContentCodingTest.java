package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentCodingTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        "GZip",
        "x-gzip",
        "gzip;q=1.0, identity; q=0.5, *;q=0",
        "deflate, gzip;q=0.001",
        "br, zstd, gzip",
        "identity, gzip",
        "gzip;q=1.000",
        "*;q=0,gzip",
      })
  void gzip(String header) {
    assertThat(ContentCoding.of(header)).isEqualTo(ContentCoding.GZIP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "identity",
        "deflate",
        "gzip;q=0",
        "gzip;q=0.000",
        "gzip; q=0.4, identity;q=0.5",
        "gzipped",
        "*;q=0",
        "identity;q=0",
      })
  void identity(String header) {
    assertThat(ContentCoding.of(header)).isEqualTo(ContentCoding.IDENTITY);
  }

  @Test
  void withoutAHeaderItIsIdentity() {
    assertThat(ContentCoding.of(null)).isEqualTo(ContentCoding.IDENTITY);
  }
}
