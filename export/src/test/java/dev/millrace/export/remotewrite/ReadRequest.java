package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request as a receiver reads it, without any of the code under test: the plain form of snappy's
 * block format, and the messages' fields by their numbers.
 */
public final class ReadRequest {
  /** One sample with a floating-point value. */
  public record Sample(long timeMillis, double value) {}

  /**
   * One series of a request.
   *
   * @param histograms how many native histograms it has
   * @param exemplars how many exemplars it has
   */
  public record Series(
      Map<String, String> labels, List<Sample> samples, int histograms, int exemplars) {}

  private static final int SYMBOLS_FIELD = 4;
  private static final int SERIES_FIELD_1 = 1;
  private static final int SERIES_FIELD_2 = 5;

  private final List<Series> series = new ArrayList<>();
  private final List<String> symbols = new ArrayList<>();
  private final boolean isVersion2;
  private final int lengthBytes;

  private ReadRequest(byte[] message, boolean isVersion2) throws MalformedProtobufException {
    this.isVersion2 = isVersion2;
    lengthBytes = message.length;
    List<byte[]> messages = new ArrayList<>();
    ProtobufReader reader = new ProtobufReader();
    reader.reset(message, 0, message.length);
    int seriesField = isVersion2 ? SERIES_FIELD_2 : SERIES_FIELD_1;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      int field = ProtobufReader.fieldNumber(tag);
      if (isVersion2 && field == SYMBOLS_FIELD) {
        symbols.add(new String(bytes(reader), StandardCharsets.UTF_8));
      } else if (field == seriesField) {
        messages.add(bytes(reader));
      } else {
        reader.skip(tag);
      }
    }
    for (byte[] each : messages) {
      series.add(series(each));
    }
  }

  /** Reads a body by what its content type says; what is of the other version is not seen. */
  public static ReadRequest of(byte[] body, boolean isVersion2) {
    try {
      return new ReadRequest(unsnappy(body), isVersion2);
    } catch (MalformedProtobufException | IndexOutOfBoundsException e) {
      throw new AssertionError("expected a request, found " + body.length + " other bytes", e);
    }
  }

  /** All series, in order. */
  public List<Series> series() {
    return List.copyOf(series);
  }

  /** How many samples there are in all. */
  public int sampleCount() {
    return series.stream().mapToInt(each -> each.samples().size()).sum();
  }

  /** All values, in order. */
  public List<Double> values() {
    return series.stream().flatMap(each -> each.samples().stream()).map(Sample::value).toList();
  }

  /** The message's length before compression. */
  public int lengthBytes() {
    return lengthBytes;
  }

  private Series series(byte[] message) throws MalformedProtobufException {
    Map<String, String> labels = new TreeMap<>();
    List<Sample> samples = new ArrayList<>();
    int histograms = 0;
    int exemplars = 0;
    ProtobufReader reader = new ProtobufReader();
    reader.reset(message, 0, message.length);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      int field = ProtobufReader.fieldNumber(tag);
      if (field == 1 && isVersion2) {
        references(bytes(reader), labels);
      } else if (field == 1) {
        label(bytes(reader), labels);
      } else if (field == 2) {
        samples.add(sample(bytes(reader)));
      } else if (field == (isVersion2 ? 3 : 4)) {
        histograms++;
        reader.skip(tag);
      } else if (field == (isVersion2 ? 4 : 3)) {
        exemplars++;
        reader.skip(tag);
      } else {
        reader.skip(tag);
      }
    }
    return new Series(labels, samples, histograms, exemplars);
  }

  private void references(byte[] packed, Map<String, String> labels)
      throws MalformedProtobufException {
    ProtobufReader reader = new ProtobufReader();
    reader.reset(packed, 0, packed.length);
    while (reader.positionBytes() < packed.length) {
      String name = symbols.get((int) reader.readVarint());
      labels.put(name, symbols.get((int) reader.readVarint()));
    }
  }

  private static void label(byte[] message, Map<String, String> labels)
      throws MalformedProtobufException {
    ProtobufReader reader = new ProtobufReader();
    reader.reset(message, 0, message.length);
    String name = "";
    String value = "";
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      String text = new String(bytes(reader), StandardCharsets.UTF_8);
      if (ProtobufReader.fieldNumber(tag) == 1) {
        name = text;
      } else {
        value = text;
      }
    }
    labels.put(name, value);
  }

  private static Sample sample(byte[] message) throws MalformedProtobufException {
    ProtobufReader reader = new ProtobufReader();
    reader.reset(message, 0, message.length);
    double value = 0;
    long timeMillis = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (ProtobufReader.fieldNumber(tag)) {
        case 1 -> value = reader.readDouble();
        case 2 -> timeMillis = reader.readVarint();
        default -> reader.skip(tag);
      }
    }
    return new Sample(timeMillis, value);
  }

  private static byte[] bytes(ProtobufReader reader) throws MalformedProtobufException {
    int lengthBytes = reader.readLength();
    ByteArray copy = new ByteArray();
    reader.appendTo(copy, lengthBytes);
    return Arrays.copyOf(copy.bytes(), lengthBytes);
  }

  /** Snappy's block format, straight from its description. */
  static byte[] unsnappy(byte[] block) {
    int at = 0;
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int b = block[at++];
      length |= (b & 0x7f) << shift;
      if (b >= 0) {
        break;
      }
    }
    byte[] out = new byte[length];
    int to = 0;
    while (at < block.length) {
      int tag = block[at++] & 0xff;
      if ((tag & 3) == 0) {
        int literal = tag >>> 2;
        if (literal >= 60) {
          int bytes = literal - 59;
          literal = littleEndian(block, at, bytes);
          at += bytes;
        }
        literal++;
        System.arraycopy(block, at, out, to, literal);
        at += literal;
        to += literal;
        continue;
      }
      int copied = (tag & 3) == 1 ? (tag >>> 2 & 7) + 4 : (tag >>> 2) + 1;
      int offsetBytes = (tag & 3) == 1 ? 1 : (tag & 3) == 2 ? 2 : 4;
      int offset = littleEndian(block, at, offsetBytes);
      offset |= (tag & 3) == 1 ? tag >>> 5 << 8 : 0;
      at += offsetBytes;
      for (int i = 0; i < copied; i++, to++) {
        out[to] = out[to - offset];
      }
    }
    if (to != length) {
      throw new AssertionError("expected " + length + " bytes in the block, found " + to);
    }
    return out;
  }

  private static int littleEndian(byte[] bytes, int from, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[from + i] & 0xff) << (8 * i);
    }
    return value;
  }
}
