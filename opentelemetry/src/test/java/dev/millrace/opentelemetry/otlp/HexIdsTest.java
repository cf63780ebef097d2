package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HexIdsTest {
  private static final long SEED = 0x1D5;
  private static final int TRACE_ID_DIGITS = 2 * HexIds.DIGITS;

  private final HexIds ids = new HexIds();

  @Test
  void readsEachDigitAtEachPlace() {
    for (char digit : "0123456789abcdefABCDEF".toCharArray()) {
      for (int place = 0; place < TRACE_ID_DIGITS; place++) {
        for (char other : "0fF".toCharArray()) {
          char[] text = new char[TRACE_ID_DIGITS];
          Arrays.fill(text, other);
          text[place] = digit;
          assertRead(new String(text));
        }
      }
    }
  }

  @Test
  void readsWhatASlowReaderReads() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < TRACE_ID_DIGITS) {
        text.append(Character.forDigit(random.nextInt(16), 16));
      }
      assertRead(i % 4 == 0 ? text.toString().toUpperCase(Locale.ROOT) : text.toString());
    }
  }

  @Test
  void readsTextThatIsNoIdAsAnyNumber() {
    // Somebody else's span context may call anything valid; its length is looked at.
    SplittableRandom random = new SplittableRandom(SEED + 1);
    for (int i = 0; i < 10_000; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < TRACE_ID_DIGITS) {
        text.append((char) random.nextInt(i % 2 == 0 ? 0x100 : 0x10000));
      }
      String wrong = text.toString();
      assertThat(ids.read(wrong, 0)).isEqualTo(ids.read(wrong, 0));
      assertRead("0123456789abcdef".repeat(2));
    }
  }

  @Test
  void knowsIdsByTheirLength() {
    for (int length = 0; length < 70; length++) {
      assertThat(HexIds.isTraceId("a".repeat(length))).isEqualTo(length == 32);
      assertThat(HexIds.isSpanId("a".repeat(length))).isEqualTo(length == 16);
    }
  }

  private void assertRead(String text) {
    for (int from = 0; from < TRACE_ID_DIGITS; from += HexIds.DIGITS) {
      long expected = new BigInteger(text.substring(from, from + HexIds.DIGITS), 16).longValue();
      if (ids.read(text, from) != expected) {
        throw new AssertionError(
            "expected "
                + Long.toHexString(expected)
                + ", found "
                + Long.toHexString(ids.read(text, from))
                + " for "
                + text
                + " from "
                + from
                + "; seed "
                + SEED);
      }
    }
  }
}
