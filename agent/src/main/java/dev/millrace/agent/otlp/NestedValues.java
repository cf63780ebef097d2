package dev.millrace.agent.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.Utf8;

/**
 * Rewrites the lists and maps of attribute values in the one form that protobuf's libraries write:
 * without unknown fields, each choice made once, every length minimal. So a value that arrived in
 * two forms is one value. Used again and again; not thread-safe.
 */
final class NestedValues {
  private static final int ELEMENT = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int KEY = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int VALUE = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final byte[] NO_BYTES = new byte[0];

  private final ProtobufReader reader = new ProtobufReader();
  private byte[] bytes = NO_BYTES;
  private int base;
  private boolean valid;

  /** Which field of an {@code AnyValue} holds, and from where on; 0 for none. */
  private int heldTag;

  private int heldFrom;

  /**
   * Appends an {@code ArrayValue} or a {@code KeyValueList}.
   *
   * @param pairs whether it is a {@code KeyValueList}
   * @return {@code false} where a text in it is not valid UTF-8
   */
  boolean append(ByteArray out, byte[] source, int offset, int lengthBytes, boolean pairs) {
    bytes = source;
    base = offset;
    valid = true;
    reader.reset(source, offset, lengthBytes);
    try {
      writeList(out, pairs);
    } catch (MalformedProtobufException e) {
      throw new IllegalStateException("expected a message that was checked", e);
    } finally {
      bytes = NO_BYTES;
      reader.clear();
    }
    return valid;
  }

  private void writeList(ByteArray out, boolean pairs) throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag != ELEMENT) {
        reader.skip(tag);
        continue;
      }
      int outer = reader.enter(reader.readLength());
      out.append(ELEMENT);
      int start = out.lengthBytes();
      if (pairs) {
        writePair(out);
      } else {
        int from = reader.positionBytes();
        heldTag = 0;
        findHeld();
        reader.seek(from);
        writeHeld(out, heldTag, heldFrom);
      }
      insertLength(out, start);
      reader.leave(outer);
    }
  }

  private void writePair(ByteArray out) throws MalformedProtobufException {
    int from = reader.positionBytes();
    int keyStart = 0;
    int keyLength = 0;
    boolean hasValue = false;
    heldTag = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == KEY) {
        keyLength = reader.readLength();
        keyStart = base + reader.positionBytes();
        reader.skipBytes(keyLength);
      } else if (tag == VALUE) {
        hasValue = true;
        int outer = reader.enter(reader.readLength());
        findHeld();
        reader.leave(outer);
      } else {
        reader.skip(tag);
      }
    }
    if (keyLength > 0) {
      writeText(out, KEY, keyStart, keyLength);
    }
    if (!hasValue) {
      return;
    }
    int tagHeld = heldTag;
    int tagFrom = heldFrom;
    out.append(VALUE);
    int start = out.lengthBytes();
    reader.seek(from);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == VALUE) {
        int outer = reader.enter(reader.readLength());
        writeHeld(out, tagHeld, tagFrom);
        reader.leave(outer);
      } else {
        reader.skip(tag);
      }
    }
    insertLength(out, start);
  }

  /** Finds which of the fields of an {@code AnyValue} holds: the last, with its like before it. */
  private void findHeld() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (WireAttributes.isValueTag(tag)) {
        // Of messages those that follow one another are one; of the rest the last holds alone.
        if (tag != heldTag || !WireAttributes.isMessageTag(tag)) {
          heldFrom = reader.positionBytes();
        }
        heldTag = tag;
      }
      reader.skip(tag);
    }
  }

  private void writeHeld(ByteArray out, int tagHeld, int tagFrom)
      throws MalformedProtobufException {
    int start = -1;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag != tagHeld || reader.positionBytes() < tagFrom) {
        reader.skip(tag);
      } else if (WireAttributes.isMessageTag(tag)) {
        if (start < 0) {
          out.append(tag);
          start = out.lengthBytes();
        }
        int outer = reader.enter(reader.readLength());
        writeList(out, tag == WireAttributes.KVLIST_VALUE);
        reader.leave(outer);
      } else {
        writeScalar(out, tag);
      }
    }
    if (start >= 0) {
      insertLength(out, start);
    }
  }

  private void writeScalar(ByteArray out, int tag) throws MalformedProtobufException {
    switch (ProtobufReader.wireType(tag)) {
      case ProtobufReader.VARINT -> {
        out.append(tag);
        long value = reader.readVarint();
        appendVarint(out, tag == WireAttributes.BOOL_VALUE && value != 0 ? 1 : value);
      }
      case ProtobufReader.FIXED64 -> {
        out.append(tag);
        long value = reader.readFixed64();
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
          out.append((int) (value >>> shift));
        }
      }
      default -> {
        int length = reader.readLength();
        int start = base + reader.positionBytes();
        reader.skipBytes(length);
        writeText(out, tag, start, length);
      }
    }
  }

  /** Writes text, or bytes. */
  private void writeText(ByteArray out, int tag, int start, int lengthBytes) {
    valid &= tag == WireAttributes.BYTES_VALUE || Utf8.isValid(bytes, start, lengthBytes);
    out.append(tag);
    appendVarint(out, lengthBytes);
    out.append(bytes, start, lengthBytes);
  }

  /** Puts the length of what was appended from {@code start} on before it. */
  private static void insertLength(ByteArray out, int start) {
    int length = out.lengthBytes() - start;
    int end = out.lengthBytes();
    appendVarint(out, length);
    int size = out.lengthBytes() - end;
    byte[] content = out.bytes();
    long prefix = 0;
    for (int i = 0; i < size; i++) {
      prefix |= (content[end + i] & 0xffL) << (Byte.SIZE * i);
    }
    System.arraycopy(content, start, content, start + size, length);
    for (int i = 0; i < size; i++) {
      content[start + i] = (byte) (prefix >>> (Byte.SIZE * i));
    }
  }

  static void appendVarint(ByteArray out, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.append((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.append((int) rest);
  }
}
