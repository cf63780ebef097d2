package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which sets of attributes are one series. */
class AttributesTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  private final OtlpMetricsReceiver receiver =
      new OtlpMetricsReceiver(table, chunks.pool(), problems);

  @Test
  void theOrderDoesNotMatter() {
    for (int size : new int[] {2, 5, 64, 65, 200}) {
      List<KeyValue> attributes = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        attributes.add(Points.pair("key" + i, size + "v" + i));
      }
      int before = table.seriesCount();
      for (int seed = 0; seed < 10; seed++) {
        Collections.shuffle(attributes, new Random(seed));
        receive(attributes);
        assertThat(table.seriesCount()).as("%d attributes", size).isEqualTo(before + 1);
      }
    }
  }

  @Test
  void theTypeOfAValueMatters() {
    receive(List.of(value("k", AnyValue.newBuilder().setStringValue("1"))));
    receive(List.of(value("k", AnyValue.newBuilder().setIntValue(1))));
    receive(List.of(value("k", AnyValue.newBuilder().setDoubleValue(1))));
    receive(List.of(value("k", AnyValue.newBuilder().setBoolValue(true))));
    receive(List.of(value("k", AnyValue.newBuilder())));
    receive(List.of(value("k", AnyValue.newBuilder().setStringValue(""))));
    assertThat(table.seriesCount()).isEqualTo(6);
    receive(List.of(KeyValue.newBuilder().setKey("k").build()));
    assertThat(table.seriesCount()).isEqualTo(6);
  }

  @Test
  void ofOneKeyTheLastHolds() {
    receive(List.of(Points.pair("a", "1"), Points.pair("b", "2"), Points.pair("a", "3")));
    receive(List.of(Points.pair("a", "3"), Points.pair("b", "2")));
    assertThat(table.seriesCount()).isEqualTo(1);
    // The same twice is neither a set of one nor of two others.
    receive(List.of(Points.pair("a", "3"), Points.pair("a", "3")));
    receive(List.of(Points.pair("a", "3")));
    assertThat(table.seriesCount()).isEqualTo(2);
  }

  @Test
  void referencesToTextsOfProfilesAreIgnored() {
    receive(List.of(value("k", AnyValue.newBuilder().setStringValueStrindex(5))));
    receive(List.of(value("k", AnyValue.newBuilder()).toBuilder().setKeyStrindex(9).build()));
    assertThat(table.seriesCount()).isEqualTo(1);
  }

  @Test
  void keysAndValuesMayBeOddOrEmpty() {
    List<KeyValue> attributes = new ArrayList<>();
    for (String key : List.of("", "a..b", "2xx", "_x", "__x", "a:b", "😀")) {
      attributes.add(Points.pair(key, "\u0000\n\"\\" + key));
    }
    receive(attributes);
    receive(List.of());
    Map<String, String> lines = TableText.of(table);
    assertThat(lines).hasSize(2);
    for (KeyValue attribute : attributes) {
      assertThat(lines.keySet())
          .anyMatch(
              line ->
                  line.contains(attribute.getKey() + "=" + attribute.getValue().getStringValue()));
    }
  }

  private void receive(List<KeyValue> attributes) {
    NumberDataPoint.Builder point = Points.number(1, 2, 3).addAllAttributes(attributes);
    OtlpReply reply =
        receiver.receive(
            OtlpEncoding.PROTOBUF,
            Payloads.of(chunks.pool(), Points.request(Points.gauge(point)).toByteArray()));
    assertThat(reply).isSameAs(OtlpReplies.success(OtlpEncoding.PROTOBUF));
  }

  private static KeyValue value(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }
}
