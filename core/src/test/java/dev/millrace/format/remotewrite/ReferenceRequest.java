package dev.millrace.format.remotewrite;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a decoded request with protobuf's own library, field by field in their order. */
final class ReferenceRequest {
  private final DecodedRequest request;
  private final boolean second;
  private final Map<String, Integer> symbols = new LinkedHashMap<>(Map.of("", 0));

  private ReferenceRequest(DecodedRequest request) {
    this.request = request;
    second = request.version() == RemoteWriteVersion.V2;
  }

  /** A part of a message. */
  private interface Part {
    void write(CodedOutputStream out) throws IOException;
  }

  static byte[] encode(DecodedRequest request) {
    return new ReferenceRequest(request).encode();
  }

  private byte[] encode() {
    List<byte[]> series = new ArrayList<>();
    for (DecodedRequest.TimeSeries each : request.series()) {
      series.add(bytes(out -> writeSeries(each, out)));
    }
    return bytes(
        out -> {
          if (second) {
            for (String symbol : symbols.keySet()) {
              out.writeString(4, symbol);
            }
          }
          for (byte[] each : series) {
            out.writeByteArray(second ? 5 : 1, each);
          }
          for (DecodedRequest.Metadata each : request.metadata()) {
            out.writeByteArray(3, bytes(part -> writeMetadata1(each, part)));
          }
        });
  }

  private void writeSeries(DecodedRequest.TimeSeries series, CodedOutputStream out)
      throws IOException {
    writeLabels(series.labels(), out);
    for (DecodedRequest.Sample sample : series.samples()) {
      out.writeByteArray(
          2,
          bytes(
              part -> {
                if (sample.bits() != 0) {
                  part.writeFixed64(1, sample.bits());
                }
                writeTime(2, sample.unixMillis(), part);
                writeTime(3, sample.startUnixMillis(), part);
              }));
    }
    if (second) {
      writeHistograms(series, 3, out);
      writeExemplars(series, 4, out);
      out.writeByteArray(5, bytes(part -> writeMetadata2(series.metadata(), part)));
    } else {
      writeExemplars(series, 3, out);
      writeHistograms(series, 4, out);
    }
  }

  private void writeLabels(List<DecodedRequest.Label> labels, CodedOutputStream out)
      throws IOException {
    if (second) {
      byte[] refs =
          bytes(
              part -> {
                for (DecodedRequest.Label label : labels) {
                  part.writeUInt32NoTag(ref(label.name()));
                  part.writeUInt32NoTag(ref(label.value()));
                }
              });
      if (refs.length > 0) {
        out.writeByteArray(1, refs);
      }
      return;
    }
    for (DecodedRequest.Label label : labels) {
      out.writeByteArray(
          1,
          bytes(
              part -> {
                part.writeString(1, label.name());
                part.writeString(2, label.value());
              }));
    }
  }

  private int ref(String symbol) {
    return symbols.computeIfAbsent(symbol, key -> symbols.size());
  }

  private void writeExemplars(DecodedRequest.TimeSeries series, int field, CodedOutputStream out)
      throws IOException {
    for (DecodedRequest.Exemplar exemplar : series.exemplars()) {
      out.writeByteArray(
          field,
          bytes(
              part -> {
                writeLabels(exemplar.labels(), part);
                long bits = Double.doubleToRawLongBits(exemplar.value());
                if (bits != 0) {
                  part.writeFixed64(2, bits);
                }
                writeTime(3, exemplar.unixMillis(), part);
              }));
    }
  }

  private static void writeHistograms(
      DecodedRequest.TimeSeries series, int field, CodedOutputStream out) throws IOException {
    for (DecodedRequest.Histogram histogram : series.histograms()) {
      out.writeByteArray(field, bytes(part -> writeHistogram(histogram, part)));
    }
  }

  private static void writeHistogram(DecodedRequest.Histogram histogram, CodedOutputStream out)
      throws IOException {
    out.writeUInt64(1, histogram.count());
    if (histogram.sumBits() != 0) {
      out.writeFixed64(3, histogram.sumBits());
    }
    if (histogram.schema() != 0) {
      out.writeSInt32(4, histogram.schema());
    }
    if (histogram.zeroThreshold() != 0) {
      out.writeDouble(5, histogram.zeroThreshold());
    }
    out.writeUInt64(6, histogram.zeroCount());
    writeSide(8, histogram.negativeSpans(), histogram.negativeDeltas(), out);
    writeSide(11, histogram.positiveSpans(), histogram.positiveDeltas(), out);
    writeTime(15, histogram.unixMillis(), out);
    if (!histogram.customValues().isEmpty()) {
      out.writeByteArray(
          16,
          bytes(
              part -> {
                for (double value : histogram.customValues()) {
                  part.writeDoubleNoTag(value);
                }
              }));
    }
    writeTime(17, histogram.startUnixMillis(), out);
  }

  private static void writeSide(
      int field, List<DecodedRequest.Span> spans, List<Long> deltas, CodedOutputStream out)
      throws IOException {
    for (DecodedRequest.Span span : spans) {
      out.writeByteArray(
          field,
          bytes(
              part -> {
                if (span.offset() != 0) {
                  part.writeSInt32(1, span.offset());
                }
                part.writeUInt32(2, span.length());
              }));
    }
    if (!deltas.isEmpty()) {
      out.writeByteArray(
          field + 1,
          bytes(
              part -> {
                for (long delta : deltas) {
                  part.writeSInt64NoTag(delta);
                }
              }));
    }
  }

  private void writeMetadata2(DecodedRequest.Metadata metadata, CodedOutputStream out)
      throws IOException {
    if (metadata.type() != 0) {
      out.writeEnum(1, metadata.type());
    }
    if (!metadata.help().isEmpty()) {
      out.writeUInt32(3, ref(metadata.help()));
    }
    if (!metadata.unit().isEmpty()) {
      out.writeUInt32(4, ref(metadata.unit()));
    }
  }

  private static void writeMetadata1(DecodedRequest.Metadata metadata, CodedOutputStream out)
      throws IOException {
    if (metadata.type() != 0) {
      out.writeEnum(1, metadata.type());
    }
    writeText(2, metadata.family(), out);
    writeText(4, metadata.help(), out);
    writeText(5, metadata.unit(), out);
  }

  private static void writeText(int field, String text, CodedOutputStream out) throws IOException {
    if (!text.isEmpty()) {
      out.writeByteArray(field, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void writeTime(int field, long unixMillis, CodedOutputStream out)
      throws IOException {
    if (unixMillis != 0) {
      out.writeInt64(field, unixMillis);
    }
  }

  private static byte[] bytes(Part part) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      part.write(out);
      out.flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}
