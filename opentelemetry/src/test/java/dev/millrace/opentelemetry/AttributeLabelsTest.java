package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttributeLabelsTest {
  private final AttributeLabels labels = new AttributeLabels();

  @Test
  void keepsPlainValuesWithTheirTypes() {
    Labels made =
        labels.of(
            Attributes.builder()
                .put("text", "ä\"\n")
                .put("empty", "")
                .put("flag", true)
                .put("whole", Long.MIN_VALUE)
                .put("share", -0.0)
                .build());
    assertThat(made)
        .isEqualTo(
            new Labels.Builder()
                .put("text", "ä\"\n")
                .put("empty", "")
                .put("flag", true)
                .put("whole", Long.MIN_VALUE)
                .put("share", -0.0)
                .build());
  }

  @Test
  void forgetsTheAttributesBefore() {
    labels.of(Attributes.builder().put("a", 1).build());
    assertThat(labels.of(Attributes.empty())).isSameAs(Labels.EMPTY);
    assertThat(labels.of(Attributes.builder().put("b", "2").build()))
        .isEqualTo(Labels.of("b", "2"));
  }

  @Test
  void writesArraysAsOtlpDoes() throws Exception {
    Attributes attributes =
        Attributes.builder()
            .put(AttributeKey.stringArrayKey("s"), Arrays.asList("a", null, "", "ä"))
            .put(AttributeKey.booleanArrayKey("b"), List.of(true, false))
            .put(AttributeKey.longArrayKey("l"), List.of(0L, 300L, -1L, Long.MIN_VALUE))
            .put(AttributeKey.doubleArrayKey("d"), List.of(0.0, -1.5, Double.NaN))
            .put(AttributeKey.longArrayKey("none"), List.of())
            .build();
    Labels made = labels.of(attributes);

    assertThat(array(made, "s"))
        .isEqualTo(
            ArrayValue.newBuilder()
                .addValues(AnyValue.newBuilder().setStringValue("a"))
                .addValues(AnyValue.newBuilder())
                .addValues(AnyValue.newBuilder().setStringValue(""))
                .addValues(AnyValue.newBuilder().setStringValue("ä"))
                .build());
    assertThat(array(made, "b"))
        .isEqualTo(
            ArrayValue.newBuilder()
                .addValues(AnyValue.newBuilder().setBoolValue(true))
                .addValues(AnyValue.newBuilder().setBoolValue(false))
                .build());
    assertThat(array(made, "l"))
        .isEqualTo(
            ArrayValue.newBuilder()
                .addValues(AnyValue.newBuilder().setIntValue(0))
                .addValues(AnyValue.newBuilder().setIntValue(300))
                .addValues(AnyValue.newBuilder().setIntValue(-1))
                .addValues(AnyValue.newBuilder().setIntValue(Long.MIN_VALUE))
                .build());
    assertThat(array(made, "d"))
        .isEqualTo(
            ArrayValue.newBuilder()
                .addValues(AnyValue.newBuilder().setDoubleValue(0))
                .addValues(AnyValue.newBuilder().setDoubleValue(-1.5))
                .addValues(AnyValue.newBuilder().setDoubleValue(Double.NaN))
                .build());
    assertThat(array(made, "none")).isEqualTo(ArrayValue.getDefaultInstance());
  }

  @Test
  void keepsValuesOfEveryTypeThatAnyValueHas() throws Exception {
    Value<?> inner =
        Value.of(
            KeyValue.of("list", Value.of(Value.of(1), Value.of("two"), Value.empty())),
            KeyValue.of("bytes", Value.of(new byte[] {1, 2})),
            KeyValue.of("map", Value.of(KeyValue.of("", Value.of(false)))),
            KeyValue.of("share", Value.of(0.5)));
    Attributes attributes =
        Attributes.builder()
            .put(AttributeKey.valueKey("map"), inner)
            .put(AttributeKey.valueKey("array"), Value.of(Value.of(1), inner))
            .put(AttributeKey.valueKey("bytes"), Value.of(new byte[] {-1, 0, 7}))
            .put(AttributeKey.valueKey("empty"), Value.empty())
            .put(AttributeKey.valueKey("text"), Value.of("t"))
            .put(AttributeKey.valueKey("flag"), Value.of(true))
            .put(AttributeKey.valueKey("whole"), Value.of(7))
            .put(AttributeKey.valueKey("share"), Value.of(0.25))
            .build();
    Labels made = labels.of(attributes);

    KeyValueList expectedMap =
        KeyValueList.newBuilder()
            .addValues(
                pair(
                    "list",
                    AnyValue.newBuilder()
                        .setArrayValue(
                            ArrayValue.newBuilder()
                                .addValues(AnyValue.newBuilder().setIntValue(1))
                                .addValues(AnyValue.newBuilder().setStringValue("two"))
                                .addValues(AnyValue.newBuilder()))))
            .addValues(
                pair(
                    "bytes",
                    AnyValue.newBuilder()
                        .setBytesValue(com.google.protobuf.ByteString.copyFrom(new byte[] {1, 2}))))
            .addValues(
                pair(
                    "map",
                    AnyValue.newBuilder()
                        .setKvlistValue(
                            KeyValueList.newBuilder()
                                .addValues(pair("", AnyValue.newBuilder().setBoolValue(false))))))
            .addValues(pair("share", AnyValue.newBuilder().setDoubleValue(0.5)))
            .build();
    assertThat(made.type(made.indexOf("map"))).isEqualTo(LabelType.MAP);
    assertThat(KeyValueList.parseFrom(value(made, "map"))).isEqualTo(expectedMap);
    assertThat(value(made, "map")).isEqualTo(expectedMap.toByteArray());
    assertThat(array(made, "array"))
        .isEqualTo(
            ArrayValue.newBuilder()
                .addValues(AnyValue.newBuilder().setIntValue(1))
                .addValues(AnyValue.newBuilder().setKvlistValue(expectedMap))
                .build());
    assertThat(made.type(made.indexOf("bytes"))).isEqualTo(LabelType.BYTES);
    assertThat(value(made, "bytes")).containsExactly(-1, 0, 7);
    assertThat(made.type(made.indexOf("empty"))).isEqualTo(LabelType.EMPTY);
    assertThat(value(made, "empty")).isEmpty();
    assertThat(made.text(made.indexOf("text"))).isEqualTo("t");
    assertThat(made.booleanValue(made.indexOf("flag"))).isTrue();
    assertThat(made.longValue(made.indexOf("whole"))).isEqualTo(7);
    assertThat(made.doubleValue(made.indexOf("share"))).isEqualTo(0.25);
  }

  @Test
  void cutsValuesThatLieTooDeepWithinEachOther() throws Exception {
    Value<?> value = Value.of("core");
    for (int i = 0; i < 5_000; i++) {
      value = Value.of(KeyValue.of("k", value));
    }
    Labels made = labels.of(Attributes.builder().put(AttributeKey.valueKey("deep"), value).build());

    // protobuf-java refuses messages that lie more than 100 deep, so the whole request must parse.
    ExportMetricsServiceRequest request =
        requestWith(
            pair(
                "deep",
                AnyValue.newBuilder().setKvlistValue(KeyValueList.parseFrom(value(made, "deep")))));
    AnyValue deepest =
        ExportMetricsServiceRequest.parseFrom(request.toByteArray())
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetrics(0)
            .getSum()
            .getDataPoints(0)
            .getAttributes(0)
            .getValue();
    int depth = 0;
    while (deepest.hasKvlistValue()) {
      deepest = deepest.getKvlistValue().getValues(0).getValue();
      depth++;
    }
    assertThat(deepest).isEqualTo(AnyValue.getDefaultInstance());
    assertThat(depth).isEqualTo(AnyValueBytes.MAX_DEPTH + 1);
  }

  private static ExportMetricsServiceRequest requestWith(
      io.opentelemetry.proto.common.v1.KeyValue attribute) {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .addScopeMetrics(
                    ScopeMetrics.newBuilder()
                        .addMetrics(
                            Metric.newBuilder()
                                .setSum(
                                    Sum.newBuilder()
                                        .addDataPoints(
                                            NumberDataPoint.newBuilder()
                                                .addAttributes(attribute))))))
        .build();
  }

  @Test
  void replacesUnpairedSurrogates() {
    Labels made =
        labels.of(
            Attributes.builder()
                .put("a", "\ud800")
                .put(AttributeKey.stringArrayKey("b"), List.of("\udc00!"))
                .build());
    assertThat(made.text(made.indexOf("a"))).isEqualTo("\ufffd");
    assertThat(new String(value(made, "b"), StandardCharsets.UTF_8)).endsWith("\ufffd!");
  }

  private static io.opentelemetry.proto.common.v1.KeyValue pair(
      String key, AnyValue.Builder value) {
    return io.opentelemetry.proto.common.v1.KeyValue.newBuilder()
        .setKey(key)
        .setValue(value)
        .build();
  }

  /** Parsed, and checked to be byte for byte what protobuf-java writes. */
  private static ArrayValue array(Labels labels, String key) throws Exception {
    assertThat(labels.type(labels.indexOf(key))).isEqualTo(LabelType.ARRAY);
    ArrayValue parsed = ArrayValue.parseFrom(value(labels, key));
    assertThat(value(labels, key)).isEqualTo(parsed.toByteArray());
    return parsed;
  }

  private static byte[] value(Labels labels, String key) {
    int index = labels.indexOf(key);
    return Arrays.copyOfRange(labels.bytes(), labels.valueStart(index), labels.valueEnd(index));
  }
}
