package dev.millrace.testkit;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A remote-write request of either version, read by the protocol's own description and by nothing
 * of ours. Immutable.
 *
 * @param version {@code 1} or {@code 2}
 * @param samples all samples with one number, in the order of the message
 * @param histograms how many native histograms there are
 * @param exemplars how many exemplars there are
 * @param metadata how many families have metadata of their own (1.0)
 */
public record RemoteWriteMessage(
    int version, List<Sample> samples, int histograms, int exemplars, int metadata) {
  /** What a stale marker is in bits. */
  private static final long STALE_BITS = 0x7ff0000000000002L;

  /** Blocks that say that they are longer are no requests of a test. */
  private static final int MAX_BYTES = 64 << 20;

  private static final int BYTE_MASK = 0xff;

  /**
   * One sample.
   *
   * @param series {@code name{label="value",...}}, in the order of the message
   * @param timeMillis since the Unix epoch
   */
  public record Sample(String series, long timeMillis, double value) {
    /** Whether it is a stale marker. */
    public boolean isStale() {
      return Double.doubleToRawLongBits(value) == STALE_BITS;
    }

    @Override
    public String toString() {
      return series + " " + (isStale() ? "stale" : Double.toString(value)) + " @" + timeMillis;
    }
  }

  /** Reads the body of a request. */
  public static RemoteWriteMessage read(byte[] body, boolean version2) throws IOException {
    return new Reader().read(unpack(body), version2);
  }

  /** Unpacks a block of the snappy format ("format_description.txt" of google/snappy). */
  static byte[] unpack(byte[] block) throws IOException {
    CodedInputStream head = CodedInputStream.newInstance(block);
    int length = head.readRawVarint32();
    if (length < 0 || length > MAX_BYTES) {
      throw new IOException("expected a block of at most " + MAX_BYTES + " bytes, found " + length);
    }
    byte[] out = new byte[length];
    int in = head.getTotalBytesRead();
    int at = 0;
    while (in < block.length) {
      int tag = block[in++] & BYTE_MASK;
      int kind = tag & 3;
      if (kind == 0) {
        int size = tag >>> 2;
        int extra = Math.max(0, size - 59);
        if (extra > 0) {
          size = little(block, in, extra);
          in += extra;
        }
        System.arraycopy(block, in, out, at, size + 1);
        in += size + 1;
        at += size + 1;
        continue;
      }
      int size = kind == 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
      int offset;
      if (kind == 1) {
        offset = (tag >>> 5) << 8 | (block[in++] & BYTE_MASK);
      } else {
        int bytes = kind == 2 ? 2 : 4;
        offset = little(block, in, bytes);
        in += bytes;
      }
      for (int i = 0; i < size; i++, at++) {
        out[at] = out[at - offset];
      }
    }
    if (at != length) {
      throw new IOException("expected " + length + " bytes in the block, found " + at);
    }
    return out;
  }

  private static int little(byte[] bytes, int from, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[from + i] & BYTE_MASK) << (8 * i);
    }
    return value;
  }

  /** Reads one message. */
  private static final class Reader {
    private final List<String> symbols = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<double[]> points = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private int histograms;
    private int exemplars;
    private int metadata;

    RemoteWriteMessage read(byte[] message, boolean version2) throws IOException {
      CodedInputStream in = CodedInputStream.newInstance(message);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        int field = WireFormat.getTagFieldNumber(tag);
        if (field == (version2 ? 5 : 1)) {
          series(in, version2);
        } else if (version2 && field == 4) {
          symbols.add(in.readString());
        } else if (!version2 && field == 3) {
          metadata++;
          in.skipField(tag);
        } else {
          throw new IOException("expected no field " + field);
        }
      }
      return new RemoteWriteMessage(
          version2 ? 2 : 1, List.copyOf(samples), histograms, exemplars, metadata);
    }

    private void series(CodedInputStream in, boolean version2) throws IOException {
      labels.clear();
      points.clear();
      times.clear();
      int outer = in.pushLimit(in.readRawVarint32());
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> label(in, version2);
          case 2 -> sample(in);
          case 3 -> count(in, tag, version2);
          case 4 -> count(in, tag, !version2);
          default -> in.skipField(tag);
        }
      }
      in.popLimit(outer);
      String name = name();
      for (int i = 0; i < points.size(); i++) {
        samples.add(new Sample(name, times.get(i), points.get(i)[0]));
      }
    }

    /** The fields of histograms and exemplars change places between the versions. */
    private void count(CodedInputStream in, int tag, boolean histogram) throws IOException {
      in.skipField(tag);
      if (histogram) {
        histograms++;
      } else {
        exemplars++;
      }
    }

    private void label(CodedInputStream in, boolean version2) throws IOException {
      int outer = in.pushLimit(in.readRawVarint32());
      if (version2) {
        while (in.getBytesUntilLimit() > 0) {
          labels.add(symbols.get(in.readUInt32()));
        }
      } else {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          labels.add(in.readString());
        }
      }
      in.popLimit(outer);
    }

    private void sample(CodedInputStream in) throws IOException {
      double value = 0;
      long time = 0;
      int outer = in.pushLimit(in.readRawVarint32());
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> value = in.readDouble();
          case 2 -> time = in.readInt64();
          default -> in.skipField(tag);
        }
      }
      in.popLimit(outer);
      points.add(new double[] {value});
      times.add(time);
    }

    private String name() {
      StringBuilder rest = new StringBuilder();
      String name = "";
      for (int i = 0; i + 1 < labels.size(); i += 2) {
        if (labels.get(i).equals("__name__")) {
          name = labels.get(i + 1);
        } else {
          rest.append(rest.isEmpty() ? "" : ",")
              .append(labels.get(i))
              .append("=\"")
              .append(labels.get(i + 1))
              .append('"');
        }
      }
      return name + "{" + rest + "}";
    }
  }
}
