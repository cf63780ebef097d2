package dev.millrace.agent.otlp;

import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.List;

/** Makes labels of parsed attributes, the plain way. */
final class ReferenceLabels {
  private ReferenceLabels() {}

  static Labels of(List<KeyValue> attributes) {
    Labels.Builder builder = new Labels.Builder();
    for (KeyValue pair : attributes) {
      AnyValue value = pair.getValue();
      String key = pair.getKey();
      switch (value.getValueCase()) {
        case STRING_VALUE -> builder.put(key, value.getStringValue());
        case BOOL_VALUE -> builder.put(key, value.getBoolValue());
        case INT_VALUE -> builder.put(key, value.getIntValue());
        case DOUBLE_VALUE -> builder.put(key, value.getDoubleValue());
        case BYTES_VALUE -> builder.put(key, LabelType.BYTES, value.getBytesValue().toByteArray());
        case ARRAY_VALUE -> builder.put(key, LabelType.ARRAY, value.getArrayValue().toByteArray());
        case KVLIST_VALUE -> builder.put(key, LabelType.MAP, value.getKvlistValue().toByteArray());
        default -> builder.put(key, LabelType.EMPTY, new byte[0]);
      }
    }
    return builder.build();
  }
}
