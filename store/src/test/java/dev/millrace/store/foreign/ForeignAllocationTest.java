package dev.millrace.store.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.store.foreign.ForeignWriter.Format;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a warm scrape of ten processes allocates, the encoder's share included. */
class ForeignAllocationTest {
  private static final long MOST_BYTES_A_SCRAPE = 32 * 1024;
  private static final int PROCESSES = 10;
  private static final int STATEMENTS = 150;

  @TempDir Path directory;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final MetricEncoder text =
      new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems())
          .encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"RUBY_4", "PYTHON_16", "MMAP"})
  void aWarmScrapeAllocatesLittle(Format format) throws Exception {
    for (int pid = 0; pid < PROCESSES; pid++) {
      String name = format.ruby ? "metric_wait___" + pid + ".bin" : "histogram_" + pid + "-0.db";
      try (ForeignWriter writer = new ForeignWriter(directory.resolve(name), format)) {
        for (int i = 0; i < STATEMENTS; i++) {
          String statement = "SELECT a FROM t" + i + " WHERE x IN (" + "?, ".repeat(10 + i % 40);
          for (String le : new String[] {"0.005", "0.05", "0.5", "5", "+Inf"}) {
            Map<String, String> labels = Map.of("db", "x", "statement", statement, "le", le);
            writer.set(writer.key("wait", "wait_bucket", labels, "Help."), 3, 1.7e9);
          }
        }
      }
    }
    Files.writeString(
        directory.resolve("metrics.json"), "[{\"name\":\"wait\",\"type\":\"histogram\"}]");
    // A directory that changed just now is listed at each scrape.
    Files.setLastModifiedTime(directory, FileTime.fromMillis(1_700_000_000_000L));
    try (ForeignSource source = ForeignSource.of(directory)) {
      assertThat(scrape(source)).contains("wait_bucket{", "statement=\"SELECT a FROM t149 WHERE");
      assertThat(AllocationMeter.bytesPerOperation(20, 10, () -> encode(source).close()))
          .isLessThanOrEqualTo(MOST_BYTES_A_SCRAPE);
    }
  }

  private String scrape(ForeignSource source) {
    try (Payload payload = encode(source)) {
      return new String(payload.toByteArray(), StandardCharsets.UTF_8);
    }
  }

  private Payload encode(ForeignSource source) {
    try (MetricCursor cursor = source.open();
        ChunkWriter out = new ChunkWriter(chunks.pool())) {
      text.encode(cursor, out);
      return out.finish();
    }
  }
}
