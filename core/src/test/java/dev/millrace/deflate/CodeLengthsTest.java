package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CodeLengthsTest {
  private final CodeLengths builder = new CodeLengths();

  @Test
  void withoutALongCodeTheLengthsAreTheBest() {
    for (long seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] counts = randomCounts(random, random.nextInt(2, 287), 64);
      byte[] lengths = build(counts, 15);
      assertThat(cost(counts, lengths))
          .as("seed %d", seed)
          .isEqualTo(cost(counts, PackageMerge.lengths(counts, 15)));
      assertIsCompleteCode(lengths, 15, seed);
    }
  }

  @Test
  void withALimitTheyAreNearTheBest() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int symbols = random.nextInt(2, 19);
      int[] counts = new int[symbols];
      for (int i = 0; i < symbols; i++) {
        counts[i] = 1 + (int) (1_000_000 * Math.pow(random.nextDouble(), 12));
      }
      byte[] lengths = build(counts, 7);
      assertIsCompleteCode(lengths, 7, seed);
      long best = cost(counts, PackageMerge.lengths(counts, 7));
      assertThat(cost(counts, lengths)).as("seed %d", seed).isBetween(best, best + best / 10);
    }
  }

  @Test
  void fibonacciCountsWantLongerCodesThanThereAre() {
    int[] counts = new int[30];
    counts[0] = 1;
    counts[1] = 1;
    for (int i = 2; i < counts.length; i++) {
      counts[i] = counts[i - 1] + counts[i - 2];
    }
    byte[] lengths = build(counts, 15);
    assertIsCompleteCode(lengths, 15, 0);
    assertThat(lengths).contains(15);
    long best = cost(counts, PackageMerge.lengths(counts, 15));
    assertThat(cost(counts, lengths)).isBetween(best, best + best / 100);
  }

  @Test
  void aSymbolThatOccursMoreOftenHasNoLongerCode() {
    for (long seed = 1; seed <= 100; seed++) {
      int[] counts = randomCounts(new SplittableRandom(seed), 100, 8);
      byte[] lengths = build(counts, 9);
      for (int i = 0; i < counts.length; i++) {
        for (int j = 0; j < counts.length; j++) {
          if (counts[i] > counts[j] && counts[j] > 0) {
            assertThat(lengths[i]).as("seed %d", seed).isLessThanOrEqualTo(lengths[j]);
          }
        }
      }
    }
  }

  @Test
  void atLeastTwoSymbolsGetACode() {
    assertThat(build(new int[] {0, 0, 0}, 15)).containsExactly(1, 1, 0);
    assertThat(build(new int[] {9, 0, 0}, 15)).containsExactly(1, 1, 0);
    assertThat(build(new int[] {0, 0, 9}, 15)).containsExactly(1, 0, 1);
    assertThat(build(new int[] {0, 5, 9}, 15)).containsExactly(0, 1, 1);
  }

  @Test
  void asManySymbolsAsTheLimitHasRoomForGetOneLength() {
    int[] counts = new int[128];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = 1 << (i % 20);
    }
    assertThat(build(counts, 7)).containsOnly(7);
  }

  private byte[] build(int[] counts, int maxBits) {
    byte[] lengths = new byte[counts.length];
    builder.build(counts, counts.length, maxBits, lengths);
    return lengths;
  }

  private static int[] randomCounts(SplittableRandom random, int symbols, int steps) {
    int[] counts = new int[symbols];
    for (int i = 0; i < symbols; i++) {
      counts[i] = random.nextInt(4) == 0 ? 0 : random.nextInt(1, steps);
    }
    counts[0] = 1;
    counts[1] = 1;
    return counts;
  }

  private static void assertIsCompleteCode(byte[] lengths, int maxBits, long seed) {
    int room = 0;
    for (byte length : lengths) {
      assertThat((int) length).as("seed %d", seed).isBetween(0, maxBits);
      room += length == 0 ? 0 : 1 << (maxBits - length);
    }
    assertThat(room).as("seed %d", seed).isEqualTo(1 << maxBits);
  }

  private static long cost(int[] counts, byte[] lengths) {
    long bits = 0;
    for (int i = 0; i < counts.length; i++) {
      bits += (long) counts[i] * lengths[i];
    }
    return bits;
  }

  private static long cost(int[] counts, int[] lengths) {
    long bits = 0;
    for (int i = 0; i < counts.length; i++) {
      bits += (long) counts[i] * lengths[i];
    }
    return bits;
  }
}
