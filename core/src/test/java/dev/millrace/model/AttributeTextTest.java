package dev.millrace.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ByteArray;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AttributeTextTest {
  @Test
  void textIsAsItIs() {
    assertThat(text(new Labels.Builder().put("k", "a \"b\"\n").build())).isEqualTo("a \"b\"\n");
    assertThat(text(new Labels.Builder().put("k", "").build())).isEmpty();
  }

  @Test
  void booleansAndNumbersAreAsInJson() {
    assertThat(text(new Labels.Builder().put("k", true).build())).isEqualTo("true");
    assertThat(text(new Labels.Builder().put("k", false).build())).isEqualTo("false");
    assertThat(text(new Labels.Builder().put("k", Long.MIN_VALUE).build()))
        .isEqualTo("-9223372036854775808");
    assertThat(text(new Labels.Builder().put("k", 3.14159).build())).isEqualTo("3.14159");
  }

  @Test
  void specialNumbersHaveTheirNames() {
    assertThat(text(new Labels.Builder().put("k", Double.NaN).build())).isEqualTo("NaN");
    assertThat(text(new Labels.Builder().put("k", Double.POSITIVE_INFINITY).build()))
        .isEqualTo("Infinity");
    assertThat(text(new Labels.Builder().put("k", Double.NEGATIVE_INFINITY).build()))
        .isEqualTo("-Infinity");
  }

  @Test
  void bytesAreInBase64() {
    SplittableRandom random = new SplittableRandom(7);
    for (int length = 0; length < 50; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      assertThat(text(of(LabelType.BYTES, bytes)))
          .isEqualTo(Base64.getEncoder().encodeToString(bytes));
    }
  }

  @Test
  void noValueIsNoText() {
    assertThat(text(of(LabelType.EMPTY, new byte[0]))).isEmpty();
  }

  @Test
  void arraysAreJson() {
    byte[] array =
        array(
            varint(3, 1),
            real(Double.NEGATIVE_INFINITY),
            delimited(1, "a\"\\\n\r\t\u0001é".getBytes(UTF_8)),
            varint(2, 1),
            varint(2, 0),
            real(0.5),
            new byte[0],
            delimited(7, "hello".getBytes(UTF_8)),
            delimited(6, map(entry("nested", varint(3, -1)))),
            delimited(5, array()));
    assertThat(text(of(LabelType.ARRAY, array)))
        .isEqualTo(
            "[1,\"-Infinity\",\"a\\\"\\\\\\n\\r\\t\\u0001é\",true,false,0.5,null,\"aGVsbG8=\","
                + "{\"nested\":-1},[]]");
  }

  @Test
  void mapsAreJson() {
    byte[] map = map(entry("a", real(Double.NaN)), entry("b", varint(3, 2)), entry("c"));
    assertThat(text(of(LabelType.MAP, map))).isEqualTo("{\"a\":\"NaN\",\"b\":2,\"c\":null}");
    assertThat(text(of(LabelType.MAP, new byte[0]))).isEqualTo("{}");
  }

  @Test
  void theLastValueOfAOneofCountsAndUnknownFieldsAreSkipped() {
    byte[] value =
        concat(
            varint(3, 1),
            delimited(15, "x".getBytes(UTF_8)),
            varint(3, 2),
            fixed32(14),
            varint(9, 9));
    assertThat(text(of(LabelType.ARRAY, array(value)))).isEqualTo("[2]");
  }

  @Test
  void depthIsBounded() {
    byte[] value = varint(3, 1);
    for (int depth = 0; depth < 1_000; depth++) {
      value = delimited(5, array(value));
    }
    String text = text(of(LabelType.ARRAY, array(value)));
    assertThat(text).isEqualTo("[".repeat(64) + "null" + "]".repeat(64));
    byte[] deepest = varint(3, 1);
    for (int depth = 1; depth < AttributeText.MAX_DEPTH; depth++) {
      deepest = delimited(5, array(deepest));
    }
    assertThat(text(of(LabelType.ARRAY, array(deepest))))
        .isEqualTo("[".repeat(64) + "1" + "]".repeat(64));
  }

  @Test
  void damagedBytesGiveTextAndNoException() {
    SplittableRandom random = new SplittableRandom(11);
    byte[] whole =
        array(
            delimited(6, map(entry("key", real(1.5)), entry("other", varint(3, 300)))),
            delimited(1, "text".getBytes(UTF_8)));
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = whole.clone();
      for (int k = random.nextInt(1, 4); k > 0; k--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(damaged.length + 1);
      byte[] cut = java.util.Arrays.copyOf(damaged, length);
      assertThat(text(of(LabelType.ARRAY, cut))).startsWith("[").endsWith("]");
      assertThat(text(of(LabelType.MAP, cut))).startsWith("{").endsWith("}");
    }
  }

  private static String text(Labels labels) {
    ByteArray out = new ByteArray();
    AttributeText.append(labels, 0, out);
    return new String(out.bytes(), 0, out.lengthBytes(), UTF_8);
  }

  private static Labels of(LabelType type, byte[] bytes) {
    return new Labels.Builder().put("k", type, bytes).build();
  }

  private static byte[] array(byte[]... values) {
    byte[] array = {};
    for (byte[] value : values) {
      array = concat(array, delimited(1, value));
    }
    return array;
  }

  private static byte[] map(byte[]... entries) {
    return array(entries);
  }

  private static byte[] entry(String key, byte[]... value) {
    byte[] entry = delimited(1, key.getBytes(UTF_8));
    return value.length == 0 ? entry : concat(entry, delimited(2, value[0]));
  }

  private static byte[] real(double value) {
    ByteBuffer bytes = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.put((byte) (4 << 3 | 1)).putDouble(value).array();
  }

  private static byte[] fixed32(int number) {
    return new byte[] {(byte) (number << 3 | 5), 1, 2, 3, 4};
  }

  private static byte[] varint(int number, long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(number << 3);
    writeVarint(value, out);
    return out.toByteArray();
  }

  private static byte[] delimited(int number, byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(number << 3 | 2);
    writeVarint(bytes.length, out);
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  private static void writeVarint(long value, ByteArrayOutputStream out) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
