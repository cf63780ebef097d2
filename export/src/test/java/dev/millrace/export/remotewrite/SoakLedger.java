package dev.millrace.export.remotewrite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * What a receiver has of each series' samples, which are numbered from 0, in a mapped file that
 * outlives the receiver's process.
 *
 * <pre>
 *   0   samples taken
 *   8   samples that were there already
 *  16   samples that came after a later one of their series
 *  24   for each series: the last number, then a bit for each number
 * </pre>
 */
final class SoakLedger implements AutoCloseable {
  private static final int TAKEN = 0;
  private static final int TWICE = 8;
  private static final int DISORDERED = 16;
  private static final int HEADER_BYTES = 24;

  private final FileChannel channel;
  private final MappedByteBuffer file;
  private final int seriesCount;
  private final int maxSamples;
  private final int seriesBytes;

  /** Opens a ledger, and makes it if need be. */
  SoakLedger(Path path, int seriesCount, int maxSamples) throws IOException {
    this.seriesCount = seriesCount;
    this.maxSamples = maxSamples;
    seriesBytes = Long.BYTES + (maxSamples + 7) / 8;
    channel =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    file =
        channel.map(
            FileChannel.MapMode.READ_WRITE, 0, HEADER_BYTES + (long) seriesCount * seriesBytes);
  }

  /** Takes all samples of a request. */
  synchronized void take(ReadRequest request) {
    for (ReadRequest.Series series : request.series()) {
      String number = series.labels().get("number");
      if (number != null) {
        for (ReadRequest.Sample sample : series.samples()) {
          take(Integer.parseInt(number), (int) sample.value());
        }
      }
    }
  }

  private void take(int series, int number) {
    int at = HEADER_BYTES + series * seriesBytes;
    int bits = at + Long.BYTES + number / 8;
    int bit = 1 << (number % 8);
    long last = file.getLong(at) - 1;
    if ((file.get(bits) & bit) != 0) {
      add(TWICE);
      return;
    }
    if (number < last) {
      add(DISORDERED);
    }
    file.put(bits, (byte) (file.get(bits) | bit));
    file.putLong(at, Math.max(last, number) + 1);
    add(TAKEN);
  }

  private void add(int counter) {
    file.putLong(counter, file.getLong(counter) + 1);
  }

  long taken() {
    return file.getLong(TAKEN);
  }

  long twice() {
    return file.getLong(TWICE);
  }

  long disordered() {
    return file.getLong(DISORDERED);
  }

  /** How many of the numbers from {@code from} to {@code to} - 1 some series lack. */
  long missing(int from, int to) {
    long missing = 0;
    for (int series = 0; series < seriesCount; series++) {
      int at = HEADER_BYTES + series * seriesBytes + Long.BYTES;
      ByteBuffer bits = file.duplicate().position(at).limit(at + (maxSamples + 7) / 8);
      BitSet taken = BitSet.valueOf(bits);
      missing += to - from - taken.get(from, to).cardinality();
    }
    return missing;
  }

  /** Whether one sample is there. */
  boolean has(int series, int number) {
    int bits = HEADER_BYTES + series * seriesBytes + Long.BYTES + number / 8;
    return (file.get(bits) & (1 << (number % 8))) != 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
