package dev.millrace.format.remotewrite;

import java.util.Arrays;

/** Snappy's block format read byte by byte, as its format description has it. */
final class SnappyReference {
  private final byte[] block;
  private int at;
  private byte[] out = {};
  private int size;

  private SnappyReference(byte[] block) {
    this.block = block;
  }

  static byte[] decompress(byte[] block) {
    return new SnappyReference(block).read();
  }

  private byte[] read() {
    long length = 0;
    for (int shift = 0; ; shift += 7) {
      int b = next();
      length |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        break;
      }
    }
    out = new byte[(int) length];
    while (at < block.length) {
      int tag = next();
      switch (tag & 3) {
        case 0 -> {
          int code = tag >>> 2;
          int literal = 1 + (code < 60 ? code : little(code - 59));
          System.arraycopy(block, at, out, size, literal);
          at += literal;
          size += literal;
        }
        case 1 -> copy(4 + ((tag >>> 2) & 7), ((tag & 0xe0) << 3) | next());
        case 2 -> copy(1 + (tag >>> 2), little(2));
        default -> copy(1 + (tag >>> 2), little(4));
      }
    }
    if (size != length) {
      throw new AssertionError("expected " + length + " bytes, found " + size);
    }
    return Arrays.copyOf(out, size);
  }

  private void copy(int length, int offset) {
    for (int i = 0; i < length; i++, size++) {
      out[size] = out[size - offset];
    }
  }

  private int little(int bytes) {
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= next() << (8 * i);
    }
    return value;
  }

  private int next() {
    return block[at++] & 0xff;
  }
}
