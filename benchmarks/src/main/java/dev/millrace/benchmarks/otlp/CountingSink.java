package dev.millrace.benchmarks.otlp;

import java.io.OutputStream;

/** Drops what is written, and counts its bytes. */
final class CountingSink extends OutputStream {
  private long count;

  /** Bytes written since the last call. */
  long takeCount() {
    long taken = count;
    count = 0;
    return taken;
  }

  @Override
  public void write(int value) {
    count++;
  }

  @Override
  public void write(byte[] source, int offset, int lengthBytes) {
    count += lengthBytes;
  }
}
