package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.RandomMessages;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProtobufWriterTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final ProtobufWriter out = new ProtobufWriter(chunks.pool());

  @AfterEach
  void close() {
    out.close();
  }

  @Test
  void writesTheBytesThatProtobufWrites() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
      new RandomMessages(random, random.nextInt(1, 5)).fill(request, 8);
      assertThat(write(request.build()))
          .as("seed %d", seed)
          .isEqualTo(request.build().toByteArray());
    }
  }

  @Test
  void writesMessagesThatEndAnywhereInAChunk() {
    // The lengths of all open messages lie about the end of a chunk, and each is guessed wrong
    // once.
    for (int before = 0; before < 1_400; before += 17) {
      int padding = Chunk.SIZE_BYTES - 1_300 + before;
      for (int content : new int[] {0, 100, 127, 128, 300, 16_384, 70_000, 140_000}) {
        AnyValue.Builder value =
            AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(new byte[content]));
        for (int i = 0; i < 20; i++) {
          value = AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(value));
        }
        ArrayValue whole =
            ArrayValue.newBuilder()
                .addValues(
                    AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(new byte[padding])))
                .addValues(value)
                .addValues(AnyValue.newBuilder().setIntValue(7))
                .build();
        assertThat(write(whole))
            .as("padding %d, content %d", padding, content)
            .isEqualTo(whole.toByteArray());
      }
    }
  }

  @Test
  void writesTheDeepestNestingAtTheEndOfAChunk() throws Exception {
    for (int content : new int[] {0, 40_000, 200_000}) {
      out.writeBytes(1, new byte[Chunk.SIZE_BYTES - 1_100], 0, Chunk.SIZE_BYTES - 1_100);
      for (int i = 0; i < ProtobufWriter.MAX_DEPTH; i++) {
        out.begin(2);
      }
      out.writeRaw(new byte[content], 0, content);
      for (int i = 0; i < ProtobufWriter.MAX_DEPTH; i++) {
        out.end();
      }
      try (Payload payload = out.finish()) {
        ProtobufReader reader = new ProtobufReader();
        reader.reset(payload);
        assertThat(reader.readTag()).isEqualTo(1 << 3 | 2);
        reader.seek(reader.readLength() + reader.positionBytes());
        for (int i = 0; i < ProtobufWriter.MAX_DEPTH; i++) {
          assertThat(reader.readTag()).isEqualTo(2 << 3 | 2);
          assertThat(reader.readLength()).isEqualTo(reader.limitBytes() - reader.positionBytes());
        }
        assertThat(reader.limitBytes() - reader.positionBytes()).isEqualTo(content);
      }
    }
  }

  @Test
  void writesLongTextAsUtf8() {
    String text = "a😀é".repeat(50_000);
    out.writeUtf8(1, text);
    AnyValue expected = AnyValue.newBuilder().setStringValue(text).build();
    assertThat(finish()).isEqualTo(expected.toByteArray());
  }

  @Test
  void writesTextOfEveryLengthAsUtf8() {
    for (String unit : List.of("a", "é", "€", "😀", "a😀", "\ud83d")) {
      for (int count = 0; count < 1_100; count += 1 + count / 100) {
        String text = unit.repeat(count);
        out.writeUtf8(1, text);
        String readable = unit.equals("\ud83d") ? "\ufffd".repeat(count) : text;
        AnyValue expected = AnyValue.newBuilder().setStringValue(readable).build();
        assertThat(finish()).as("%s chars of %s", count, unit).isEqualTo(expected.toByteArray());
      }
    }
  }

  @Test
  void writesWhatTheCallerLaysOut() {
    for (int i = 0; i < 100_000; i++) {
      int at = out.reserve(ProtobufWriter.MAX_RESERVE_BYTES);
      out.reservedBytes()[at] = 8;
      out.reservedBytes()[at + 1] = (byte) (i & 0x7f);
      out.advanceTo(at + 2);
    }
    byte[] written = finish();
    assertThat(written).hasSize(200_000);
    for (int i = 0; i < 100_000; i++) {
      assertThat(written[2 * i + 1]).isEqualTo((byte) (i & 0x7f));
    }
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> out.reserve(1025))
        .withMessage("expected to reserve at most 1024 bytes, found 1025; write in parts");
    int at = out.reserve(1);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> out.advanceTo(at - 1))
        .withMessage("expected an offset from 0 to 65024, found -1; reserve first");
    out.close();
  }

  @Test
  void allocatesNothingForLongText() throws Exception {
    String text = "aé".repeat(2_000);
    long bytes =
        AllocationMeter.bytesPerOperation(
            500,
            100,
            () -> {
              out.writeUtf8(1, text);
              out.finish().close();
            });
    assertThat(bytes).isLessThanOrEqualTo(40);
  }

  @Test
  void countsItsBytes() {
    out.begin(1);
    out.writeVarint(1, 300);
    assertThat(out.lengthBytes()).isEqualTo(5);
    out.end();
    out.writeFixed32(2, -1);
    assertThat(out.lengthBytes()).isEqualTo(10);
    assertThat(finish()).hasSize(10);
    assertThat(out.lengthBytes()).isZero();
  }

  @Test
  void refusesTheWrongOrderOfCalls() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(out::end)
        .withMessage("expected an open message to end, found none; call begin");
    out.begin(1);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(out::finish)
        .withMessage("expected every message to be ended, found 1 open; call end");
    for (int i = 1; i < ProtobufWriter.MAX_DEPTH; i++) {
      out.begin(1);
    }
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> out.begin(1))
        .withMessage("expected messages at most 128 deep, found one more");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> out.writeVarint(0, 1))
        .withMessage("expected a field number from 1 to 536870911, found 0");
  }

  @Test
  void givesBackWhatWasNotFinished() {
    out.begin(1);
    out.writeRaw(new byte[200_000], 0, 200_000);
    assertThat(chunks.pool().outstandingChunks()).isEqualTo(4);
    out.close();
    assertThat(chunks.pool().outstandingChunks()).isZero();
    out.writeVarint(1, 1);
    assertThat(finish()).containsExactly(8, 1);
  }

  @Test
  void allocatesNothingButThePayload() throws Exception {
    byte[] text = new byte[100];
    long bytes =
        AllocationMeter.bytesPerOperation(
            500,
            100,
            () -> {
              for (int i = 0; i < 1_000; i++) {
                out.begin(1);
                out.writeBytes(1, text, 0, i % 100);
                out.begin(2);
                out.writeDouble(4, i);
                out.writeZigZag(6, -i);
                out.end();
                out.end();
              }
              out.finish().close();
            });
    assertThat(bytes).isLessThanOrEqualTo(40);
  }

  private byte[] finish() {
    try (Payload payload = out.finish()) {
      return payload.toByteArray();
    }
  }

  private byte[] write(Message message) {
    writeFields(message);
    return finish();
  }

  private void writeFields(Message message) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isPacked()) {
        out.begin(field.getNumber());
        for (Object value : (List<?>) entry.getValue()) {
          if (field.getType() == FieldDescriptor.Type.UINT64) {
            out.writeRawVarint((long) value);
          } else {
            out.writeRawFixed64(
                value instanceof Double d ? Double.doubleToRawLongBits(d) : (long) value);
          }
        }
        out.end();
      } else if (field.isRepeated()) {
        for (Object value : (List<?>) entry.getValue()) {
          writeField(field, value);
        }
      } else {
        writeField(field, entry.getValue());
      }
    }
  }

  private void writeField(FieldDescriptor field, Object value) {
    int number = field.getNumber();
    switch (field.getType()) {
      case MESSAGE -> {
        out.begin(number);
        writeFields((Message) value);
        out.end();
      }
      case STRING -> out.writeUtf8(number, (String) value);
      case BYTES -> {
        byte[] bytes = ((ByteString) value).toByteArray();
        out.writeBytes(number, bytes, 0, bytes.length);
      }
      case DOUBLE -> out.writeDouble(number, (double) value);
      case FIXED64, SFIXED64 -> out.writeFixed64(number, (long) value);
      case SINT32 -> out.writeZigZag(number, (int) value);
      case UINT32 -> out.writeVarint(number, (int) value & 0xffff_ffffL);
      case INT32 -> out.writeVarint(number, (int) value);
      case INT64, UINT64 -> out.writeVarint(number, (long) value);
      case ENUM -> out.writeVarint(number, ((EnumValueDescriptor) value).getNumber());
      case BOOL -> out.writeBoolean(number, (boolean) value);
      default -> throw new AssertionError("no such field in OTLP: " + field);
    }
  }

  @Test
  void rollsBackToAMark() throws Exception {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ArrayValue.Builder expected = ArrayValue.newBuilder();
      out.mark();
      out.begin(1);
      out.writeVarint(2, 1);
      out.rollBack();
      assertThat(out.lengthBytes()).as("seed %d", seed).isZero();
      for (int i = random.nextInt(1, 12); i > 0; i--) {
        boolean kept = random.nextBoolean();
        byte[] content = new byte[random.nextInt(1 << random.nextInt(18))];
        random.nextBytes(content);
        out.mark();
        long before = out.lengthBytes();
        out.begin(1);
        out.begin(5);
        out.begin(1);
        out.writeBytes(7, content, 0, content.length);
        out.end();
        if (kept) {
          out.end();
          out.end();
          AnyValue.Builder value = AnyValue.newBuilder();
          value
              .getArrayValueBuilder()
              .addValuesBuilder()
              .setBytesValue(ByteString.copyFrom(content));
          expected.addValues(value);
        } else {
          // Two messages are open still.
          out.rollBack();
          assertThat(out.lengthBytes()).as("seed %d", seed).isEqualTo(before);
        }
      }
      try (Payload payload = out.finish()) {
        assertThat(payload.toByteArray())
            .as("seed %d", seed)
            .isEqualTo(expected.build().toByteArray());
      }
    }
  }

  @Test
  void rollingBackWithoutAMarkIsAnError() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(out::rollBack)
        .withMessageContaining("call mark first");
    out.begin(1);
    out.mark();
    out.end();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(out::rollBack)
        .withMessageContaining("one that was ended");
  }

  @Test
  void writesFieldsOfKnownLength() throws Exception {
    out.writeLength(5, 300);
    out.writeRaw(new byte[300], 0, 300);
    out.writeLength(77, 0);
    try (Payload payload = out.finish()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(payload.toByteArray());
      assertThat(fields.getField(5).getLengthDelimitedList())
          .containsExactly(ByteString.copyFrom(new byte[300]));
      assertThat(fields.getField(77).getLengthDelimitedList()).containsExactly(ByteString.EMPTY);
    }
  }
}
