package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process writes, another reads; then the first is killed, and its values stay. */
class TwoProcessesTest {
  /** Records, tells that it has, and waits to be killed; it leaves retirement to the test. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws Exception {
      MetricStore store =
          MetricStore.open(
              Path.of(arguments[0]),
              StoreOptions.builder()
                  .processName(arguments[1])
                  .retireInterval(Duration.ZERO)
                  .build());
      Counter orders = store.counter("orders").help("Orders taken.").labelNames("kind").create();
      Counter.Series cash = orders.labels("cash");
      for (int i = 0; i < 1000; i++) {
        cash.increment();
      }
      store.histogram("latency").unit("s").create().observe(0.3);
      store.gauge("heap").unit("By").create().set(5);
      store.gauge("top").max().create().set(Integer.parseInt(arguments[2]));
      System.out.println("recorded");
      System.in.read();
    }
  }

  @TempDir Path directory;

  @Test
  void valuesOfALivingAndOfAKilledProcess() throws Exception {
    try (ChildJvm first = ChildJvm.start(Writer.class, directory.toString(), "one", "7");
        ChildJvm second = ChildJvm.start(Writer.class, directory.toString(), "one", "9");
        StoreSource source = StoreSource.of(directory)) {
      assertThat(first.readLine()).isEqualTo("recorded");
      assertThat(second.readLine()).isEqualTo("recorded");
      assertThat(Samples.of(source))
          .containsEntry("orders{kind=cash}", "2000")
          .containsEntry("latency_count", "2")
          .containsEntry("latency_sum", "0.6")
          .containsEntry("heap{pid=one}", "5.0")
          .containsEntry("heap{pid=one-2}", "5.0")
          .containsEntry("top", "9.0");

      second.kill();
      assertThat(Samples.of(source))
          .containsEntry("orders{kind=cash}", "2000")
          .hasEntrySatisfying("top", value -> assertThat(value).isEqualTo("9.0"));
      assertThat(Samples.of(source).keySet()).filteredOn(key -> key.startsWith("heap")).hasSize(1);

      assertThat(source.retire()).isEqualTo(1);
      assertThat(Samples.of(source))
          .containsEntry("orders{kind=cash}", "2000")
          .containsEntry("latency_sum", "0.6")
          .containsEntry("top", "9.0");
      assertThat(source.problems().kinds()).isEmpty();

      first.kill();
      try (MetricStore store =
          MetricStore.open(
              directory, StoreOptions.builder().retireInterval(Duration.ZERO).build())) {
        assertThat(store.retire()).isEqualTo(1);
        assertThat(Samples.of(store))
            .containsEntry("orders{kind=cash}", "2000")
            .containsEntry("latency_bucket6", "2")
            .containsEntry("top", "9.0")
            .noneSatisfy((key, value) -> assertThat(key).startsWith("heap"));
      }
      assertThat(files()).hasSize(5);
    }
  }

  /**
   * Totals, the two locks of the directory, and the file and lock of the store that was closed just
   * now.
   */
  private List<String> files() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
