package dev.millrace.grpc;

import dev.millrace.export.push.SendResult;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the one message of a reply, of at most {@link SendResult#MAX_BODY_BYTES}. Memory grows
 * with what has come, not with what was promised.
 *
 * <pre>
 *   compressed (1) | length (4, big endian) | message
 * </pre>
 */
final class ReplyMessage {
  /** Bytes before each message, of requests too. */
  static final int PREFIX_BYTES = 5;

  private static final byte[] NO_BYTES = {};

  /** A partial success with its message fits. */
  private static final int FIRST_BYTES = 512;

  private int prefixBytes;
  private boolean compressed;
  private int lengthBytes;
  private byte[] bytes = NO_BYTES;
  private int filledBytes;

  /**
   * Takes the next part; all of it is read.
   *
   * @return what is wrong, or {@code null}
   */
  @Nullable String add(ByteBuf data) {
    while (data.isReadable() && prefixBytes < PREFIX_BYTES) {
      int value = data.readUnsignedByte();
      if (prefixBytes == 0) {
        if (value > 1) {
          return "expected a gRPC message that begins with 0 or 1, found " + value;
        }
        compressed = value == 1;
      } else {
        lengthBytes = lengthBytes << Byte.SIZE | value;
      }
      prefixBytes++;
    }
    if (prefixBytes < PREFIX_BYTES) {
      return null;
    }
    if (isTooLarge()) {
      return "expected a reply of at most "
          + SendResult.MAX_BODY_BYTES
          + " bytes, found "
          + Integer.toUnsignedString(lengthBytes);
    }
    int more = data.readableBytes();
    if (more > lengthBytes - filledBytes) {
      return "expected one message in the reply, found more bytes after it";
    }
    if (more > bytes.length - filledBytes) {
      int wanted = Math.max(Math.max(FIRST_BYTES, bytes.length * 2), filledBytes + more);
      bytes = Arrays.copyOf(bytes, Math.min(wanted, lengthBytes));
    }
    data.readBytes(bytes, filledBytes, more);
    filledBytes += more;
    return null;
  }

  /** Whether the message is longer than it may be. */
  boolean isTooLarge() {
    return lengthBytes < 0 || lengthBytes > SendResult.MAX_BODY_BYTES;
  }

  /** Whether there is no message, or a whole one. */
  boolean isWhole() {
    return prefixBytes == 0 || (prefixBytes == PREFIX_BYTES && filledBytes == lengthBytes);
  }

  /**
   * The message, decompressed; empty where none came.
   *
   * @param encoding {@code grpc-encoding}
   * @throws IOException if it cannot be decompressed, or is too large; the message says which
   */
  byte[] message(@Nullable CharSequence encoding) throws IOException {
    if (!compressed) {
      return filledBytes == bytes.length ? bytes : Arrays.copyOf(bytes, filledBytes);
    }
    if (encoding == null || !"gzip".contentEquals(encoding)) {
      throw new IOException("expected a reply compressed by gzip, found another grpc-encoding");
    }
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(bytes, 0, filledBytes))) {
      byte[] message = in.readNBytes(SendResult.MAX_BODY_BYTES + 1);
      if (message.length > SendResult.MAX_BODY_BYTES) {
        throw new IOException(
            "expected a reply of at most "
                + SendResult.MAX_BODY_BYTES
                + " bytes after decompression, found more");
      }
      return message;
    }
  }
}
