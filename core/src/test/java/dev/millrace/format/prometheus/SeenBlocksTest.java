package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.AllocationMeter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeenBlocksTest {
  private static boolean add(SeenBlocks seen, String block, boolean ambiguous) {
    // Another array and other bytes behind the block: only the block counts.
    byte[] bytes = (block + "\u00ff" + block.length()).getBytes(UTF_8);
    return seen.add(bytes, block.getBytes(UTF_8).length, ambiguous);
  }

  @Test
  void aBlockIsNewOnce() {
    SeenBlocks seen = SeenBlocks.ofText(false);
    assertThat(add(seen, " ", false)).isTrue();
    assertThat(add(seen, " ", true)).isFalse();
    assertThat(add(seen, "{a=\"1\"} ", false)).isTrue();
    assertThat(add(seen, "{a=\"1\"} ", false)).isFalse();
    assertThat(add(seen, "{a=\"2\"} ", false)).isTrue();
    seen.clear();
    assertThat(add(seen, "{a=\"1\"} ", false)).isTrue();
  }

  @Test
  void emptyLabelsDoNotCount() {
    SeenBlocks seen = SeenBlocks.ofText(true);
    assertThat(add(seen, "{a=\"1\",instance=\"\"} ", false)).isTrue();
    assertThat(add(seen, "{a=\"1\",b=\"\",instance=\"\"} ", true)).isFalse();
    assertThat(add(seen, "{a=\"\",b=\"=\\\"\\\"\",instance=\"\"} ", true)).isTrue();
    assertThat(add(seen, "{b=\"=\\\"\\\"\",instance=\"\"} ", false)).isFalse();
    SeenBlocks ofAnSdk = SeenBlocks.ofText(false);
    assertThat(add(ofAnSdk, " ", false)).isTrue();
    assertThat(add(ofAnSdk, "{a=\"\",instance=\"\"} ", true)).isFalse();
  }

  @Test
  void aLabelCanBeLeftOutOfTheComparison() {
    SeenBlocks seen = SeenBlocks.ofText(false);
    byte[] name = "state".getBytes(UTF_8);
    byte[] one = "{a=\"1\",state=\"x\"} ".getBytes(UTF_8);
    byte[] two = "{a=\"1\",state=\"y\"} ".getBytes(UTF_8);
    assertThat(seen.addWithout(one, one.length, name)).isTrue();
    long hash = seen.lastHash();
    assertThat(seen.addWithout(two, two.length, name)).isFalse();
    assertThat(seen.lastHash()).isEqualTo(hash);
    assertThat(add(seen, "{a=\"1\"} ", false)).isFalse();
  }

  @Test
  void whatEndsALabelMayStandInAQuotedName() {
    SeenBlocks seen = SeenBlocks.ofText(false);
    assertThat(add(seen, "{\"a=,\\\"}\"=\"1\",b=\"\"} ", true)).isTrue();
    assertThat(add(seen, "{\"a=,\\\"}\"=\"1\"} ", false)).isFalse();
    assertThat(add(seen, "{\"a=,\\\"}\"=\"\"} ", true)).isTrue();
    assertThat(add(seen, " ", false)).isFalse();
    byte[] name = "\"a=,\\\"}\"".getBytes(UTF_8);
    byte[] block = "{\"a=,\\\"}\"=\"x\",b=\"2\"} ".getBytes(UTF_8);
    assertThat(seen.addWithout(block, block.length, name)).isTrue();
    assertThat(add(seen, "{b=\"2\"} ", false)).isFalse();
  }

  @Test
  void generatedBlocksAreTheSameAsInASet() {
    SplittableRandom random = new SplittableRandom(3);
    SeenBlocks seen = SeenBlocks.ofText(false);
    Set<String> reference = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      String block = "{a=\"" + "x".repeat(random.nextInt(20)) + random.nextInt(20_000) + "\"} ";
      assertThat(add(seen, block, random.nextBoolean())).as(block).isEqualTo(reference.add(block));
    }
  }

  @Test
  void memoryIsKeptWhileItIsNeededAndThenLetGo() throws Exception {
    SeenBlocks seen = SeenBlocks.ofText(false);
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      blocks.add(("{a=\"" + i + "\"} ").getBytes(UTF_8));
    }
    AllocationMeter.Operation exposition =
        () -> {
          for (byte[] block : blocks) {
            seen.add(block, block.length, false);
          }
          seen.clear();
          seen.add(blocks.get(0), blocks.get(0).length, false);
          seen.trim();
        };
    assertThat(AllocationMeter.bytesPerOperation(3, 3, exposition)).isLessThan(256);
    // With few blocks the memory is let go, so that many need it anew.
    seen.add(blocks.get(0), blocks.get(0).length, false);
    seen.trim();
    seen.add(blocks.get(0), blocks.get(0).length, false);
    seen.trim();
    assertThat(seen.capacityBytes()).isLessThan(100_000);
  }
}
