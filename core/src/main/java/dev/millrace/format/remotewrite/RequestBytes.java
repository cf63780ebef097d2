package dev.millrace.format.remotewrite;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufReader;
import java.io.IOException;
import org.xerial.snappy.Snappy;

/** Takes finished requests apart again. Stateless. */
final class RequestBytes {
  /** A length of five bytes, a tag, four bytes of a literal's length, and its first byte. */
  private static final int HEAD_BYTES = 11;

  /** Of all elements of a block a copy of 64 bytes yields most: it takes three. */
  private static final int MAX_EXPANSION = 22;

  private RequestBytes() {}

  /** The version of a request, from its first bytes. */
  static RemoteWriteVersion versionOf(Payload request) throws MalformedProtobufException {
    byte[] head = new byte[(int) Math.min(HEAD_BYTES, request.lengthBytes())];
    int filled = 0;
    for (Chunk chunk = request.first();
        chunk != null && filled < head.length;
        chunk = chunk.next()) {
      int step = Math.min(head.length - filled, chunk.lengthBytes());
      System.arraycopy(chunk.bytes(), 0, head, filled, step);
      filled += step;
    }
    ProtobufReader reader = new ProtobufReader();
    reader.reset(head, 0, head.length);
    lengthOf(reader, request.lengthBytes());
    int at = reader.positionBytes();
    int element = at < head.length ? head[at] & 0xff : -1;
    // A block begins with a literal, because there is nothing yet that could be copied.
    int lengthCode = element >>> 2;
    int first = at + 1 + (lengthCode < 60 ? 0 : lengthCode - 59);
    if (element < 0 || (element & 3) != 0 || first >= head.length) {
      throw new MalformedProtobufException(
          "expected a block of snappy that begins with a literal, found another one", at);
    }
    return ofTag(head[first], first);
  }

  private static RemoteWriteVersion ofTag(byte tag, int position)
      throws MalformedProtobufException {
    return switch (tag) {
      case WriteSchema.V1_TIMESERIES << 3 | 2, WriteSchema.V1_METADATA << 3 | 2 ->
          RemoteWriteVersion.V1;
      case WriteSchema.V2_SYMBOLS << 3 | 2, WriteSchema.V2_TIMESERIES << 3 | 2 ->
          RemoteWriteVersion.V2;
      default ->
          throw new MalformedProtobufException(
              "expected the first field of a remote-write request, found a field of tag "
                  + (tag & 0xff),
              position);
    };
  }

  /** The message in a request. */
  static byte[] decompress(Payload request) throws MalformedProtobufException {
    byte[] compressed = request.toByteArray();
    ProtobufReader reader = new ProtobufReader();
    reader.reset(compressed, 0, compressed.length);
    byte[] message = new byte[lengthOf(reader, compressed.length)];
    try {
      int lengthBytes = Snappy.uncompress(compressed, 0, compressed.length, message, 0);
      if (lengthBytes == message.length) {
        return message;
      }
    } catch (IOException e) {
      // Reported below; the library's message says nothing of what is wrong.
    }
    throw new MalformedProtobufException(
        "expected a block of snappy that gives " + message.length + " bytes, found a broken one",
        reader.positionBytes());
  }

  private static int lengthOf(ProtobufReader reader, long compressedBytes)
      throws MalformedProtobufException {
    long length = reader.readVarint();
    long most =
        Math.min(RemoteWriteRequests.MAX_UNCOMPRESSED_BYTES, MAX_EXPANSION * compressedBytes);
    if (length <= 0 || length > most) {
      throw new MalformedProtobufException(
          "expected a request of 1 to "
              + most
              + " bytes, found one that says it has "
              + Long.toUnsignedString(length),
          0);
    }
    return (int) length;
  }

  /** Fails where a field has another type than the schema gives it. */
  static void requireType(ProtobufReader reader, int tag, int wireType)
      throws MalformedProtobufException {
    if (ProtobufReader.wireType(tag) != wireType) {
      throw new MalformedProtobufException(
          "expected wire type "
              + wireType
              + " of field "
              + ProtobufReader.fieldNumber(tag)
              + ", found "
              + ProtobufReader.wireType(tag),
          reader.positionBytes());
    }
  }

  /** Enters an embedded message; the result is for {@link ProtobufReader#leave}. */
  static int enter(ProtobufReader reader, int tag) throws MalformedProtobufException {
    requireType(reader, tag, ProtobufReader.LENGTH_DELIMITED);
    return reader.enter(reader.readLength());
  }
}
