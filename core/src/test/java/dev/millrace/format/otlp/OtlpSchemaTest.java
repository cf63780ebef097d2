package dev.millrace.format.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schema is that of the {@code .proto} files. */
class OtlpSchemaTest {
  private final Set<Descriptor> compared = new HashSet<>();

  @ParameterizedTest
  @EnumSource
  void requestsAreThoseOfTheProtoFiles(OtlpSignal signal) {
    compare(OtlpSchema.request(signal), OtlpRequests.random(signal, 1).getDescriptorForType());
    assertThat(compared).hasSizeGreaterThan(10);
  }

  @Test
  void attributesAreThoseOfTheProtoFiles() {
    compare(OtlpSchema.keyValue(), KeyValue.getDescriptor());
  }

  private void compare(OtlpSchema.Message message, Descriptor descriptor) {
    if (!compared.add(descriptor)) {
      return;
    }
    for (int number = 1; number < OtlpSchema.Message.NUMBERS; number++) {
      assertThat(message.field(number) == null)
          .as("%s, number %d", descriptor.getFullName(), number)
          .isEqualTo(descriptor.findFieldByNumber(number) == null);
    }
    Set<Long> bits = new HashSet<>();
    for (FieldDescriptor expected : descriptor.getFields()) {
      String what = expected.getFullName();
      OtlpSchema.Field field = Objects.requireNonNull(message.field(expected.getNumber()), what);
      assertThat(field.number()).as(what).isEqualTo(expected.getNumber());
      assertThat(field.name()).as(what).isEqualTo(expected.getName());
      assertThat(field.jsonName()).as(what).isEqualTo(expected.getJsonName());
      assertThat(message.field(expected.getJsonName())).as(what).isSameAs(field);
      assertThat(field.isRepeated()).as(what).isEqualTo(expected.isRepeated());
      boolean id =
          expected.getName().endsWith("trace_id") || expected.getName().endsWith("span_id");
      assertThat(field.type().name()).as(what).isEqualTo(id ? "ID" : expected.getType().name());
      assertThat(field.type().wireType()).as(what).isEqualTo(expected.getLiteType().getWireType());
      if (expected.getRealContainingOneof() == null) {
        assertThat(bits.add(field.bit())).as(what).isTrue();
      } else {
        assertThat(field.bit()).as(what).isOne();
      }
      if (expected.getType() == FieldDescriptor.Type.ENUM) {
        assertThat(field.enumNames())
            .as(what)
            .isEqualTo(
                expected.getEnumType().getValues().stream()
                    .map(EnumValueDescriptor::getName)
                    .toList());
      }
      if (expected.getType() == FieldDescriptor.Type.MESSAGE) {
        compare(Objects.requireNonNull(field.message(), what), expected.getMessageType());
      }
    }
  }
}
