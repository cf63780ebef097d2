package dev.millrace.export.push;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.util.SplittableRandom;

/** Makes payloads for tests. */
public final class Payloads {
  private Payloads() {}

  /** A payload of these bytes. */
  public static Payload of(ChunkPool pool, byte[] bytes) {
    try (ChunkWriter out = new ChunkWriter(pool)) {
      out.write(bytes);
      return out.finish();
    }
  }

  /** Bytes that look like nothing else. */
  public static byte[] random(long seed, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}
