package dev.millrace.opentelemetry;

import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiConsumer;

/** Makes labels of the SDK's attributes. Guarded by the source's lock. */
final class AttributeLabels implements BiConsumer<AttributeKey<?>, Object> {
  private final Labels.Builder builder = new Labels.Builder();

  Labels of(Attributes attributes) {
    builder.clear();
    attributes.forEach(this);
    return builder.build();
  }

  /** Takes one attribute, called by {@link Attributes#forEach}. */
  @Override
  public void accept(AttributeKey<?> key, Object value) {
    put(key.getKey(), value);
  }

  private void put(String key, Object value) {
    if (value instanceof String text) {
      builder.put(key, text);
    } else if (value instanceof Boolean flag) {
      builder.put(key, flag.booleanValue());
    } else if (value instanceof Long number) {
      builder.put(key, number.longValue());
    } else if (value instanceof Double number) {
      builder.put(key, number.doubleValue());
    } else if (value instanceof List<?> values) {
      builder.put(key, LabelType.ARRAY, AnyValueBytes.arrayValue(values));
    } else if (value instanceof Value<?> any) {
      putValue(key, any);
    } else {
      builder.put(key, value.toString());
    }
  }

  private void putValue(String key, Value<?> value) {
    switch (value.getType()) {
      case ARRAY ->
          builder.put(key, LabelType.ARRAY, AnyValueBytes.arrayValue((List<?>) value.getValue()));
      case KEY_VALUE_LIST ->
          builder.put(key, LabelType.MAP, AnyValueBytes.keyValueList((List<?>) value.getValue()));
      case BYTES ->
          builder.put(key, LabelType.BYTES, AnyValueBytes.bytes((ByteBuffer) value.getValue()));
      case EMPTY -> builder.put(key, LabelType.EMPTY, new byte[0]);
      case STRING, BOOLEAN, LONG, DOUBLE -> put(key, value.getValue());
    }
  }
}
