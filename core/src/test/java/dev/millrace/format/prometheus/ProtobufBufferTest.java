package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.millrace.bytes.Varint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single fields, as protobuf's own library writes them. */
class ProtobufBufferTest {
  private final ProtobufBuffer buffer = new ProtobufBuffer();

  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private void assertWritten(Fields fields) throws IOException {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(expected);
    fields.write(out);
    out.flush();
    assertThat(Arrays.copyOf(buffer.bytes(), buffer.lengthBytes()))
        .isEqualTo(expected.toByteArray());
  }

  @Test
  void numbers() throws IOException {
    for (int shift = 0; shift < Long.SIZE; shift++) {
      for (long value : new long[] {1L << shift, (1L << shift) - 1, -(1L << shift)}) {
        buffer.clear();
        buffer.writeVarint(16 << 3, value);
        buffer.writeZigZag(5 << 3, value);
        buffer.writeDouble(1 << 3 | 1, Double.longBitsToDouble(value));
        buffer.appendVarint(value);
        assertWritten(
            out -> {
              out.writeUInt64(16, value);
              out.writeSInt64(5, value);
              out.writeFixed64(1, value);
              out.writeUInt64NoTag(value);
            });
        ByteArrayOutputStream varint = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(varint);
        out.writeUInt64NoTag(value);
        out.flush();
        assertThat(Varint.sizeOf(value)).isEqualTo(varint.size());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152})
  void messagesOfAnyLength(int length) throws IOException {
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) 7);
    int outer = buffer.begin(3 << 3 | 2);
    int inner = buffer.begin(16 << 3 | 2);
    buffer.append(content, 0, length);
    buffer.end(inner);
    buffer.writeBytes(2 << 3 | 2, content, 0, length);
    buffer.end(outer);
    ByteArrayOutputStream nested = new ByteArrayOutputStream();
    CodedOutputStream inside = CodedOutputStream.newInstance(nested);
    inside.writeByteArray(16, content);
    inside.writeByteArray(2, content);
    inside.flush();
    assertWritten(out -> out.writeByteArray(3, nested.toByteArray()));
  }

  @Test
  void memoryIsKeptUntilItIsReleased() {
    buffer.append(new byte[100_000], 0, 100_000);
    buffer.clear();
    assertThat(buffer.capacityBytes()).isGreaterThanOrEqualTo(100_000);
    buffer.append(new byte[] {1}, 0, 1);
    buffer.release();
    assertThat(buffer.lengthBytes()).isZero();
    assertThat(buffer.capacityBytes()).isLessThan(1_000);
    buffer.appendVarint(300);
    assertThat(buffer.lengthBytes()).isEqualTo(2);
  }
}
