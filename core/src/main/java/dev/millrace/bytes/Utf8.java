package dev.millrace.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * UTF-8 (RFC 3629): strings written straight into a byte array, and strict validation of received
 * bytes.
 *
 * <p>What is written is always valid UTF-8. A surrogate without its partner, which a Java string
 * may hold but which has no encoding, is written as U+FFFD, the replacement character.
 *
 * <pre>{@code
 * byte[] target = new byte[Utf8.maxBytes(text.length())];
 * int end = Utf8.write(text, target, 0);
 * assert end == Utf8.lengthBytes(text);
 * assert Utf8.isValid(target, 0, end);
 * }</pre>
 *
 * <p>Stateless and safe for use by many threads. Nothing is allocated.
 */
public final class Utf8 {
  /**
   * Most bytes that one {@code char} can take. Code points of four bytes are two chars, so they
   * take fewer for each.
   */
  public static final int MAX_BYTES_PER_CHAR = 3;

  /** Longest string for which {@link #maxBytes} is an int. */
  private static final int MAX_CHARS = Integer.MAX_VALUE / MAX_BYTES_PER_CHAR;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** From so many chars on it pays to look whether all are ASCII before one is written. */
  private static final int COPY_CHARS = 32;

  /** The bits that no ASCII byte has, in eight bytes at once. */
  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

  private Utf8() {}

  /**
   * Gives the room that {@link #write} needs at most, without looking at the characters.
   *
   * @param chars length of a string, from 0 to 715,827,882
   * @return three times as many bytes
   * @throws IllegalArgumentException if {@code chars} is out of range
   */
  public static int maxBytes(int chars) {
    if (chars < 0 || chars > MAX_CHARS) {
      throw new IllegalArgumentException(
          "Expected a length of 0 to "
              + MAX_CHARS
              + " chars, got "
              + chars
              + ": encode the string in parts");
    }
    return MAX_BYTES_PER_CHAR * chars;
  }

  /**
   * Counts the bytes that {@link #write} writes for a string.
   *
   * @param text any string
   * @return its length in UTF-8
   * @throws ArithmeticException if that is over 2<sup>31</sup> - 1; strings of up to 715,827,882
   *     chars never are
   */
  public static int lengthBytes(String text) {
    int chars = text.length();
    int index = 0;
    while (index < chars && text.charAt(index) < 0x80) {
      index++;
    }
    long length = index;
    while (index < chars) {
      char c = text.charAt(index++);
      if (c < 0x80) {
        length++;
      } else if (c < 0x800) {
        length += 2;
      } else if (isPair(c, text, index, chars)) {
        length += 4;
        index++;
      } else {
        length += 3;
      }
    }
    return Math.toIntExact(length);
  }

  /**
   * Writes a string. Bytes outside of its encoding are left as they are.
   *
   * @param text any string; each unpaired surrogate becomes U+FFFD (EF BF BD)
   * @param target where to; {@link #lengthBytes} or {@link #maxBytes} free bytes from {@code
   *     offset} on are enough
   * @param offset index in {@code target} of the first byte
   * @return the index after the last byte
   * @throws IndexOutOfBoundsException if the string does not fit; a part of it may be written
   */
  public static int write(String text, byte[] target, int offset) {
    return write(text, 0, text.length(), target, offset);
  }

  /**
   * Writes a part of a string, as {@link #write(String, byte[], int)} does the whole. A pair of
   * surrogates that the part cuts in two is two unpaired ones.
   *
   * @param text any string
   * @param from index of the first char of the part
   * @param to index after its last char
   * @param target where to
   * @param offset index in {@code target} of the first byte
   * @return the index after the last byte
   * @throws IndexOutOfBoundsException if the part is not inside the string, or does not fit
   */
  public static int write(String text, int from, int to, byte[] target, int offset) {
    if (to - from >= COPY_CHARS) {
      return writeLong(text, from, to, target, offset);
    }
    int index = from;
    int position = offset;
    while (index < to) {
      char c = text.charAt(index);
      if (c >= 0x80) {
        return writeFrom(index, to, text, target, position);
      }
      target[position++] = (byte) c;
      index++;
    }
    return position;
  }

  /**
   * First looks whether all is ASCII, which then is copied in one go: a loop without a store and a
   * branch for each char, and the copy that the JVM has for arrays.
   */
  @SuppressWarnings("deprecation") // It drops the upper half of each char; ASCII has none.
  private static int writeLong(String text, int from, int to, byte[] target, int offset) {
    int bits = 0;
    for (int i = from; i < to; i++) {
      bits |= text.charAt(i);
    }
    if (bits >= 0x80) {
      return writeFrom(from, to, text, target, offset);
    }
    text.getBytes(from, to, target, offset);
    return offset + to - from;
  }

  /**
   * The general case, apart from the loop over ASCII so that the latter stays small enough to be
   * optimised well.
   */
  private static int writeFrom(int start, int to, String text, byte[] target, int offset) {
    int index = start;
    int position = offset;
    while (index < to) {
      char c = text.charAt(index++);
      if (c < 0x80) {
        target[position++] = (byte) c;
      } else if (c < 0x800) {
        target[position] = (byte) (0xC0 | c >> 6);
        target[position + 1] = continuation(c);
        position += 2;
      } else if (!Character.isSurrogate(c)) {
        position = writeThree(c, target, position);
      } else if (isPair(c, text, index, to)) {
        int codePoint = Character.toCodePoint(c, text.charAt(index++));
        target[position] = (byte) (0xF0 | codePoint >> 18);
        target[position + 1] = continuation(codePoint >> 12);
        target[position + 2] = continuation(codePoint >> 6);
        target[position + 3] = continuation(codePoint);
        position += 4;
      } else {
        position = writeThree('\uFFFD', target, position);
      }
    }
    return position;
  }

  private static int writeThree(char c, byte[] target, int offset) {
    target[offset] = (byte) (0xE0 | c >> 12);
    target[offset + 1] = continuation(c >> 6);
    target[offset + 2] = continuation(c);
    return offset + 3;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private static boolean isPair(char c, String text, int next, int to) {
    return Character.isHighSurrogate(c) && next < to && Character.isLowSurrogate(text.charAt(next));
  }

  /**
   * Tells whether bytes are well-formed UTF-8, as RFC 3629 section 4 defines it: no overlong forms,
   * no surrogates, nothing above U+10FFFF, nothing cut off. Every code point that remains is
   * allowed, U+0000 and non-characters among them.
   *
   * @param bytes holds the range
   * @param offset first index of the range
   * @param lengthBytes length of the range; an empty one is valid
   * @return whether the range is valid on its own
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public static boolean isValid(byte[] bytes, int offset, int lengthBytes) {
    Objects.checkFromIndexSize(offset, lengthBytes, bytes.length);
    int end = offset + lengthBytes;
    int position = offset;
    while (position < end) {
      if (bytes[position] < 0) {
        int size = sequenceLength(bytes, position, end);
        if (size == 0) {
          return false;
        }
        position += size;
      } else {
        position = skipAscii(bytes, position, end);
      }
    }
    return true;
  }

  /** Finds the first byte at or after {@code start} that is not ASCII, or {@code end}. */
  private static int skipAscii(byte[] bytes, int start, int end) {
    int position = start;
    while (position <= end - Long.BYTES && ((long) LONGS.get(bytes, position) & NOT_ASCII) == 0) {
      position += Long.BYTES;
    }
    while (position < end && bytes[position] >= 0) {
      position++;
    }
    return position;
  }

  /**
   * Length of the well-formed sequence of two to four bytes that starts at {@code position}; 0 if
   * none does. What the first byte leaves open, overlong forms, surrogates and too high code
   * points, shows in the second.
   */
  private static int sequenceLength(byte[] bytes, int position, int end) {
    int first = bytes[position] & 0xFF;
    int size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4 || size > end - position) {
      return 0;
    }
    int second = bytes[position + 1] & 0xFF;
    int lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < lowest || second > highest) {
      return 0;
    }
    if (size > 2 && !isContinuation(bytes[position + 2])) {
      return 0;
    }
    return size < 4 || isContinuation(bytes[position + 3]) ? size : 0;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }
}
