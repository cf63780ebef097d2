package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.Escaping;
import dev.millrace.model.Labels;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EscapingTest {
  @Test
  void specialCharactersAreEscaped() {
    assertThat(escaped("a\\b\"c\nd".getBytes(UTF_8))).isEqualTo("a\\\\b\\\"c\\nd");
    assertThat(escaped("\n".getBytes(UTF_8))).isEqualTo("\\n");
    assertThat(escaped("\0\t\r\u007f".getBytes(UTF_8))).isEqualTo("\0\t\r\u007f");
    assertThat(escaped("é€\uD83D\uDE00".getBytes(UTF_8))).isEqualTo("é€\uD83D\uDE00");
  }

  @Test
  void whatWasReplacedIsSaid() {
    byte[] bad = {'a', (byte) 0xff};
    assertThat(Escaping.appendLabelValue(new ByteArray(), bad, 0, 1)).isFalse();
    assertThat(Escaping.appendLabelValue(new ByteArray(), bad, 0, 2)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyBytesBecomeWhatJavasDecoderMakesOfThem(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    // Bytes that meet all rows of the table of well-formed sequences, and what is escaped.
    int[] hostile = {
      0x00, 'a', '"', '\\', '\n', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
      0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff
    };
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(9)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) hostile[random.nextInt(hostile.length)];
      }
      String expected =
          new String(bytes, UTF_8).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
      assertThat(escaped(bytes)).as("seed %d, case %d", seed, i).isEqualTo(expected);
    }
  }

  @Test
  void valuesOfAllUnicodeCanBeReadBack() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 50_000; i++) {
      StringBuilder value = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        // Surrogates without their partners are among these, and some find a partner.
        switch (random.nextInt(3)) {
          case 0 -> value.append("\"\\\nn{},=".charAt(random.nextInt(8)));
          case 1 -> value.append((char) random.nextInt(0xd780, 0xe080));
          default -> value.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
        }
      }
      String wellFormed = value.toString().replaceAll("\\p{Cs}", "\uFFFD");
      Labels labels = Labels.of("k", value.toString());
      byte[] bytes = labels.bytes();
      ByteArray escaped = new ByteArray();
      Escaping.appendLabelValue(escaped, bytes, labels.valueStart(0), labels.valueEnd(0));
      String text = new String(escaped.toByteArray(), UTF_8);
      assertThat(text).as("case %d", i).doesNotContain("\n");
      assertThat(unescaped(text)).as("case %d: %s", i, text).isEqualTo(wellFormed);
    }
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        throw new AssertionError("a quote that is not escaped: " + text);
      }
      if (c == '\\') {
        at++;
        plain.append(text.charAt(at) == 'n' ? '\n' : text.charAt(at));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  @Test
  void helpTextsAreEscapedByFormat() {
    assertThat(help("a\\b\"c\nd\uD800", false)).isEqualTo("a\\\\b\"c\\nd\uFFFD");
    assertThat(help("a\\b\"c\nd\uD800", true)).isEqualTo("a\\\\b\\\"c\\nd\uFFFD");
  }

  private static String escaped(byte[] bytes) {
    ByteArray out = new ByteArray();
    Escaping.appendLabelValue(out, bytes, 0, bytes.length);
    return new String(out.bytes(), 0, out.lengthBytes(), UTF_8);
  }

  private static String help(String text, boolean quotes) {
    ByteArray out = new ByteArray();
    Escaping.appendHelp(out, text, quotes);
    return new String(out.bytes(), 0, out.lengthBytes(), UTF_8);
  }
}
