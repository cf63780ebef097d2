package dev.millrace.format.remotewrite;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.bytes.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A request read by protobuf's own library, with all rules of the specifications that can be seen
 * in one request: sorted labels, none twice and none empty, symbols that begin with the empty one,
 * none of them twice and none that nobody needs, samples in the order of time.
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record DecodedRequest(
    RemoteWriteVersion version, byte[] message, List<TimeSeries> series, List<Metadata> metadata) {
  record Label(String name, String value) {}

  record Sample(long bits, long unixMillis, long startUnixMillis) {}

  record Exemplar(List<Label> labels, double value, long unixMillis) {}

  record Span(int offset, int length) {}

  record Histogram(
      long count,
      long sumBits,
      int schema,
      double zeroThreshold,
      long zeroCount,
      List<Span> negativeSpans,
      List<Long> negativeDeltas,
      List<Span> positiveSpans,
      List<Long> positiveDeltas,
      long unixMillis,
      List<Double> customValues,
      long startUnixMillis) {}

  record Metadata(int type, String family, String help, String unit) {}

  /** A series; its metadata is that of 2.0, with no family name. */
  record TimeSeries(
      List<Label> labels,
      List<Sample> samples,
      List<Histogram> histograms,
      List<Exemplar> exemplars,
      Metadata metadata) {
    String name() {
      return label("__name__");
    }

    /** The value of a label, empty where there is none. */
    String label(String name) {
      for (Label label : labels) {
        if (label.name().equals(name)) {
          return label.value();
        }
      }
      return "";
    }
  }

  /** Reads a request, which stays open. */
  static DecodedRequest of(Payload request) {
    return of(SnappyReference.decompress(request.toByteArray()));
  }

  static DecodedRequest of(byte[] message) {
    try {
      return new Reader(message).read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Reader {
    private final byte[] message;
    private final List<String> symbols = new ArrayList<>();
    private final Set<Integer> used = new HashSet<>(Set.of(0));
    private final List<TimeSeries> series = new ArrayList<>();
    private final List<Metadata> metadata = new ArrayList<>();

    Reader(byte[] message) {
      this.message = message;
    }

    DecodedRequest read() throws IOException {
      CodedInputStream in = CodedInputStream.newInstance(message);
      int first = in.readTag() >>> 3;
      boolean second = first == 4 || first == 5;
      in = CodedInputStream.newInstance(message);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag >>> 3) {
          case 1 -> series.add(series(in.readByteArray(), false));
          case 3 -> metadata.add(metadata1(in.readByteArray()));
          case 4 -> symbols.add(in.readStringRequireUtf8());
          case 5 -> series.add(series(in.readByteArray(), true));
          default -> throw new AssertionError("unexpected field " + (tag >>> 3));
        }
      }
      if (second) {
        check(symbols.get(0).isEmpty(), "the first symbol has to be empty");
        check(new HashSet<>(symbols).size() == symbols.size(), "a symbol twice");
        check(used.size() == symbols.size(), "a symbol that nobody needs");
      }
      RemoteWriteVersion version = second ? RemoteWriteVersion.V2 : RemoteWriteVersion.V1;
      return new DecodedRequest(version, message, series, metadata);
    }

    private TimeSeries series(byte[] bytes, boolean second) throws IOException {
      List<Label> labels = new ArrayList<>();
      List<Sample> samples = new ArrayList<>();
      List<Histogram> histograms = new ArrayList<>();
      List<Exemplar> exemplars = new ArrayList<>();
      Metadata described = new Metadata(0, "", "", "");
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch ((second ? 100 : 0) + (tag >>> 3)) {
          case 1 -> labels.add(label(in.readByteArray()));
          case 101 -> labels.addAll(refs(in.readByteArray()));
          case 2, 102 -> samples.add(sample(in.readByteArray()));
          case 3, 104 -> exemplars.add(exemplar(in.readByteArray(), second));
          case 4, 103 -> histograms.add(histogram(in.readByteArray()));
          case 105 -> described = metadata2(in.readByteArray());
          default -> throw new AssertionError("unexpected field " + (tag >>> 3));
        }
      }
      checkLabels(labels);
      check(!labels.isEmpty(), "no labels");
      check(samples.isEmpty() != histograms.isEmpty(), "samples or histograms expected");
      for (int i = 1; i < samples.size(); i++) {
        check(
            samples.get(i - 1).unixMillis() < samples.get(i).unixMillis(), "samples out of order");
      }
      return new TimeSeries(labels, samples, histograms, exemplars, described);
    }

    private List<Label> refs(byte[] packed) throws IOException {
      List<Label> labels = new ArrayList<>();
      CodedInputStream in = CodedInputStream.newInstance(packed);
      while (!in.isAtEnd()) {
        String name = symbol(in.readUInt32());
        labels.add(new Label(name, symbol(in.readUInt32())));
      }
      return labels;
    }

    private String symbol(int ref) {
      used.add(ref);
      return symbols.get(ref);
    }

    private static Label label(byte[] bytes) throws IOException {
      String name = "";
      String value = "";
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag >>> 3 == 1) {
          name = in.readStringRequireUtf8();
        } else {
          value = in.readStringRequireUtf8();
        }
      }
      return new Label(name, value);
    }

    private static void checkLabels(List<Label> labels) {
      for (int i = 0; i < labels.size(); i++) {
        check(!labels.get(i).name().isEmpty(), "a label without a name");
        check(!labels.get(i).value().isEmpty(), "a label without a value");
        if (i > 0) {
          byte[] before = utf8(labels.get(i - 1).name());
          byte[] name = utf8(labels.get(i).name());
          check(Arrays.compareUnsigned(before, name) < 0, "labels not sorted: " + labels);
        }
      }
    }

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Sample sample(byte[] bytes) throws IOException {
      long bits = 0;
      long time = 0;
      long start = 0;
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag >>> 3) {
          case 1 -> bits = in.readFixed64();
          case 2 -> time = in.readInt64();
          case 3 -> start = in.readInt64();
          default -> throw new AssertionError("unexpected field " + (tag >>> 3));
        }
      }
      return new Sample(bits, time, start);
    }

    private Exemplar exemplar(byte[] bytes, boolean second) throws IOException {
      List<Label> labels = new ArrayList<>();
      double value = 0;
      long time = 0;
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag >>> 3) {
          case 1 -> {
            if (second) {
              labels.addAll(refs(in.readByteArray()));
            } else {
              labels.add(label(in.readByteArray()));
            }
          }
          case 2 -> value = in.readDouble();
          case 3 -> time = in.readInt64();
          default -> throw new AssertionError("unexpected field " + (tag >>> 3));
        }
      }
      checkLabels(labels);
      return new Exemplar(labels, value, time);
    }

    private static Histogram histogram(byte[] bytes) throws IOException {
      long[] whole = new long[18];
      double threshold = 0;
      List<Span> negativeSpans = new ArrayList<>();
      List<Span> positiveSpans = new ArrayList<>();
      List<Long> negative = new ArrayList<>();
      List<Long> positive = new ArrayList<>();
      List<Double> custom = new ArrayList<>();
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        int field = tag >>> 3;
        switch (field) {
          case 1, 6, 15, 17 -> whole[field] = in.readUInt64();
          case 3 -> whole[3] = in.readFixed64();
          case 4 -> whole[4] = in.readSInt32();
          case 5 -> threshold = in.readDouble();
          case 8 -> negativeSpans.add(span(in.readByteArray()));
          case 11 -> positiveSpans.add(span(in.readByteArray()));
          case 9, 12 -> {
            CodedInputStream packed = CodedInputStream.newInstance(in.readByteArray());
            while (!packed.isAtEnd()) {
              (field == 9 ? negative : positive).add(packed.readSInt64());
            }
          }
          case 16 -> {
            CodedInputStream packed = CodedInputStream.newInstance(in.readByteArray());
            while (!packed.isAtEnd()) {
              custom.add(packed.readDouble());
            }
          }
          default -> throw new AssertionError("unexpected field " + field);
        }
      }
      check(total(negativeSpans) == negative.size(), "spans and deltas of negative buckets");
      check(total(positiveSpans) == positive.size(), "spans and deltas of positive buckets");
      return new Histogram(
          whole[1],
          whole[3],
          (int) whole[4],
          threshold,
          whole[6],
          negativeSpans,
          negative,
          positiveSpans,
          positive,
          whole[15],
          custom,
          whole[17]);
    }

    private static int total(List<Span> spans) {
      return spans.stream().mapToInt(Span::length).sum();
    }

    private static Span span(byte[] bytes) throws IOException {
      int offset = 0;
      int length = 0;
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag >>> 3 == 1) {
          offset = in.readSInt32();
        } else {
          length = in.readUInt32();
        }
      }
      return new Span(offset, length);
    }

    private Metadata metadata2(byte[] bytes) throws IOException {
      int type = 0;
      String help = "";
      String unit = "";
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        check(WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT, "a varint expected");
        switch (tag >>> 3) {
          case 1 -> type = in.readEnum();
          case 3 -> help = symbol(in.readUInt32());
          case 4 -> unit = symbol(in.readUInt32());
          default -> throw new AssertionError("unexpected field " + (tag >>> 3));
        }
      }
      return new Metadata(type, "", help, unit);
    }

    private static Metadata metadata1(byte[] bytes) throws IOException {
      int type = 0;
      String[] texts = {"", "", "", "", "", ""};
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag >>> 3 == 1) {
          type = in.readEnum();
        } else {
          texts[tag >>> 3] = in.readStringRequireUtf8();
        }
      }
      return new Metadata(type, texts[2], texts[4], texts[5]);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
