package dev.millrace.deflate;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;

/** gzip from ours, and through the JDK's. */
final class Gzip {
  private Gzip() {}

  /** Encodes in one write. */
  static byte[] encode(GzipEncoder encoder, ChunkPool pool, byte[] bytes) {
    return encode(encoder, pool, bytes, bytes.length);
  }

  /** Encodes in writes of one size. */
  static byte[] encode(GzipEncoder encoder, ChunkPool pool, byte[] bytes, int writeBytes) {
    try (ChunkWriter out = new ChunkWriter(pool)) {
      encoder.begin(out);
      for (int at = 0; at < bytes.length; at += writeBytes) {
        encoder.write(bytes, at, Math.min(writeBytes, bytes.length - at));
      }
      encoder.finish();
      try (Payload payload = out.finish()) {
        return payload.toByteArray();
      }
    }
  }

  /** Encodes in writes of random sizes, none among them. */
  static byte[] encode(GzipEncoder encoder, ChunkPool pool, byte[] bytes, SplittableRandom random) {
    try (ChunkWriter out = new ChunkWriter(pool)) {
      encoder.begin(out);
      int at = 0;
      while (at < bytes.length) {
        int step = Math.min(random.nextInt(1 << random.nextInt(18)), bytes.length - at);
        encoder.write(bytes, at, step);
        at += step;
      }
      encoder.finish();
      try (Payload payload = out.finish()) {
        return payload.toByteArray();
      }
    }
  }

  /** Decodes with the JDK, which checks the trailer too. */
  static byte[] decode(byte[] gzip) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes();
  }

  /** How many bytes the JDK's zlib makes of this at a level, without header and trailer. */
  static int zlibBytes(byte[] bytes, int level) {
    Deflater deflater = new Deflater(level, true);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflating = new DeflaterOutputStream(out, deflater)) {
      deflating.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
    return out.size();
  }
}
