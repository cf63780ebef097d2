package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.ProtobufWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a 1.0 message of a 2.0 message. Used once. */
final class RequestDowngrade {
  private static final String[] PART_SUFFIXES = {"_bucket", "_sum", "_count"};

  private final ChunkPool pool;
  private final RequestSymbols source;
  private final byte[] message;
  private final ProtobufReader reader = new ProtobufReader();
  private final CustomHistogram custom = new CustomHistogram();
  private final Set<String> described = new HashSet<>();

  /** References of the labels of the series that is read, names and values in turn. */
  private int[] labels = new int[64];

  private int labelCount;
  private int type;
  private int helpRef;
  private int unitRef;

  /** Whether the series has a native histogram that 1.0 has, too. */
  private boolean hasNative;

  /** Whether it has a histogram with custom buckets. */
  private boolean hasCustom;

  private boolean hasSamples;

  RequestDowngrade(RequestSymbols source, ChunkPool pool) {
    this.source = source;
    this.pool = pool;
    message = source.message();
  }

  Payload toVersion1() throws MalformedProtobufException {
    reader.reset(message, 0, message.length);
    try (ProtobufWriter series = new ProtobufWriter(pool);
        ProtobufWriter metadata = new ProtobufWriter(pool)) {
      for (int i = 0; i < source.seriesCount(); i++) {
        int start = source.seriesStart(i);
        int lengthBytes = source.seriesEnd(i) - start;
        enterSeries(start, lengthBytes);
        look();
        describe(metadata);
        if (hasSamples || hasNative) {
          enterSeries(start, lengthBytes);
          writeSeries(series);
        }
        if (hasCustom) {
          enterSeries(start, lengthBytes);
          writeCustom(series);
        }
      }
      return new SnappyBlocks().compress(series.finish(), metadata.finish());
    }
  }

  private void enterSeries(int start, int lengthBytes) {
    reader.leave(message.length);
    reader.seek(start);
    reader.enter(lengthBytes);
  }

  /** Reads what has to be known of a series before it is written. */
  private void look() throws MalformedProtobufException {
    labelCount = 0;
    type = WriteSchema.TYPE_UNKNOWN;
    helpRef = 0;
    unitRef = 0;
    hasNative = false;
    hasCustom = false;
    hasSamples = false;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (ProtobufReader.fieldNumber(tag)) {
        case WriteSchema.LABELS -> labelCount = readRefs(tag, labelCount);
        case WriteSchema.SAMPLES -> {
          hasSamples = true;
          reader.skip(tag);
        }
        case WriteSchema.V2_HISTOGRAMS -> {
          int outer = RequestBytes.enter(reader, tag);
          boolean customBuckets = custom.read(reader);
          hasCustom |= customBuckets;
          hasNative |= !customBuckets;
          reader.leave(outer);
        }
        case WriteSchema.V2_SERIES_METADATA -> readMetadata(tag);
        default -> reader.skip(tag);
      }
    }
    if (labelCount % 2 != 0) {
      throw new MalformedProtobufException(
          "expected references to names and values in turn, found an odd number of them: "
              + labelCount,
          reader.positionBytes());
    }
  }

  private int readRefs(int tag, int count) throws MalformedProtobufException {
    if (ProtobufReader.wireType(tag) == ProtobufReader.VARINT) {
      addRef(count, source.readRef(reader));
      return count + 1;
    }
    int outer = RequestBytes.enter(reader, tag);
    int read = count;
    while (reader.positionBytes() < reader.limitBytes()) {
      addRef(read++, source.readRef(reader));
    }
    reader.leave(outer);
    return read;
  }

  private void addRef(int index, int ref) {
    if (index == labels.length) {
      labels = Arrays.copyOf(labels, 2 * labels.length);
    }
    labels[index] = ref;
  }

  private void readMetadata(int messageTag) throws MalformedProtobufException {
    int outer = RequestBytes.enter(reader, messageTag);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (ProtobufReader.fieldNumber(tag)) {
        case WriteSchema.V2_METADATA_TYPE -> {
          RequestBytes.requireType(reader, tag, ProtobufReader.VARINT);
          type = (int) reader.readVarint();
        }
        case WriteSchema.V2_METADATA_HELP_REF -> helpRef = source.readRef(reader);
        case WriteSchema.V2_METADATA_UNIT_REF -> unitRef = source.readRef(reader);
        default -> reader.skip(tag);
      }
    }
    reader.leave(outer);
  }

  /** Writes the metadata of the series' family, if there is any and it was not written before. */
  private void describe(ProtobufWriter out) {
    String family = familyName();
    boolean any = type != WriteSchema.TYPE_UNKNOWN || isSet(helpRef) || isSet(unitRef);
    if (!any || family.isEmpty() || !described.add(family)) {
      return;
    }
    out.begin(WriteSchema.V1_METADATA);
    if (type != WriteSchema.TYPE_UNKNOWN) {
      out.writeVarint(WriteSchema.V1_METADATA_TYPE, type);
    }
    out.writeUtf8(WriteSchema.V1_METADATA_FAMILY_NAME, family);
    writeText(WriteSchema.V1_METADATA_HELP, helpRef, out);
    writeText(WriteSchema.V1_METADATA_UNIT, unitRef, out);
    out.end();
  }

  private void writeText(int field, int ref, ProtobufWriter out) {
    if (isSet(ref)) {
      out.writeBytes(field, message, source.start(ref), source.lengthBytes(ref));
    }
  }

  private boolean isSet(int ref) {
    return ref < source.stringCount() && source.lengthBytes(ref) > 0;
  }

  /** The name of the family: that of the series without what tells the series of a point apart. */
  private String familyName() {
    int label = metricNameLabel();
    if (label < 0 || !isSet(labels[label + 1])) {
      return "";
    }
    int ref = labels[label + 1];
    String name =
        new String(message, source.start(ref), source.lengthBytes(ref), StandardCharsets.UTF_8);
    boolean severalSeries =
        (type == WriteSchema.TYPE_HISTOGRAM || type == WriteSchema.TYPE_SUMMARY) && hasSamples;
    for (String suffix : PART_SUFFIXES) {
      if (severalSeries && name.endsWith(suffix)) {
        return name.substring(0, name.length() - suffix.length());
      }
    }
    return name;
  }

  private int metricNameLabel() {
    byte[] name = LabelList.METRIC_NAME;
    for (int i = 0; i < labelCount; i += 2) {
      int ref = labels[i];
      if (isSet(ref)) {
        int start = source.start(ref);
        int end = start + source.lengthBytes(ref);
        if (Arrays.equals(message, start, end, name, 0, name.length)) {
          return i;
        }
      }
    }
    return -1;
  }

  private void writeLabels(int from, int to, ProtobufWriter out) throws MalformedProtobufException {
    for (int i = from; i < to; i += 2) {
      // A string that stands once in 2.0 stands with each series in 1.0.
      if (out.lengthBytes() > RemoteWriteRequests.MAX_UNCOMPRESSED_BYTES) {
        throw new MalformedProtobufException(
            "expected a request that has at most "
                + RemoteWriteRequests.MAX_UNCOMPRESSED_BYTES
                + " bytes in version 1.0, found a longer one; split it first",
            reader.positionBytes());
      }
      out.begin(WriteSchema.LABELS);
      writeText(WriteSchema.LABEL_NAME, labels[i], out);
      writeText(WriteSchema.LABEL_VALUE, labels[i + 1], out);
      out.end();
    }
  }

  private void writeSeries(ProtobufWriter out) throws MalformedProtobufException {
    out.begin(WriteSchema.V1_TIMESERIES);
    writeLabels(0, labelCount, out);
    int start = reader.positionBytes();
    writeFields(WriteSchema.SAMPLES, out);
    reader.seek(start);
    writeFields(WriteSchema.V2_EXEMPLARS, out);
    reader.seek(start);
    writeFields(WriteSchema.V2_HISTOGRAMS, out);
    out.end();
  }

  /** Writes the fields of one number, in the order of the other version's numbers. */
  private void writeFields(int wanted, ProtobufWriter out) throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (ProtobufReader.fieldNumber(tag) != wanted) {
        reader.skip(tag);
        continue;
      }
      int outer = RequestBytes.enter(reader, tag);
      switch (wanted) {
        case WriteSchema.SAMPLES -> {
          out.begin(WriteSchema.SAMPLES);
          copyWithout(WriteSchema.V2_SAMPLE_START_TIMESTAMP, out);
          out.end();
        }
        case WriteSchema.V2_EXEMPLARS -> writeExemplar(out);
        default -> writeNative(out);
      }
      reader.leave(outer);
    }
  }

  private void writeNative(ProtobufWriter out) throws MalformedProtobufException {
    int start = reader.positionBytes();
    if (custom.read(reader)) {
      return;
    }
    reader.seek(start);
    out.begin(WriteSchema.V1_HISTOGRAMS);
    copyWithout(WriteSchema.V2_HISTOGRAM_START_TIMESTAMP, out);
    out.end();
  }

  private void copyWithout(int left, ProtobufWriter out) throws MalformedProtobufException {
    int start = reader.positionBytes();
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      reader.skip(tag);
      if (ProtobufReader.fieldNumber(tag) != left) {
        out.writeRaw(message, start, reader.positionBytes() - start);
      }
      start = reader.positionBytes();
    }
  }

  private void writeExemplar(ProtobufWriter out) throws MalformedProtobufException {
    int first = labelCount;
    int start = reader.positionBytes();
    int count = first;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (ProtobufReader.fieldNumber(tag) == WriteSchema.LABELS) {
        count = readRefs(tag, count);
      } else {
        reader.skip(tag);
      }
    }
    if ((count - first) % 2 != 0) {
      throw new MalformedProtobufException(
          "expected references to names and values in turn, found an odd number of them: "
              + (count - first),
          reader.positionBytes());
    }
    out.begin(WriteSchema.V1_EXEMPLARS);
    writeLabels(first, count, out);
    reader.seek(start);
    copyWithout(WriteSchema.LABELS, out);
    out.end();
  }

  /** Writes classic series for the histograms with custom buckets; their exemplars are lost. */
  private void writeCustom(ProtobufWriter out) throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (ProtobufReader.fieldNumber(tag) != WriteSchema.V2_HISTOGRAMS) {
        reader.skip(tag);
        continue;
      }
      int outer = RequestBytes.enter(reader, tag);
      if (custom.read(reader)) {
        custom.sumUp();
        for (int i = 0; i <= custom.boundCount(); i++) {
          writePart("_bucket", custom.le(i), custom.cumulativeBits(i), out);
        }
        writePart("_sum", null, custom.sumBits(), out);
        writePart("_count", null, custom.countBits(), out);
      }
      reader.leave(outer);
    }
  }

  private void writePart(String suffix, byte @Nullable [] le, long bits, ProtobufWriter out)
      throws MalformedProtobufException {
    out.begin(WriteSchema.V1_TIMESERIES);
    int name = metricNameLabel();
    byte @Nullable [] toWrite = le;
    for (int i = 0; i < labelCount; i += 2) {
      if (toWrite != null && isAfterLe(labels[i])) {
        writeLe(toWrite, out);
        toWrite = null;
      }
      if (i == name) {
        ByteArray text = new ByteArray();
        int ref = labels[i + 1];
        text.append(message, source.start(ref), source.lengthBytes(ref));
        text.appendUtf8(suffix);
        out.begin(WriteSchema.LABELS);
        writeText(WriteSchema.LABEL_NAME, labels[i], out);
        out.writeBytes(WriteSchema.LABEL_VALUE, text.bytes(), 0, text.lengthBytes());
        out.end();
      } else {
        writeLabels(i, i + 2, out);
      }
    }
    if (toWrite != null) {
      writeLe(toWrite, out);
    }
    out.begin(WriteSchema.SAMPLES);
    if (bits != 0) {
      out.writeFixed64(WriteSchema.SAMPLE_VALUE, bits);
    }
    if (custom.unixMillis() != 0) {
      out.writeVarint(WriteSchema.SAMPLE_TIMESTAMP, custom.unixMillis());
    }
    out.end();
    out.end();
  }

  private boolean isAfterLe(int ref) {
    byte[] le = ExtraLabel.LE;
    int start = isSet(ref) ? source.start(ref) : 0;
    int end = isSet(ref) ? start + source.lengthBytes(ref) : 0;
    return Arrays.compareUnsigned(message, start, end, le, 0, le.length) > 0;
  }

  private static void writeLe(byte[] le, ProtobufWriter out) {
    out.begin(WriteSchema.LABELS);
    out.writeBytes(WriteSchema.LABEL_NAME, ExtraLabel.LE, 0, ExtraLabel.LE.length);
    out.writeBytes(WriteSchema.LABEL_VALUE, le, 0, le.length);
    out.end();
  }
}
