package dev.millrace.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the protobuf wire format into chunks, byte for byte as protobuf's own libraries do: every
 * varint, and every length of an embedded message, takes the fewest bytes.
 *
 * <p>The length of an embedded message is known only at its end. {@link #begin} leaves as many
 * bytes for it as the last message of that place needed, and {@link #end} fills them. Where the
 * guess was wrong, the part of the message that lies in the chunk of its length is moved by a byte
 * or so, and what lies in later chunks stays: at most {@link Chunk#SIZE_BYTES} are moved for a
 * message of any size, and for messages of about one size nothing is. For that, chunks are filled
 * only up to a reserve.
 *
 * <p>Fields are written in the order of the calls, and also where they have their default value: a
 * caller that wants what protobuf's libraries write calls in the order of field numbers and leaves
 * out defaults. After {@link #finish} the writer is empty and can be used again. Not thread-safe.
 * The owner closes it; that gives back what was not finished.
 *
 * <pre>{@code
 * try (ProtobufWriter out = new ProtobufWriter(pool)) {
 *   out.begin(1);
 *   out.writeUtf8(2, "up");
 *   out.end();
 *   Payload payload = out.finish();
 *   assert payload.lengthBytes() == 6;
 *   payload.close();
 * }
 * }</pre>
 */
public final class ProtobufWriter implements AutoCloseable {
  /** How deep embedded messages may nest; protobuf's libraries read no deeper than 100. */
  public static final int MAX_DEPTH = 128;

  /** The most that {@link #reserve} gives at once. */
  public static final int MAX_RESERVE_BYTES = 1024;

  private static final int MAX_LENGTH_BYTES = 5;
  private static final int MAX_TAG_BYTES = 5;

  /** The highest field number whose tag is one byte. */
  private static final int MAX_SHORT_FIELD = 15;

  /**
   * What stays free at the end of a chunk while it is filled: room for the lengths of all messages
   * that are open to grow from one byte to five.
   */
  private static final int RESERVE_BYTES = MAX_DEPTH * (MAX_LENGTH_BYTES - 1);

  private static final int LIMIT = Chunk.SIZE_BYTES - RESERVE_BYTES;

  /** How many chars of a text are written at once at most. */
  private static final int MAX_STEP_CHARS =
      (MAX_RESERVE_BYTES - MAX_LENGTH_BYTES) / Utf8.MAX_BYTES_PER_CHAR;

  /** Places whose last length is remembered; two places may share one, which costs moves only. */
  private static final int PLACES = 256;

  private static final byte[] NO_BYTES = new byte[0];
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final ChunkPool pool;
  private @Nullable Chunk first;
  private @Nullable Chunk last;
  private byte[] bytes = NO_BYTES;
  private int position;
  private long lengthOfFullBytes;

  /** For each open message: the chunk, the offset and the guessed size of its length. */
  private final @Nullable Chunk[] lengthChunks = new @Nullable Chunk[MAX_DEPTH];

  private final int[] lengthOffsets = new int[MAX_DEPTH];
  private final int[] lengthSizes = new int[MAX_DEPTH];
  private final long[] contentStarts = new long[MAX_DEPTH];
  private final int[] places = new int[MAX_DEPTH];
  private int depth;

  /** What {@link #rollBack} goes back to; the depth is -1 where there is none. */
  private @Nullable Chunk markChunk;

  private int markPosition;
  private long markLengthOfFullBytes;
  private int markDepth = -1;

  private final byte[] guesses = new byte[PLACES];

  /** A writer whose chunks come from a pool. */
  public ProtobufWriter(ChunkPool pool) {
    this.pool = pool;
    Arrays.fill(guesses, (byte) 1);
  }

  /** Bytes written since the writer was made or last finished. */
  public long lengthBytes() {
    return lengthOfFullBytes + position;
  }

  /** Writes a field of type {@code int32}, {@code int64}, {@code uint64} or {@code enum}. */
  public void writeVarint(int field, long value) {
    int at = putTag(field, ProtobufReader.VARINT, room(MAX_TAG_BYTES + Varint.MAX_BYTES));
    position = Varint.put(value, bytes, at);
  }

  /** Writes a field of type {@code sint32} or {@code sint64}. */
  public void writeZigZag(int field, long value) {
    writeVarint(field, (value << 1) ^ (value >> 63));
  }

  /** Writes a field of type {@code bool}. */
  public void writeBoolean(int field, boolean value) {
    writeVarint(field, value ? 1 : 0);
  }

  /** Writes a field of type {@code fixed64} or {@code sfixed64}. */
  public void writeFixed64(int field, long value) {
    int at = putTag(field, ProtobufReader.FIXED64, room(MAX_TAG_BYTES + Long.BYTES));
    LONGS.set(bytes, at, value);
    position = at + Long.BYTES;
  }

  /** Writes a field of type {@code double}. */
  public void writeDouble(int field, double value) {
    writeFixed64(field, Double.doubleToRawLongBits(value));
  }

  /** Writes a field of type {@code fixed32} or {@code sfixed32}. */
  public void writeFixed32(int field, int value) {
    int at = putTag(field, ProtobufReader.FIXED32, room(MAX_TAG_BYTES + Integer.BYTES));
    INTS.set(bytes, at, value);
    position = at + Integer.BYTES;
  }

  /** Writes a field of type {@code bytes}, or a {@code string} that is UTF-8 already. */
  public void writeBytes(int field, byte[] value, int offset, int lengthBytes) {
    writeLength(field, lengthBytes);
    writeRaw(value, offset, lengthBytes);
  }

  /**
   * Begins a length-delimited field whose length is known. Exactly so many bytes of content are
   * written next, and no {@link #end} ends it.
   *
   * @param lengthBytes 0 or more
   */
  public void writeLength(int field, int lengthBytes) {
    int at = putTag(field, ProtobufReader.LENGTH_DELIMITED, room(MAX_TAG_BYTES + MAX_LENGTH_BYTES));
    position = Varint.put(lengthBytes, bytes, at);
  }

  /**
   * Writes a field of type {@code string}; an unpaired surrogate becomes U+FFFD.
   *
   * <p>Text is mostly ASCII, and then its length in bytes is known before it is written.
   */
  public void writeUtf8(int field, String value) {
    int chars = value.length();
    if (chars > MAX_STEP_CHARS) {
      writeLongUtf8(field, value);
      return;
    }
    int most = MAX_TAG_BYTES + MAX_LENGTH_BYTES + Utf8.maxBytes(chars);
    int at = putTag(field, ProtobufReader.LENGTH_DELIMITED, room(most));
    int start = Varint.put(chars, bytes, at);
    int end = Utf8.write(value, bytes, start);
    int lengthBytes = end - start;
    if (lengthBytes != chars) {
      end = Utf8.write(value, bytes, Varint.put(lengthBytes, bytes, at));
    }
    position = end;
  }

  private void writeLongUtf8(int field, String value) {
    writeLength(field, Utf8.lengthBytes(value));
    writeRawUtf8(value);
  }

  /** Writes text as UTF-8 without a tag and a length, a part of what {@link #begin} began. */
  public void writeRawUtf8(String value) {
    int chars = value.length();
    int from = 0;
    while (from < chars) {
      int to = Math.min(chars, from + MAX_STEP_CHARS);
      if (to < chars && Character.isHighSurrogate(value.charAt(to - 1))) {
        to--;
      }
      int at = reserve(Utf8.maxBytes(to - from));
      position = Utf8.write(value, from, to, bytes, at);
      from = to;
    }
  }

  /**
   * Makes room for bytes that the caller writes itself into {@link #reservedBytes}, and then claims
   * with {@link #advanceTo}: for parts whose layout it knows beforehand.
   *
   * @param lengthBytes at most {@link #MAX_RESERVE_BYTES}
   * @return the offset at which to write
   * @throws IllegalArgumentException if more is asked for
   */
  public int reserve(int lengthBytes) {
    if (lengthBytes > MAX_RESERVE_BYTES) {
      throw new IllegalArgumentException(
          "expected to reserve at most "
              + MAX_RESERVE_BYTES
              + " bytes, found "
              + lengthBytes
              + "; write in parts");
    }
    return room(lengthBytes);
  }

  /** The array that {@link #reserve} made room in. */
  public byte[] reservedBytes() {
    return bytes;
  }

  /**
   * Claims what was written after {@link #reserve}.
   *
   * @param offset the offset after the last byte written
   * @throws IllegalArgumentException if it lies outside of what can have been reserved
   */
  public void advanceTo(int offset) {
    if (offset < position || offset > LIMIT) {
      throw new IllegalArgumentException(
          "expected an offset from "
              + position
              + " to "
              + LIMIT
              + ", found "
              + offset
              + "; reserve first");
    }
    position = offset;
  }

  /**
   * Begins a length-delimited field whose content is written next: an embedded message, or the
   * values of a packed field with {@link #writeRawVarint} and {@link #writeRawFixed64}.
   *
   * @throws IllegalStateException if {@link #MAX_DEPTH} fields are open
   */
  public void begin(int field) {
    if (depth == MAX_DEPTH) {
      throw new IllegalStateException(
          "expected messages at most " + MAX_DEPTH + " deep, found one more");
    }
    int place = (31 * depth + field) & (PLACES - 1);
    int guess = guesses[place];
    int at = putTag(field, ProtobufReader.LENGTH_DELIMITED, room(MAX_TAG_BYTES + MAX_LENGTH_BYTES));
    lengthChunks[depth] = last;
    lengthOffsets[depth] = at;
    lengthSizes[depth] = guess;
    places[depth] = place;
    position = at + guess;
    contentStarts[depth] = lengthBytes();
    depth++;
  }

  /**
   * Ends the field that was begun last.
   *
   * @throws IllegalStateException if none is open, or it has 2 GiB or more
   */
  public void end() {
    if (depth == 0) {
      throw new IllegalStateException("expected an open message to end, found none; call begin");
    }
    depth--;
    long length = lengthBytes() - contentStarts[depth];
    if (length > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "expected less than 2 GiB in one message, found " + length + " bytes");
    }
    int size = Varint.sizeOf(length);
    Chunk chunk = lengthChunks[depth];
    if (chunk == null) {
      throw new IllegalStateException("expected the chunk of an open message, found none");
    }
    lengthChunks[depth] = null;
    int offset = lengthOffsets[depth];
    if (size != lengthSizes[depth]) {
      moveContent(chunk, offset + lengthSizes[depth], size - lengthSizes[depth]);
      guesses[places[depth]] = (byte) size;
    }
    Varint.put(length, chunk.bytes(), offset);
  }

  /** Writes a varint without a tag. */
  public void writeRawVarint(long value) {
    int at = room(Varint.MAX_BYTES);
    position = Varint.put(value, bytes, at);
  }

  /** Writes eight bytes, little-endian, without a tag. */
  public void writeRawFixed64(long value) {
    int at = room(Long.BYTES);
    LONGS.set(bytes, at, value);
    position = at + Long.BYTES;
  }

  /** Writes bytes as they are: one or more whole fields, or a part of what {@link #begin} began. */
  public void writeRaw(byte[] source, int offset, int lengthBytes) {
    int free = LIMIT - position;
    if (lengthBytes <= free && last != null) {
      System.arraycopy(source, offset, bytes, position, lengthBytes);
      position += lengthBytes;
      return;
    }
    int from = offset;
    int left = lengthBytes;
    while (left > 0) {
      int at = room(1);
      int step = Math.min(left, LIMIT - at);
      System.arraycopy(source, from, bytes, at, step);
      position = at + step;
      from += step;
      left -= step;
    }
  }

  /**
   * Remembers what has been written so far, for {@link #rollBack}. The mark holds until the next
   * one, and no message that is open now may be ended before {@link #rollBack}.
   */
  public void mark() {
    markChunk = last;
    markPosition = position;
    markLengthOfFullBytes = lengthOfFullBytes;
    markDepth = depth;
  }

  /**
   * Forgets what was written since {@link #mark}; messages begun since then are not open any more.
   *
   * @throws IllegalStateException without a mark, or where a message that was open then has ended
   */
  public void rollBack() {
    if (markDepth < 0 || depth < markDepth) {
      throw new IllegalStateException(
          "expected a mark whose open messages are still open, found "
              + (markDepth < 0 ? "none" : "one that was ended")
              + "; call mark first");
    }
    Chunk chunk = markChunk;
    if (chunk == null) {
      close();
      return;
    }
    Chunk later = chunk.next();
    chunk.setNext(null);
    pool.giveBackAll(later);
    Arrays.fill(lengthChunks, markDepth, depth, null);
    last = chunk;
    bytes = chunk.bytes();
    position = markPosition;
    lengthOfFullBytes = markLengthOfFullBytes;
    depth = markDepth;
  }

  /**
   * Ends the message.
   *
   * @return its bytes; the caller owns them
   * @throws IllegalStateException if an embedded message is still open
   */
  public Payload finish() {
    if (depth != 0) {
      throw new IllegalStateException(
          "expected every message to be ended, found " + depth + " open; call end");
    }
    closeLastChunk();
    Payload payload = new Payload(pool, first, lengthOfFullBytes);
    forget();
    return payload;
  }

  /** Gives back what was written and not finished. The writer is empty afterwards. */
  @Override
  public void close() {
    Chunk chunk = first;
    forget();
    pool.giveBackAll(chunk);
  }

  /** Writes a tag where there is room for it, and gives the offset after it. */
  private int putTag(int field, int wireType, int at) {
    if (field > 0 && field <= MAX_SHORT_FIELD) {
      bytes[at] = (byte) (field << 3 | wireType);
      return at + 1;
    }
    return putLongTag(field, wireType, at);
  }

  private int putLongTag(int field, int wireType, int at) {
    if (field < 1 || field > 0x1fff_ffff) {
      throw new IllegalArgumentException(
          "expected a field number from 1 to 536870911, found " + field);
    }
    return Varint.put((field & 0xffff_ffffL) << 3 | wireType, bytes, at);
  }

  /** Moves what lies in a chunk from {@code from} on; positive is towards its end. */
  private void moveContent(Chunk chunk, int from, int byBytes) {
    byte[] content = chunk.bytes();
    if (chunk == last) {
      System.arraycopy(content, from, content, from + byBytes, position - from);
      position += byBytes;
    } else {
      int length = chunk.lengthBytes();
      System.arraycopy(content, from, content, from + byBytes, length - from);
      chunk.setLengthBytes(length + byBytes);
      lengthOfFullBytes += byBytes;
    }
  }

  /** Where to write so many bytes: here, or at the start of the next chunk. */
  private int room(int lengthBytes) {
    if (lengthBytes > LIMIT - position || last == null) {
      nextChunk();
    }
    return position;
  }

  private void nextChunk() {
    closeLastChunk();
    Chunk chunk = pool.take();
    Chunk before = last;
    if (before == null) {
      first = chunk;
    } else {
      before.setNext(chunk);
    }
    last = chunk;
    bytes = chunk.bytes();
  }

  private void closeLastChunk() {
    Chunk chunk = last;
    if (chunk != null) {
      chunk.setLengthBytes(position);
      lengthOfFullBytes += position;
    }
    position = 0;
  }

  private void forget() {
    first = null;
    last = null;
    bytes = NO_BYTES;
    position = 0;
    lengthOfFullBytes = 0;
    Arrays.fill(lengthChunks, 0, depth, null);
    depth = 0;
    markChunk = null;
    markDepth = -1;
  }
}
