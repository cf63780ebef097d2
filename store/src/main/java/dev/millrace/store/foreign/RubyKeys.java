package dev.millrace.store.foreign;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Utf8;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads client_ruby's keys: labels as {@code k=v&k=v}, form-encoded; spaces at the end are padding.
 * Spellings differ between versions, which is why only what is decoded counts. One thread at a
 * time.
 */
final class RubyKeys {
  private static final byte[] LE = {'l', 'e'};
  private static final byte[] QUANTILE = "quantile".getBytes(StandardCharsets.US_ASCII);

  private final Labels.Builder labels = new Labels.Builder();
  private final ByteArray name = new ByteArray();
  private final ByteArray text = new ByteArray();

  /** Reads a key of a file with that meaning. */
  SampleKey.Outcome read(byte[] key, int lengthBytes, Meaning meaning, SampleKey to) {
    if (!Utf8.isValid(key, 0, lengthBytes)) {
      return SampleKey.Outcome.DAMAGED;
    }
    int end = lengthBytes;
    while (end > 0 && key[end - 1] == ' ') {
      end--;
    }
    byte[] special = special(meaning.type());
    String partText = null;
    labels.clear();
    for (int at = 0; at < end; ) {
      int pairEnd = indexOf(key, '&', at, end);
      int nameEnd = indexOf(key, '=', at, pairEnd);
      name.clear();
      decode(key, at, nameEnd, name);
      text.clear();
      decode(key, Math.min(nameEnd + 1, pairEnd), pairEnd, text);
      if (special.length > 0
          && Arrays.equals(name.bytes(), 0, name.lengthBytes(), special, 0, special.length)) {
        partText = new String(text.bytes(), 0, text.lengthBytes(), StandardCharsets.UTF_8);
      } else {
        labels
            .beginValue(name.bytes(), 0, name.lengthBytes())
            .append(text.bytes(), 0, text.lengthBytes());
        labels.endValue(LabelType.STRING);
      }
      at = pairEnd + 1;
    }
    to.metric = String.valueOf(meaning.metric());
    to.help = meaning.help();
    to.labels = labels.build();
    return part(special, partText, to);
  }

  private static byte[] special(ForeignType type) {
    return switch (type) {
      case HISTOGRAM -> LE;
      case SUMMARY -> QUANTILE;
      case COUNTER, GAUGE, UNTYPED -> Meaning.NO_BYTES;
    };
  }

  private static SampleKey.Outcome part(
      byte[] special, @org.jspecify.annotations.Nullable String text, SampleKey to) {
    to.part = SampleKey.VALUE;
    if (special.length == 0 || "sum".equals(text)) {
      return SampleKey.Outcome.SAMPLE;
    }
    if (text == null) {
      return SampleKey.Outcome.MISFIT;
    }
    if (special == QUANTILE) {
      to.part = SampleKey.COUNT;
      return text.equals("count") ? SampleKey.Outcome.SAMPLE : SampleKey.Outcome.MISFIT;
    }
    to.part = SampleKey.BUCKET;
    to.bound = Bound.parse(text);
    return Double.isNaN(to.bound) ? SampleKey.Outcome.MISFIT : SampleKey.Outcome.SAMPLE;
  }

  private static int indexOf(byte[] key, char sign, int from, int end) {
    int at = from;
    while (at < end && key[at] != sign) {
      at++;
    }
    return at;
  }

  /** Bytes that are not UTF-8 once they are decoded become U+FFFD: they are no damage. */
  private static void decode(byte[] key, int from, int end, ByteArray to) {
    boolean ascii = true;
    for (int at = from; at < end; at++) {
      int value = key[at];
      if (value == '+') {
        value = ' ';
      } else if (value == '%' && end - at > 2) {
        int high = Character.digit((char) key[at + 1], 16);
        int low = Character.digit((char) key[at + 2], 16);
        if (high >= 0 && low >= 0) {
          value = high << 4 | low;
          at += 2;
        }
      }
      ascii &= (value & 0x80) == 0;
      to.append(value);
    }
    if (!ascii && !Utf8.isValid(to.bytes(), 0, to.lengthBytes())) {
      String repaired = new String(to.bytes(), 0, to.lengthBytes(), StandardCharsets.UTF_8);
      to.clear();
      to.appendUtf8(repaired);
    }
  }
}
