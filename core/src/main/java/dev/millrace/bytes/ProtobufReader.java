package dev.millrace.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the protobuf wire format from an array or, without copying it together, from the chunks of
 * a {@link Payload}.
 *
 * <p>Positions count from the start of what {@link #reset} was given. The reader never leaves its
 * {@link #limitBytes limit}, which a caller narrows to one embedded message with {@link #enter} and
 * widens again with {@link #leave}; whatever does not fit in is reported as a {@link
 * MalformedProtobufException} with its position, after which the reader stands anywhere. Field
 * number 0 and those above 536,870,911, varints of more than ten bytes, and lengths beyond the
 * limit are malformed.
 *
 * <p>Used again and again by one thread at a time; reading allocates nothing. It does not own what
 * it reads: {@link #clear} lets go of it.
 *
 * <pre>{@code
 * ProtobufReader reader = new ProtobufReader();
 * reader.reset(new byte[] {8, 42}, 0, 2);
 * int tag = reader.readTag();
 * assert ProtobufReader.fieldNumber(tag) == 1;
 * assert reader.readVarint() == 42;
 * assert reader.readTag() == ProtobufReader.END;
 * }</pre>
 */
public final class ProtobufReader {
  /** What {@link #readTag} gives at the limit. */
  public static final int END = 0;

  /** Wire type of whole numbers, booleans and enums. */
  public static final int VARINT = 0;

  /** Wire type of eight bytes. */
  public static final int FIXED64 = 1;

  /** Wire type of text, bytes, embedded messages and packed fields. */
  public static final int LENGTH_DELIMITED = 2;

  /** Wire type that begins a group. */
  public static final int START_GROUP = 3;

  /** Wire type that ends a group. */
  public static final int END_GROUP = 4;

  /** Wire type of four bytes. */
  public static final int FIXED32 = 5;

  /** How deep groups may nest that are skipped: as deep as protobuf's libraries allow. */
  public static final int MAX_GROUP_DEPTH = 100;

  private static final int MAX_VARINT_BYTES = 10;
  private static final byte[] NO_BYTES = new byte[0];
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private @Nullable Chunk[] chunks = new @Nullable Chunk[16];
  private int[] chunkStarts = new int[16];
  private int chunkCount;
  private int chunk;

  /** The array that is read now; {@code base} is the position of its index 0. */
  private byte[] page = NO_BYTES;

  private int base;
  private int index;

  /** Index in the array after the last byte that may be read: its own end, or the limit. */
  private int pageLimit;

  private int pageStart;
  private int pageEnd;
  private int limit;

  private byte[] slice = NO_BYTES;
  private int sliceOffset;

  /** A reader of nothing. */
  public ProtobufReader() {}

  /** The number of the field that a tag begins. */
  public static int fieldNumber(int tag) {
    return tag >>> 3;
  }

  /** The wire type that a tag gives. */
  public static int wireType(int tag) {
    return tag & 7;
  }

  /** Undoes the zigzag encoding of {@code sint32} and {@code sint64}. */
  public static long decodeZigZag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads an array from here on, which nobody may change meanwhile. */
  public void reset(byte[] bytes, int offset, int lengthBytes) {
    forgetChunks();
    slice = NO_BYTES;
    page = bytes;
    base = -offset;
    index = offset;
    pageStart = 0;
    pageEnd = lengthBytes;
    limit = lengthBytes;
    pageLimit = offset + lengthBytes;
  }

  /**
   * Reads a payload from here on, which must stay open meanwhile.
   *
   * @throws IllegalArgumentException if it has 2 GiB or more
   */
  public void reset(Payload payload) {
    if (payload.lengthBytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "expected less than 2 GiB in one message, found " + payload.lengthBytes() + " bytes");
    }
    reset(NO_BYTES, 0, 0);
    int start = 0;
    for (Chunk next = payload.first(); next != null; next = next.next()) {
      if (next.lengthBytes() > 0) {
        addChunk(next, start);
        start += next.lengthBytes();
      }
    }
    limit = start;
    if (chunkCount > 0) {
      openChunk(0);
      seekInPage(0);
    }
  }

  /** Lets go of what was read. */
  public void clear() {
    reset(NO_BYTES, 0, 0);
  }

  /** How many bytes lie before the next one. */
  public int positionBytes() {
    return base + index;
  }

  /** The position that reading ends at. */
  public int limitBytes() {
    return limit;
  }

  /**
   * Narrows the limit to the next bytes, such as those of an embedded message.
   *
   * @param lengthBytes from {@link #readLength}
   * @return what to give to {@link #leave}
   */
  public int enter(int lengthBytes) {
    int outer = limit;
    setLimit(positionBytes() + lengthBytes);
    return outer;
  }

  /** Widens the limit to what it was before {@link #enter}; the position stays. */
  public void leave(int outerLimitBytes) {
    setLimit(outerLimitBytes);
  }

  /** Goes to a position, forward or back, up to the limit. */
  public void seek(int positionBytes) {
    if (positionBytes < 0 || positionBytes > limit) {
      throw new IllegalArgumentException(
          "expected a position from 0 to " + limit + ", found " + positionBytes);
    }
    int to = chunk;
    // The end of a chunk is a position in it as well, so that the limit always is one.
    while (positionBytes > pageEnd || positionBytes < pageStart) {
      to += positionBytes > pageEnd ? 1 : -1;
      openChunk(to);
    }
    seekInPage(positionBytes);
  }

  /**
   * Reads the tag of the next field.
   *
   * @return a tag for {@link #fieldNumber} and {@link #wireType}, or {@link #END} at the limit
   */
  public int readTag() throws MalformedProtobufException {
    if (index == pageLimit && positionBytes() == limit) {
      return END;
    }
    int start = positionBytes();
    long tag = readVarint();
    if (tag < 8 || tag > 0xffff_ffffL) {
      throw new MalformedProtobufException(
          "expected a field number from 1 to 536870911, found " + Long.toUnsignedString(tag >>> 3),
          start);
    }
    int type = (int) tag & 7;
    if (type > FIXED32) {
      throw new MalformedProtobufException(
          "expected a wire type from 0 to 5, found " + type, start);
    }
    return (int) tag;
  }

  /** Reads a varint. One that encodes 32 bits or fewer is cut to them by a cast. */
  public long readVarint() throws MalformedProtobufException {
    int at = index;
    if (at < pageLimit) {
      byte first = page[at];
      if (first >= 0) {
        index = at + 1;
        return first;
      }
    }
    return pageLimit - at >= MAX_VARINT_BYTES ? readVarintInPage() : readVarintSlowly();
  }

  private long readVarintInPage() throws MalformedProtobufException {
    byte[] bytes = page;
    int at = index;
    long value = 0;
    for (int shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        index = at;
        return value;
      }
    }
    throw tooLongVarint();
  }

  private long readVarintSlowly() throws MalformedProtobufException {
    int start = positionBytes();
    long value = 0;
    for (int shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      byte b = readByte("the rest of a varint");
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    seek(start);
    throw tooLongVarint();
  }

  private MalformedProtobufException tooLongVarint() {
    return new MalformedProtobufException(
        "expected a varint of at most ten bytes, found a longer one", positionBytes());
  }

  private byte readByte(String what) throws MalformedProtobufException {
    if (index == pageLimit) {
      if (positionBytes() == limit) {
        throw new MalformedProtobufException(
            "expected " + what + ", found the end of the message", limit);
      }
      openChunk(chunk + 1);
      seekInPage(pageStart);
    }
    return page[index++];
  }

  /** Reads eight bytes, of a {@code fixed64}, {@code sfixed64} or {@code double}. */
  public long readFixed64() throws MalformedProtobufException {
    int at = index;
    if (pageLimit - at >= Long.BYTES) {
      index = at + Long.BYTES;
      return (long) LONGS.get(page, at);
    }
    requireBytes(Long.BYTES);
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      value |= (readByte("a fixed number") & 0xffL) << shift;
    }
    return value;
  }

  /** Reads a {@code double}. */
  public double readDouble() throws MalformedProtobufException {
    return Double.longBitsToDouble(readFixed64());
  }

  /** Reads four bytes, of a {@code fixed32}, {@code sfixed32} or {@code float}. */
  public int readFixed32() throws MalformedProtobufException {
    requireBytes(Integer.BYTES);
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      value |= (readByte("a fixed number") & 0xff) << shift;
    }
    return value;
  }

  /**
   * Reads the length of a length-delimited field; its bytes come next, and all lie within the
   * limit.
   */
  public int readLength() throws MalformedProtobufException {
    int start = positionBytes();
    long length = readVarint();
    if (length < 0 || length > limit - positionBytes()) {
      throw new MalformedProtobufException(
          "expected a length of at most the "
              + (limit - positionBytes())
              + " bytes that are left in the message, found "
              + Long.toUnsignedString(length),
          start);
    }
    return (int) length;
  }

  /**
   * Goes past the next bytes and makes them lie in one piece: {@link #slice} from {@link
   * #sliceOffset} on. They are copied only where they straddle chunks.
   *
   * @param lengthBytes from {@link #readLength}
   * @param scratch takes the copy; what it held is lost
   */
  public void readSlice(int lengthBytes, ByteArray scratch) {
    if (lengthBytes <= pageLimit - index) {
      slice = page;
      sliceOffset = index;
      index += lengthBytes;
      return;
    }
    int end = positionBytes() + lengthBytes;
    if (lengthBytes < 0 || end < 0 || end > limit) {
      throw new IllegalArgumentException(
          "expected at most " + (limit - positionBytes()) + " bytes, found " + lengthBytes);
    }
    scratch.clear();
    appendTo(scratch, lengthBytes);
    slice = scratch.bytes();
    sliceOffset = 0;
  }

  /** Whether the next bytes lie in one piece, so that {@link #readSlice} copies nothing. */
  public boolean isInOnePiece(int lengthBytes) {
    return lengthBytes <= pageLimit - index;
  }

  /** The array that the last {@link #readSlice} gave. */
  public byte[] slice() {
    return slice;
  }

  /** Where in {@link #slice} the bytes of the last {@link #readSlice} begin. */
  public int sliceOffset() {
    return sliceOffset;
  }

  /**
   * Goes past the next bytes and appends a copy of them.
   *
   * @param lengthBytes from {@link #readLength}
   */
  public void appendTo(ByteArray target, int lengthBytes) {
    int end = positionBytes() + lengthBytes;
    while (positionBytes() < end) {
      if (index == pageLimit) {
        openChunk(chunk + 1);
        seekInPage(pageStart);
      }
      int step = Math.min(pageLimit - index, end - positionBytes());
      target.append(page, index, step);
      index += step;
    }
  }

  /**
   * Goes past the next bytes and writes a copy of them.
   *
   * @param lengthBytes from {@link #readLength}, or of whole fields
   */
  public void copyTo(ProtobufWriter target, int lengthBytes) {
    int end = positionBytes() + lengthBytes;
    while (positionBytes() < end) {
      if (index == pageLimit) {
        openChunk(chunk + 1);
        seekInPage(pageStart);
      }
      int step = Math.min(pageLimit - index, end - positionBytes());
      target.writeRaw(page, index, step);
      index += step;
    }
  }

  /** Goes past the value of a field that the caller does not know, whatever its type. */
  public void skip(int tag) throws MalformedProtobufException {
    skip(tag, 0);
  }

  private void skip(int tag, int groups) throws MalformedProtobufException {
    switch (wireType(tag)) {
      case VARINT -> readVarint();
      case FIXED64 -> skipBytes(Long.BYTES);
      case LENGTH_DELIMITED -> skipBytes(readLength());
      case START_GROUP -> skipGroup(fieldNumber(tag), groups + 1);
      case END_GROUP ->
          throw new MalformedProtobufException(
              "expected a field, found the end of group "
                  + fieldNumber(tag)
                  + ", which did not begin",
              positionBytes());
      default -> skipBytes(Integer.BYTES);
    }
  }

  private void skipGroup(int number, int groups) throws MalformedProtobufException {
    if (groups > MAX_GROUP_DEPTH) {
      throw new MalformedProtobufException(
          "expected groups at most " + MAX_GROUP_DEPTH + " deep, found more", positionBytes());
    }
    while (true) {
      int start = positionBytes();
      int tag = readTag();
      if (tag == END || (wireType(tag) == END_GROUP && fieldNumber(tag) != number)) {
        throw new MalformedProtobufException(
            "expected the end of group "
                + number
                + ", found "
                + (tag == END ? "the end of the message" : "that of group " + fieldNumber(tag)),
            start);
      }
      if (wireType(tag) == END_GROUP) {
        return;
      }
      skip(tag, groups);
    }
  }

  /**
   * Goes past so many bytes.
   *
   * @param lengthBytes 0 or more
   */
  public void skipBytes(int lengthBytes) throws MalformedProtobufException {
    if (lengthBytes <= pageLimit - index) {
      index += lengthBytes;
      return;
    }
    requireBytes(lengthBytes);
    seek(positionBytes() + lengthBytes);
  }

  private void requireBytes(int lengthBytes) throws MalformedProtobufException {
    if (lengthBytes > limit - positionBytes()) {
      throw new MalformedProtobufException(
          "expected "
              + lengthBytes
              + " bytes, found the end of the message after "
              + (limit - positionBytes()),
          positionBytes());
    }
  }

  private void setLimit(int limitBytes) {
    limit = limitBytes;
    pageLimit = Math.min(pageEnd, limitBytes) - base;
  }

  private void seekInPage(int positionBytes) {
    index = positionBytes - base;
    pageLimit = Math.min(pageEnd, limit) - base;
  }

  private void openChunk(int number) {
    Chunk opened = chunks[number];
    if (opened == null) {
      throw new IllegalStateException("expected one of " + chunkCount + " chunks, found " + number);
    }
    chunk = number;
    page = opened.bytes();
    pageStart = chunkStarts[number];
    pageEnd = pageStart + opened.lengthBytes();
    base = pageStart;
  }

  private void addChunk(Chunk added, int start) {
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunkCount);
      chunkStarts = Arrays.copyOf(chunkStarts, 2 * chunkCount);
    }
    chunks[chunkCount] = added;
    chunkStarts[chunkCount++] = start;
  }

  private void forgetChunks() {
    Arrays.fill(chunks, 0, chunkCount, null);
    chunkCount = 0;
    chunk = 0;
  }
}
