package dev.millrace.store.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.store.Counter;
import dev.millrace.store.MetricStore;
import dev.millrace.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees of a directory with one living and one dead process. */
class StoreToolTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  @TempDir Path directory;
  private final StringBuilder out = new StringBuilder();

  private MetricStore open(String name) {
    MetricStore store =
        MetricStore.open(
            directory,
            StoreOptions.builder()
                .processName(name)
                .retireInterval(Duration.ZERO)
                .clock(() -> 1_700_000_000_000L)
                .build());
    Counter counter = store.counter("c").unit("By").labelNames("k").exemplars().create();
    counter.labels("a\"b").add(3, TRACE, SPAN);
    store.histogram("h").bounds(1, 2).exemplars().create().labels().observe(1.5, TRACE, SPAN);
    store.histogram("e").exponential(2, 10).create().observe(1.5);
    store.gauge("g").sum().create().set(0.5);
    return store;
  }

  private StoreTool tool() {
    out.setLength(0);
    return new StoreTool(directory, out);
  }

  @Test
  void aDirectoryThroughItsLife() throws IOException {
    try (MetricStore living = open("living")) {
      open("dead").close();
      tool().list();
      assertThat(out.toString())
          .containsPattern("living\\.\\S+ +live +" + ProcessHandle.current().pid())
          .containsPattern("dead\\.\\S+ +dead +\\d+ 2023-11-14T22:13:20Z +4 ");

      assertThat(tool().dump()).isEqualTo(4);
      assertThat(out.toString())
          .contains("# c sum in By\nc{k=\"a\\\"b\"} 6\n")
          .contains("  exemplar 3.0 at 1700000000000 trace " + TRACE + " span " + SPAN + "\n")
          .contains("h count 2 sum 3 buckets 0 2 0\n")
          .contains("  exemplar 1.5 at 1700000000000 trace " + TRACE + " span " + SPAN + "\n")
          .contains("e count 2 sum 3 scale 2 zero 0 from 2 2\n")
          .contains("g 1\n");

      assertThat(tool().check()).isZero();
      assertThat(out.toString()).isEqualTo("2 files checked, 0 not whole\n");

      assertThat(tool().retire()).isEqualTo(1);
      assertThat(out.toString())
          .isEqualTo("1 folded, 0 to go\n1 dead processes folded into the totals\n");
      tool().list();
      assertThat(out.toString()).containsPattern("totals\\.mill +totals ").doesNotContain("dead");
      tool().dump();
      assertThat(out.toString()).contains("c{k=\"a\\\"b\"} 6\n").contains("g 1\n");
      assertThat(living.problems().kinds()).isEmpty();
    }
  }

  @Test
  void checkNamesWhatIsNotWhole() throws IOException {
    open("dead").close();
    Files.write(directory.resolve("stray.mill"), new byte[100]);
    assertThat(tool().check()).isEqualTo(1);
    assertThat(out.toString()).contains("stray.mill: expected a header").contains("2 files");
  }

  @Test
  void aDirectoryThatIsNotThere() {
    directory = directory.resolve("nowhere");
    assertThatThrownBy(() -> tool().list()).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> tool().dump()).isInstanceOf(NoSuchFileException.class);
  }
}
