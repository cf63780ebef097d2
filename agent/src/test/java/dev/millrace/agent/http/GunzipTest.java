package dev.millrace.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.http.RefusedBodyException.Kind;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GunzipTest {
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Gunzip gunzip = new Gunzip();

  @AfterEach
  void close() {
    gunzip.close();
  }

  private byte[] gunzip(byte[] compressed) throws RefusedBodyException {
    return gunzip(compressed, UNLIMITED, UNLIMITED);
  }

  private byte[] gunzip(byte[] compressed, long maxBytes, long budgetBytes)
      throws RefusedBodyException {
    try (ChunkWriter in = new ChunkWriter(chunks.pool());
        ChunkWriter out = new ChunkWriter(chunks.pool())) {
      in.write(compressed);
      BodyBudget budget = new BodyBudget(budgetBytes);
      BodyBudget.Share share = budget.share();
      try (Payload body = in.finish()) {
        gunzip.decompress(body, out, maxBytes, share);
        assertThat(budget.usedBytes()).isGreaterThanOrEqualTo(out.lengthBytes());
        try (Payload payload = out.finish()) {
          return payload.toByteArray();
        }
      } finally {
        share.release();
        assertThat(budget.usedBytes()).isZero();
      }
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** A member with every optional field that the header can have. */
  private static byte[] memberWithEverything(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 0x1e, 1, 2, 3, 4, 0, 3});
    out.writeBytes(new byte[] {3, 0, 'x', 'y', 'z'});
    out.writeBytes("name\0comment\0".getBytes(StandardCharsets.ISO_8859_1));
    CRC32 crc = new CRC32();
    crc.update(out.toByteArray());
    out.write((int) crc.getValue());
    out.write((int) crc.getValue() >>> 8);
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(bytes);
    deflater.finish();
    byte[] deflated = new byte[bytes.length + 100];
    out.write(deflated, 0, deflater.deflate(deflated));
    deflater.end();
    crc.reset();
    crc.update(bytes);
    for (long value : new long[] {crc.getValue(), bytes.length}) {
      for (int shift = 0; shift < 32; shift += 8) {
        out.write((int) (value >>> shift));
      }
    }
    return out.toByteArray();
  }

  @Test
  void readsWhatTheJdkWrites() throws Exception {
    long seed = 99;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = new byte[random.nextInt(400_000)];
      if (round % 2 == 0) {
        random.nextBytes(bytes);
      }
      assertThat(gunzip(gzip(bytes))).as("seed %d, round %d", seed, round).isEqualTo(bytes);
    }
  }

  @Test
  void readsEveryHeaderField() throws Exception {
    byte[] bytes = "hello".getBytes(StandardCharsets.UTF_8);
    assertThat(gunzip(memberWithEverything(bytes))).isEqualTo(bytes);
  }

  @Test
  void readsSeveralMembers() throws Exception {
    byte[] bytes = "hello".getBytes(StandardCharsets.UTF_8);
    byte[] empty = gzip(new byte[0]);
    assertThat(gunzip(join(gzip(bytes), empty, memberWithEverything(bytes), gzip(bytes))))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("hellohellohello");
  }

  @Test
  void membersThatMeetAtTheEndOfAChunkAreRead() throws Exception {
    byte[] noise = new byte[65_536 - 18 - 5];
    new SplittableRandom(5).nextBytes(noise);
    byte[] first = gzip(noise);
    for (int cut = 0; cut < 40; cut++) {
      byte[] member = gzip(Arrays.copyOf(noise, noise.length - cut));
      assertThat(gunzip(join(member, gzip(new byte[] {1, 2, 3}))))
          .as("first member of %d bytes", member.length)
          .hasSize(noise.length - cut + 3);
    }
    assertThat(first.length).isBetween(65_536 - 40, 65_536 + 40);
  }

  @Test
  void everyTruncationIsRefused() throws Exception {
    byte[] whole = memberWithEverything("hello, hello, hello".getBytes(StandardCharsets.UTF_8));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> gunzip(cut))
          .as("the first %d bytes", length)
          .isInstanceOfSatisfying(
              RefusedBodyException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN));
    }
  }

  @Test
  void trailingGarbageIsRefused() throws Exception {
    byte[] good = gzip("hello".getBytes(StandardCharsets.UTF_8));
    for (byte[] garbage : new byte[][] {{0}, {0x1f}, {0x1f, (byte) 0x8b}, new byte[1000]}) {
      assertThatThrownBy(() -> gunzip(join(good, garbage)))
          .isInstanceOf(RefusedBodyException.class);
    }
  }

  @Test
  void everyFlippedBitIsSeenOrDoesNotMatter() throws Exception {
    byte[] bytes = "hello, hello, hello".getBytes(StandardCharsets.UTF_8);
    byte[] whole = memberWithEverything(bytes);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      byte[] found;
      try {
        found = gunzip(flipped);
      } catch (RefusedBodyException e) {
        continue;
      }
      assertThat(found).as("bit %d", bit).isEqualTo(bytes);
    }
  }

  @Test
  void noiseNeverThrowsAnythingElse() throws Exception {
    long seed = 31;
    SplittableRandom random = new SplittableRandom(seed);
    byte[] good = gzip("hello, hello, hello".repeat(500).getBytes(StandardCharsets.UTF_8));
    for (int round = 0; round < 3_000; round++) {
      byte[] bytes = good.clone();
      for (int i = 0; i <= random.nextInt(6); i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        gunzip(bytes, 1_000_000, UNLIMITED);
      } catch (RefusedBodyException e) {
        assertThat(e.text()).as("seed %d, round %d", seed, round).startsWith("expected");
      }
    }
  }

  @Test
  void moreThanTheLimitIsTooLarge() throws Exception {
    byte[] million = gzip(new byte[1_000_000]);
    assertThat(gunzip(million, 1_000_000, UNLIMITED)).hasSize(1_000_000);
    assertThatThrownBy(() -> gunzip(million, 999_999, UNLIMITED))
        .isInstanceOfSatisfying(
            RefusedBodyException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE));
    assertThatThrownBy(() -> gunzip(join(million, million), 1_999_999, UNLIMITED))
        .isInstanceOfSatisfying(
            RefusedBodyException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE));
  }

  @Test
  void moreThanTheWholeBudgetIsTooLarge() throws Exception {
    byte[] million = gzip(new byte[1_000_000]);
    assertThatThrownBy(() -> gunzip(million, UNLIMITED, 500_000))
        .isInstanceOfSatisfying(
            RefusedBodyException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE));
  }
}
