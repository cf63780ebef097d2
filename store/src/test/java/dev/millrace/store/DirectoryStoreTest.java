package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The instruments of a store in a directory. */
class DirectoryStoreTest extends InstrumentContract {
  @TempDir Path directory;

  @Override
  MetricStore newStore(StoreOptions options) {
    return MetricStore.open(directory.resolve("made/here"), options);
  }

  @Override
  String processLabel() {
    return "{pid=worker}";
  }

  @Test
  void severalStoresOfOneJvmShareADirectory() {
    MetricStore first = open();
    MetricStore second = open();
    first.counter("c").create().add(1);
    second.counter("c").create().add(2);
    first.gauge("g").create().set(1);
    second.gauge("g").create().set(2);
    assertThat(first.retire()).isZero();
    assertThat(Samples.of(first))
        .isEqualTo(Samples.of(second))
        .containsEntry("c", "3")
        .containsEntry("g{pid=worker}", "1.0")
        .containsEntry("g{pid=worker-2}", "2.0");
    second.close();
    assertThat(Samples.of(first)).containsEntry("c", "3").doesNotContainKey("g{pid=worker-2}");
    assertThat(first.retire()).isEqualTo(1);
    assertThat(first.retire()).isZero();
    assertThat(Samples.of(first)).containsEntry("c", "3").containsEntry("g{pid=worker}", "1.0");
  }
}
