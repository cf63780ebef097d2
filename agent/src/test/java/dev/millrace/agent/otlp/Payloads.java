package dev.millrace.agent.otlp;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;

/** Makes payloads of bytes. */
final class Payloads {
  /** Bytes of tag and length of the unknown field that pads. */
  private static final int PADDING_HEADER_BYTES = 5;

  private Payloads() {}

  static Payload of(ChunkPool pool, byte[] content) {
    try (ChunkWriter out = new ChunkWriter(pool)) {
      out.write(content);
      return out.finish();
    }
  }

  /**
   * A message behind an unknown field of that length, which makes the first chunk end where the
   * caller likes.
   *
   * @param bytesInFirstChunk how much of the message lies in the first chunk
   */
  static Payload straddling(ChunkPool pool, byte[] message, int bytesInFirstChunk) {
    int padding = Chunk.SIZE_BYTES - PADDING_HEADER_BYTES - bytesInFirstChunk;
    try (ChunkWriter out = new ChunkWriter(pool)) {
      // Field 1000, length-delimited.
      out.writeByte(0xc2);
      out.writeByte(0x3e);
      out.writeByte(padding | 0x80);
      out.writeByte(padding >>> 7 | 0x80);
      out.writeByte(padding >>> 14);
      out.write(new byte[padding]);
      out.write(message);
      return out.finish();
    }
  }
}
