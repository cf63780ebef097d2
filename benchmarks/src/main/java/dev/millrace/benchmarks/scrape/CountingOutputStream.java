package dev.millrace.benchmarks.scrape;

import java.io.OutputStream;

/** Drops what is written, and counts its bytes. */
public final class CountingOutputStream extends OutputStream {
  private long count;

  /** Bytes written since the last call. */
  public long takeCount() {
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
