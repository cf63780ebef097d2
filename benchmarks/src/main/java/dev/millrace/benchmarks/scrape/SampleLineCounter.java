package dev.millrace.benchmarks.scrape;

import java.io.OutputStream;

/**
 * Counts the sample lines of an exposition of any size. {@code target_info} and {@code _created}
 * are not counted: whether they are there is a matter of options, and no part of the workload.
 */
final class SampleLineCounter extends OutputStream {
  private final StringBuilder name = new StringBuilder();
  private boolean inName = true;
  private long samples;

  long samples() {
    return samples;
  }

  @Override
  public void write(byte[] source, int offset, int lengthBytes) {
    for (int i = offset; i < offset + lengthBytes; i++) {
      take(source[i]);
    }
  }

  @Override
  public void write(int value) {
    take((byte) value);
  }

  private void take(byte value) {
    if (value == '\n') {
      count(name.toString());
      name.setLength(0);
      inName = true;
    } else if (value == '{' || value == ' ') {
      inName = false;
    } else if (inName) {
      name.append((char) (value & 0xff));
    }
  }

  private void count(String line) {
    if (!line.isEmpty()
        && !line.startsWith("#")
        && !line.equals("target_info")
        && !line.endsWith("_created")) {
      samples++;
    }
  }
}
