package dev.millrace.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.AllocationMeter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
  private static final long SEED = 0x0F8;
  private static final int OFFSET = 3;
  private static final byte UNTOUCHED = (byte) 0xFF;

  private final CharsetDecoder decoder =
      UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private final CharBuffer decoded = CharBuffer.allocate(256);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "\0",
        "plain ASCII, longer than a word",
        "\u007f\u0080\u07ff\u0800\uffff",
        "Größe",
        "数値",
        "\ud83d\ude00",
        "\ud800\udc00",
        "\udbff\udfff",
        "a\ud83d\ude00b\u20acc\u00e9d",
        "\ufeff",
        "\ufffd",
        "\ud7ff\ue000"
      })
  void writes(String text) {
    assertWritten(text);
  }

  @Test
  void everyCodePoint() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      assertWritten(Character.toString(codePoint));
    }
  }

  @Test
  void unpairedSurrogatesBecomeTheReplacementCharacter() {
    assertThat(encoded("\ud800")).isEqualTo("\ufffd");
    assertThat(encoded("\udfff")).isEqualTo("\ufffd");
    assertThat(encoded("a\ud83d")).isEqualTo("a\ufffd");
    assertThat(encoded("a\ud83db")).isEqualTo("a\ufffdb");
    assertThat(encoded("\ude00\ud83d")).isEqualTo("\ufffd\ufffd");
    assertThat(encoded("\ud83d\ud83d\ude00")).isEqualTo("\ufffd\ud83d\ude00");
    assertThat(encoded("\ud83d\ude00\ude00")).isEqualTo("\ud83d\ude00\ufffd");
    byte[] target = new byte[3];
    assertThat(Utf8.write("\udc00", target, 0)).isEqualTo(3);
    assertThat(target).containsExactly(0xEF, 0xBF, 0xBD);
  }

  /** ASCII is written in blocks, of which the last may overlap the one before. */
  @Test
  void oneCharThatIsNotAsciiAtEveryPlaceOfEveryLength() {
    String[] others = {
      "\0", "\u007f", "\u0080", "\u00e9", "\u0141", "\u20ac", "\ud83d\ude00", "\ud83d"
    };
    for (int length = 0; length <= 40; length++) {
      String ascii = "The quick brown fox jumps over the lazy dog".substring(0, length);
      assertWritten(ascii);
      for (int place = 0; place <= length; place++) {
        for (String other : others) {
          assertWritten(ascii.substring(0, place) + other + ascii.substring(place));
        }
      }
    }
  }

  @Test
  void partsOfStrings() {
    SplittableRandom random = new SplittableRandom(SEED + 3);
    for (int i = 0; i < 100_000; i++) {
      String text = randomString(random, random.nextInt(40));
      int from = random.nextInt(text.length() + 1);
      int to = random.nextInt(from, text.length() + 1);
      byte[] whole = new byte[Utf8.maxBytes(to - from)];
      byte[] part = new byte[whole.length];
      int end = Utf8.write(text.substring(from, to), whole, 0);
      assertThat(Utf8.write(text, from, to, part, 0)).as("seed %s", SEED).isEqualTo(end);
      assertThat(part).as("seed %s", SEED).isEqualTo(whole);
    }
  }

  @Test
  void randomStrings() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 300_000; i++) {
      assertWritten(randomString(random, random.nextInt(40)));
    }
  }

  @Test
  void maxBytesIsEnoughAndNeverLess() {
    assertThat(Utf8.maxBytes(0)).isZero();
    assertThat(Utf8.maxBytes(7)).isEqualTo(21);
    assertThat(Utf8.lengthBytes("\uffff".repeat(7))).isEqualTo(Utf8.maxBytes(7));
    assertThat(Utf8.maxBytes(715_827_882)).isEqualTo(2_147_483_646);
    assertThatThrownBy(() -> Utf8.maxBytes(715_827_883))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("715827882")
        .hasMessageContaining("715827883");
    assertThatThrownBy(() -> Utf8.maxBytes(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "ab\u00e9", "a\u20ac", "\ud83d\ude00", "\ud83d"})
  void textThatDoesNotFitIsRefused(String text) {
    int length = Utf8.lengthBytes(text);
    assertThat(Utf8.write(text, new byte[length], 0)).isEqualTo(length);
    for (int tooShort = 0; tooShort < length; tooShort++) {
      byte[] target = new byte[tooShort];
      assertThatThrownBy(() -> Utf8.write(text, target, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void everySequenceOfUpToThreeBytes() {
    assertThat(Utf8.isValid(new byte[0], 0, 0)).isTrue();
    byte[] one = new byte[1];
    byte[] two = new byte[2];
    byte[] three = new byte[3];
    for (int first = 0; first < 256; first++) {
      one[0] = two[0] = three[0] = (byte) first;
      assertSameAsDecoder(one, 0, 1);
      for (int second = 0; second < 256; second++) {
        two[1] = three[1] = (byte) second;
        assertSameAsDecoder(two, 0, 2);
        for (int third = 0; third < 256; third++) {
          three[2] = (byte) third;
          assertSameAsDecoder(three, 0, 3);
        }
      }
    }
  }

  /**
   * All first and second bytes; of the third and fourth those around the borders of what can
   * follow.
   */
  @Test
  void sequencesOfFourBytes() {
    byte[] four = new byte[4];
    int[] borders = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    for (int firstAndSecond = 0; firstAndSecond < 0x10000; firstAndSecond++) {
      four[0] = (byte) (firstAndSecond >> 8);
      four[1] = (byte) firstAndSecond;
      for (int third : borders) {
        for (int fourth : borders) {
          four[2] = (byte) third;
          four[3] = (byte) fourth;
          assertSameAsDecoder(four, 0, 4);
        }
      }
    }
  }

  @Test
  void oneByteThatIsWrongAtEveryPlaceOfEveryLength() {
    byte[] wrong = {(byte) 0x80, (byte) 0xC3, (byte) 0xE2, (byte) 0xF0, (byte) 0xFF};
    for (int length = 1; length <= 40; length++) {
      for (int place = 0; place < length; place++) {
        for (byte b : wrong) {
          byte[] bytes = new byte[OFFSET + length + OFFSET];
          Arrays.fill(bytes, UNTOUCHED);
          Arrays.fill(bytes, OFFSET, OFFSET + length, (byte) 'a');
          assertThat(Utf8.isValid(bytes, OFFSET, length)).isTrue();
          bytes[OFFSET + place] = b;
          assertThat(Utf8.isValid(bytes, OFFSET, length)).isFalse();
        }
      }
    }
  }

  @Test
  void randomBytesAndStringsWithAFewBytesChanged() {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    int valid = 0;
    int rounds = 1_000_000;
    for (int i = 0; i < rounds; i++) {
      byte[] bytes = new byte[160];
      random.nextBytes(bytes);
      int length = random.nextInt(30);
      if (i % 8 != 0) {
        length = Utf8.write(randomString(random, length), bytes, OFFSET) - OFFSET;
        for (int changes = random.nextInt(3); changes > 0 && length > 0; changes--) {
          bytes[OFFSET + random.nextInt(length)] = (byte) random.nextInt();
        }
        length -= length > 0 ? random.nextInt(2) : 0;
      }
      valid += assertSameAsDecoder(bytes, OFFSET, length) ? 1 : 0;
    }
    assertThat(valid).as("valid ones, seed %s", SEED).isBetween(rounds / 8, rounds * 7 / 8);
  }

  @Test
  void rangesOutsideTheArrayAreRefused() {
    byte[] bytes = new byte[10];
    assertThat(Utf8.isValid(bytes, 10, 0)).isTrue();
    assertThatThrownBy(() -> Utf8.isValid(bytes, 5, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Utf8.isValid(bytes, -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Utf8.isValid(bytes, 1, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void allocatesNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED + 2);
    String[] texts = new String[500];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = i % 2 == 0 ? "http.server.request.duration" : randomString(random, 30);
    }
    byte[] target = new byte[Utf8.maxBytes(30)];
    int[] next = {0};
    long bytes =
        AllocationMeter.bytesPerOperation(
            20_000,
            20_000,
            () -> {
              String text = texts[next[0]++ % texts.length];
              int end = Utf8.write(text, target, 0);
              if (end != Utf8.lengthBytes(text) || !Utf8.isValid(target, 0, end)) {
                throw new AssertionError("Expected valid UTF-8 of the length foretold for " + text);
              }
            });
    assertThat(bytes).isZero();
  }

  private static void assertWritten(String text) {
    byte[] expected = withoutUnpairedSurrogates(text).getBytes(UTF_8);
    byte[] target = new byte[OFFSET + Utf8.maxBytes(text.length()) + OFFSET];
    Arrays.fill(target, UNTOUCHED);
    int end = Utf8.write(text, target, OFFSET);
    byte[] all = new byte[target.length];
    Arrays.fill(all, UNTOUCHED);
    System.arraycopy(expected, 0, all, OFFSET, expected.length);
    if (end != OFFSET + expected.length || !Arrays.equals(all, target)) {
      throw new AssertionError(
          "Expected "
              + Arrays.toString(all)
              + ", found "
              + Arrays.toString(target)
              + " up to "
              + end
              + "; seed "
              + SEED);
    }
    if (Utf8.lengthBytes(text) != expected.length) {
      throw new AssertionError(
          "Expected "
              + expected.length
              + " bytes, found "
              + Utf8.lengthBytes(text)
              + " for "
              + Arrays.toString(expected));
    }
  }

  private static String encoded(String text) {
    byte[] target = new byte[Utf8.maxBytes(text.length())];
    return new String(target, 0, Utf8.write(text, target, 0), UTF_8);
  }

  /**
   * Character by character, as {@link String#codePoints} sees them: only the unpaired surrogates
   * remain.
   */
  private static String withoutUnpairedSurrogates(String text) {
    StringBuilder paired = new StringBuilder();
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\ufffd' : c)
        .forEach(paired::appendCodePoint);
    return paired.toString();
  }

  private boolean assertSameAsDecoder(byte[] bytes, int offset, int length) {
    decoder.reset();
    decoded.clear();
    boolean expected =
        !decoder.decode(ByteBuffer.wrap(bytes, offset, length), decoded, true).isError();
    if (Utf8.isValid(bytes, offset, length) != expected) {
      throw new AssertionError(
          "Expected "
              + (expected ? "valid" : "invalid")
              + " UTF-8 in "
              + Arrays.toString(Arrays.copyOfRange(bytes, offset, offset + length))
              + "; seed "
              + SEED);
    }
    return expected;
  }

  private static String randomString(SplittableRandom random, int chars) {
    StringBuilder text = new StringBuilder();
    int kinds = random.nextInt(1, 6);
    while (text.length() < chars) {
      switch (random.nextInt(kinds)) {
        case 0 -> text.append((char) random.nextInt(0x80));
        case 1 -> text.append((char) random.nextInt(0x80, 0x800));
        case 2 -> text.append((char) random.nextInt(0x800, 0xD800));
        case 3 -> text.appendCodePoint(random.nextInt(0x10000, Character.MAX_CODE_POINT + 1));
        default -> text.append((char) random.nextInt(0xD800, 0x10000));
      }
    }
    text.setLength(chars);
    return text.toString();
  }
}
