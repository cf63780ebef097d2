package dev.millrace.benchmarks.scrape;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Counts the sample lines of an exposition of any size. {@code target_info}, {@code _created} and
 * Micrometer's {@code _max} are not counted: whether they are there is a matter of options, and no
 * part of the workload.
 */
final class SampleLineCounter extends OutputStream {
  private final StringBuilder name = new StringBuilder();
  private boolean inName = true;
  private long samples;

  long samples() {
    return samples;
  }

  /** Scrapes once and counts. */
  static long of(Contestant contestant, ScrapeCoding coding) throws IOException {
    SampleLineCounter counter = new SampleLineCounter();
    if (coding == ScrapeCoding.IDENTITY) {
      contestant.scrape(counter);
    } else {
      ByteArrayOutputStream coded = new ByteArrayOutputStream();
      contestant.scrape(coded);
      coding.decode(new ByteArrayInputStream(coded.toByteArray())).transferTo(counter);
    }
    return counter.samples();
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
    if (!line.isEmpty() && !line.startsWith("#") && isOfTheWorkload(line)) {
      samples++;
    }
  }

  /** Whether samples of that name are counted. */
  static boolean isOfTheWorkload(String name) {
    return !name.equals("target_info") && !name.endsWith("_created") && !name.endsWith("_max");
  }
}
