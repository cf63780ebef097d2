package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.AllocationMeter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ByteArrayTest {
  private final ByteArray array = new ByteArray();

  @Test
  void appendsAndGrows() {
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      array.append('x');
      array.appendLong(i);
      array.appendUtf8("\u00e9");
      array.append("ab".getBytes(StandardCharsets.UTF_8));
      array.append("abc".getBytes(StandardCharsets.UTF_8), 1, 2);
      expected.append('x').append(i).append("\u00e9ab").append("bc");
    }
    assertThat(new String(array.toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo(expected.toString());
  }

  @Test
  void truncatesAndClears() {
    array.appendUtf8("abcdef");
    array.truncate(2);
    assertThat(array.toByteArray()).containsExactly('a', 'b');
    assertThatThrownBy(() -> array.truncate(3)).hasMessageContaining("found 3");
    array.clear();
    assertThat(array.lengthBytes()).isZero();
  }

  @Test
  void claimsOnlyWhatWasReserved() {
    array.reserve(4);
    array.advanceTo(4);
    assertThat(array.lengthBytes()).isEqualTo(4);
    assertThatThrownBy(() -> array.advanceTo(3)).hasMessageContaining("reserve first");
    assertThatThrownBy(() -> array.advanceTo(Integer.MAX_VALUE))
        .hasMessageContaining("reserve first");
  }

  @Test
  void usedAgainItAllocatesNothing() throws Exception {
    byte[] bytes = new byte[5_000];
    long allocated =
        AllocationMeter.bytesPerOperation(
            10_000,
            10_000,
            () -> {
              array.clear();
              array.append(bytes);
              array.appendLong(42);
            });
    assertThat(allocated).isZero();
  }
}
