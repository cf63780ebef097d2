package dev.millrace.format.remotewrite;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import java.util.Arrays;

/**
 * Where the strings and the series of a 2.0 message lie. The strings may stand anywhere in it, so
 * all of them are found before the first series is read.
 */
final class RequestSymbols {
  private final byte[] message;

  /** Where each string begins and ends. */
  private int[] strings = new int[128];

  private int stringCount;

  /** Where the content of each series begins and ends. */
  private int[] series = new int[128];

  private int seriesCount;

  private RequestSymbols(byte[] message) {
    this.message = message;
  }

  /** Reads a message. */
  static RequestSymbols of(byte[] message) throws MalformedProtobufException {
    RequestSymbols symbols = new RequestSymbols(message);
    ProtobufReader reader = new ProtobufReader();
    reader.reset(message, 0, message.length);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      int field = ProtobufReader.fieldNumber(tag);
      if (field == WriteSchema.V2_SYMBOLS || field == WriteSchema.V2_TIMESERIES) {
        RequestBytes.requireType(reader, tag, ProtobufReader.LENGTH_DELIMITED);
        int lengthBytes = reader.readLength();
        symbols.add(field, reader.positionBytes(), lengthBytes);
        reader.skipBytes(lengthBytes);
      } else {
        reader.skip(tag);
      }
    }
    return symbols;
  }

  private void add(int field, int start, int lengthBytes) {
    if (field == WriteSchema.V2_SYMBOLS) {
      if (2 * stringCount == strings.length) {
        strings = Arrays.copyOf(strings, 2 * strings.length);
      }
      strings[2 * stringCount] = start;
      strings[2 * stringCount++ + 1] = start + lengthBytes;
    } else {
      if (2 * seriesCount == series.length) {
        series = Arrays.copyOf(series, 2 * series.length);
      }
      series[2 * seriesCount] = start;
      series[2 * seriesCount++ + 1] = start + lengthBytes;
    }
  }

  /** The message that all offsets are in. */
  byte[] message() {
    return message;
  }

  int seriesCount() {
    return seriesCount;
  }

  int seriesStart(int index) {
    return series[2 * index];
  }

  int seriesEnd(int index) {
    return series[2 * index + 1];
  }

  int stringCount() {
    return stringCount;
  }

  /** Where a string begins that a series refers to. */
  int start(int ref) {
    return strings[2 * ref];
  }

  int lengthBytes(int ref) {
    return strings[2 * ref + 1] - strings[2 * ref];
  }

  /** Reads a reference, checked. */
  int readRef(ProtobufReader reader) throws MalformedProtobufException {
    int position = reader.positionBytes();
    long ref = reader.readVarint();
    // An unset string is the first one, also where there is none at all.
    if (ref < 0 || ref >= Math.max(1, stringCount)) {
      throw new MalformedProtobufException(
          "expected a reference to one of "
              + stringCount
              + " symbols, found "
              + Long.toUnsignedString(ref),
          position);
    }
    return (int) ref;
  }
}
