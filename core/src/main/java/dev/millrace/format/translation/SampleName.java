package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import java.nio.charset.StandardCharsets;

/**
 * The name of samples as their lines begin with it: before the braces that hold the labels, or in
 * quotes as the first thing in them.
 *
 * <pre>
 *   plain   | foo                |{a="b"} | 1
 *   quoted  | {"foo.bar",        | a="b"} | 1      the block of labels without its brace
 *   quoted  | {"foo.bar"}        |        | 1      no labels
 * </pre>
 *
 * <p>Immutable.
 */
public final class SampleName {
  private final byte[] alone;
  private final byte[] beforeLabels;
  private final int skippedBytes;

  public SampleName(String name) {
    if (NameText.isPlain(name, true)) {
      alone = name.getBytes(StandardCharsets.US_ASCII);
      beforeLabels = alone;
      skippedBytes = 0;
    } else {
      alone = quoted(name, '}');
      beforeLabels = quoted(name, ',');
      skippedBytes = 1;
    }
  }

  private static byte[] quoted(String name, char end) {
    ByteArray text = new ByteArray();
    text.append('{');
    NameText.appendMetric(text, name);
    text.append(end);
    return text.toByteArray();
  }

  /** What stands before the rest of a block of labels; nobody may change it. */
  public byte[] before(int blockLengthBytes) {
    return blockLengthBytes == 1 ? alone : beforeLabels;
  }

  /** How many bytes at the start of a block of labels {@link #before} stands for. */
  public int skippedBytes(int blockLengthBytes) {
    return blockLengthBytes == 1 ? 0 : skippedBytes;
  }

  /** Begins a line that has one more label than the block: up to where that label begins. */
  public void appendOpen(ByteArray out, byte[] block, int blockLengthBytes) {
    if (blockLengthBytes > 1) {
      out.append(beforeLabels);
      // Without the brace and the space at its end.
      out.append(block, skippedBytes, blockLengthBytes - 2 - skippedBytes);
      out.append(',');
    } else if (skippedBytes == 0) {
      out.append(alone);
      out.append('{');
    } else {
      out.append(beforeLabels);
    }
  }
}
