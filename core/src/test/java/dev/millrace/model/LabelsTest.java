package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.ByteArray;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LabelsTest {
  @Test
  void sortsByTheBytesOfTheKeys() {
    // U+FFFF sorts before U+1F600 in UTF-8, after it in UTF-16.
    Labels labels = Labels.of("\ud83d\ude00", "1", "\uffff", "2", "b", "3", "B", "4", "", "5");
    assertThat(keys(labels)).containsExactly("", "B", "b", "\uffff", "\ud83d\ude00");
    assertThat(labels.text(0)).isEqualTo("5");
    assertThat(labels.text(4)).isEqualTo("1");
  }

  @Test
  void everyTypeKeepsItsValue() {
    Labels labels =
        new Labels.Builder()
            .put("text", "gr\u00fc\u00dfe")
            .put("yes", true)
            .put("no", false)
            .put("least", Long.MIN_VALUE)
            .put("pi", Math.PI)
            .put("bytes", LabelType.BYTES, new byte[] {0, -1})
            .put("nothing", LabelType.EMPTY, new byte[0])
            .build();
    assertThat(keys(labels))
        .containsExactly("bytes", "least", "no", "nothing", "pi", "text", "yes");
    assertThat(labels.type(0)).isEqualTo(LabelType.BYTES);
    assertThat(Arrays.copyOfRange(labels.bytes(), labels.valueStart(0), labels.valueEnd(0)))
        .containsExactly(0, -1);
    assertThat(labels.longValue(1)).isEqualTo(Long.MIN_VALUE);
    assertThat(labels.booleanValue(2)).isFalse();
    assertThat(labels.type(3)).isEqualTo(LabelType.EMPTY);
    assertThat(labels.doubleValue(4)).isEqualTo(Math.PI);
    assertThat(labels.text(5)).isEqualTo("gr\u00fc\u00dfe");
    assertThat(labels.booleanValue(6)).isTrue();
  }

  @Test
  void theSameLabelsInAnyOrderAreEqual() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      TreeMap<String, String> map = new TreeMap<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        map.put("k" + random.nextInt(50), "v" + random.nextInt());
      }
      List<String> keys = new ArrayList<>(map.keySet());
      Labels.Builder builder = new Labels.Builder();
      keys.forEach(key -> builder.put(key, map.getOrDefault(key, "")));
      Labels sorted = builder.build();
      Collections.shuffle(keys, random);
      keys.forEach(key -> builder.put(key, "overwritten").put(key, map.getOrDefault(key, "")));
      Labels shuffled = builder.build();

      assertThat(shuffled).as("seed %d", seed).isEqualTo(sorted).hasSameHashCodeAs(sorted);
      assertThat(shuffled.size()).isEqualTo(map.size());
      keys.forEach(
          key ->
              assertThat(shuffled.text(shuffled.indexOf(key)))
                  .isEqualTo(map.getOrDefault(key, "")));
    }
  }

  @Test
  void theTypeCountsInEquality() {
    Labels text = Labels.of("a", "\1");
    Labels yes = new Labels.Builder().put("a", true).build();
    assertThat(yes).isNotEqualTo(text);
    assertThat(Labels.of("ab", "c")).isNotEqualTo(Labels.of("a", "bc"));
  }

  @Test
  void keysInUtf8AreTakenAsTheyAre() {
    byte[] key = "xkeyx".getBytes(StandardCharsets.UTF_8);
    Labels.Builder builder = new Labels.Builder();
    ByteArray value = builder.beginValue(key, 1, 3);
    value.appendUtf8("value");
    Labels labels = builder.endValue(LabelType.STRING).build();
    assertThat(labels).isEqualTo(Labels.of("key", "value"));
  }

  @Test
  void noLabelsAreOneObject() {
    assertThat(new Labels.Builder().build()).isSameAs(Labels.EMPTY);
    assertThat(Labels.EMPTY.size()).isZero();
    assertThat(Labels.EMPTY.indexOf("a")).isEqualTo(-1);
  }

  @Test
  void anOddNumberOfStringsIsRefused() {
    assertThatThrownBy(() -> Labels.of("a")).hasMessageContaining("in turn");
  }

  private static List<String> keys(Labels labels) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      keys.add(labels.key(i));
    }
    return keys;
  }
}
