package dev.millrace.deflate;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** What an output of bits holds, and what the JDK reads in it. */
final class Deflated {
  private Deflated() {}

  /** The whole bytes that were written; the output is empty afterwards. */
  static byte[] bytes(BitOutput out, ChunkPool pool) {
    try (ChunkWriter writer = new ChunkWriter(pool)) {
      out.drainTo(writer);
      try (Payload payload = writer.finish()) {
        return payload.toByteArray();
      }
    }
  }

  /** Reads deflate blocks to their end. */
  static byte[] inflate(BitOutput out, ChunkPool pool, int maxBytes) throws DataFormatException {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(bytes(out, pool));
      byte[] bytes = new byte[maxBytes];
      int lengthBytes = inflater.inflate(bytes);
      if (!inflater.finished()) {
        throw new DataFormatException("expected the last block to end, found that it does not");
      }
      return Arrays.copyOf(bytes, lengthBytes);
    } finally {
      inflater.end();
    }
  }
}
