package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.ProtobufWriter;
import java.util.Arrays;
import java.util.List;

/** Divides messages into two with half of the series each. Used once. */
final class RequestSplitter {
  private final ChunkPool pool;
  private final SnappyBlocks snappy = new SnappyBlocks();
  private final ProtobufReader reader = new ProtobufReader();

  RequestSplitter(ChunkPool pool) {
    this.pool = pool;
  }

  /** Both halves of a message, or nothing where it has one series only. */
  List<Payload> split(byte[] message, RemoteWriteVersion version)
      throws MalformedProtobufException {
    return version == RemoteWriteVersion.V1 ? splitVersion1(message) : splitVersion2(message);
  }

  private List<Payload> splitVersion1(byte[] message) throws MalformedProtobufException {
    int series = new SeriesCount(message).count();
    if (series < 2) {
      return List.of();
    }
    try (ProtobufWriter firstHalf = new ProtobufWriter(pool);
        ProtobufWriter metadata = new ProtobufWriter(pool);
        ProtobufWriter secondHalf = new ProtobufWriter(pool);
        ProtobufWriter nothing = new ProtobufWriter(pool)) {
      reader.reset(message, 0, message.length);
      int before = 0;
      int start = 0;
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        reader.skip(tag);
        int end = reader.positionBytes();
        ProtobufWriter to = metadata;
        if (ProtobufReader.fieldNumber(tag) == WriteSchema.V1_TIMESERIES) {
          to = before < series / 2 ? firstHalf : secondHalf;
          before++;
        }
        to.writeRaw(message, start, end - start);
        start = end;
      }
      return both(firstHalf, metadata, secondHalf, nothing);
    }
  }

  private List<Payload> splitVersion2(byte[] message) throws MalformedProtobufException {
    RequestSymbols symbols = RequestSymbols.of(message);
    int series = symbols.seriesCount();
    if (series < 2) {
      return List.of();
    }
    try (ProtobufWriter firstSymbols = new ProtobufWriter(pool);
        ProtobufWriter firstHalf = new ProtobufWriter(pool);
        ProtobufWriter secondSymbols = new ProtobufWriter(pool);
        ProtobufWriter secondHalf = new ProtobufWriter(pool)) {
      new Half(symbols, firstSymbols, firstHalf).write(0, series / 2);
      new Half(symbols, secondSymbols, secondHalf).write(series / 2, series);
      return both(firstSymbols, firstHalf, secondSymbols, secondHalf);
    }
  }

  private List<Payload> both(
      ProtobufWriter a, ProtobufWriter b, ProtobufWriter c, ProtobufWriter d) {
    Payload first = snappy.compress(a.finish(), b.finish());
    return List.of(first, snappy.compress(c.finish(), d.finish()));
  }

  /** Counts the series of a 1.0 message. */
  private static final class SeriesCount {
    private final byte[] message;

    SeriesCount(byte[] message) {
      this.message = message;
    }

    int count() throws MalformedProtobufException {
      ProtobufReader reader = new ProtobufReader();
      reader.reset(message, 0, message.length);
      int count = 0;
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        if (ProtobufReader.fieldNumber(tag) == WriteSchema.V1_TIMESERIES) {
          RequestBytes.requireType(reader, tag, ProtobufReader.LENGTH_DELIMITED);
          count++;
        }
        reader.skip(tag);
      }
      return count;
    }
  }

  /** A part of a 2.0 message with the symbols that it needs, in the order of their first use. */
  private static final class Half {
    private final RequestSymbols source;
    private final ProtobufWriter symbols;
    private final ProtobufWriter out;
    private final ProtobufReader reader = new ProtobufReader();

    /** The new number of each symbol, or -1. */
    private final int[] numbers;

    private int next = 1;

    Half(RequestSymbols source, ProtobufWriter symbols, ProtobufWriter out) {
      this.source = source;
      this.symbols = symbols;
      this.out = out;
      numbers = new int[Math.max(1, source.stringCount())];
      Arrays.fill(numbers, -1);
    }

    void write(int from, int to) throws MalformedProtobufException {
      byte[] message = source.message();
      symbols.writeLength(WriteSchema.V2_SYMBOLS, 0);
      reader.reset(message, 0, message.length);
      for (int i = from; i < to; i++) {
        reader.seek(source.seriesStart(i));
        int outer = reader.enter(source.seriesEnd(i) - source.seriesStart(i));
        out.begin(WriteSchema.V2_TIMESERIES);
        writeSeries();
        out.end();
        reader.leave(outer);
      }
    }

    private void writeSeries() throws MalformedProtobufException {
      int start = reader.positionBytes();
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        switch (ProtobufReader.fieldNumber(tag)) {
          case WriteSchema.LABELS -> writeRefs(tag);
          case WriteSchema.V2_EXEMPLARS -> writeExemplar(tag);
          case WriteSchema.V2_SERIES_METADATA -> writeMetadata(tag);
          default -> copy(tag, start);
        }
        start = reader.positionBytes();
      }
    }

    private void writeExemplar(int messageTag) throws MalformedProtobufException {
      int outer = RequestBytes.enter(reader, messageTag);
      out.begin(WriteSchema.V2_EXEMPLARS);
      int start = reader.positionBytes();
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        if (ProtobufReader.fieldNumber(tag) == WriteSchema.LABELS) {
          writeRefs(tag);
        } else {
          copy(tag, start);
        }
        start = reader.positionBytes();
      }
      out.end();
      reader.leave(outer);
    }

    private void writeMetadata(int messageTag) throws MalformedProtobufException {
      int outer = RequestBytes.enter(reader, messageTag);
      out.begin(WriteSchema.V2_SERIES_METADATA);
      int start = reader.positionBytes();
      for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
        int field = ProtobufReader.fieldNumber(tag);
        if (field == WriteSchema.V2_METADATA_HELP_REF
            || field == WriteSchema.V2_METADATA_UNIT_REF) {
          RequestBytes.requireType(reader, tag, ProtobufReader.VARINT);
          out.writeVarint(field, number(source.readRef(reader)));
        } else {
          copy(tag, start);
        }
        start = reader.positionBytes();
      }
      out.end();
      reader.leave(outer);
    }

    /** Writes references, packed as most writers have them or not. */
    private void writeRefs(int tag) throws MalformedProtobufException {
      if (ProtobufReader.wireType(tag) == ProtobufReader.VARINT) {
        out.writeVarint(WriteSchema.LABELS, number(source.readRef(reader)));
        return;
      }
      int outer = RequestBytes.enter(reader, tag);
      out.begin(WriteSchema.LABELS);
      while (reader.positionBytes() < reader.limitBytes()) {
        out.writeRawVarint(number(source.readRef(reader)));
      }
      out.end();
      reader.leave(outer);
    }

    /** Copies a field of which the tag was read. */
    private void copy(int tag, int start) throws MalformedProtobufException {
      reader.skip(tag);
      out.writeRaw(source.message(), start, reader.positionBytes() - start);
    }

    private int number(int ref) {
      if (source.stringCount() == 0 || source.lengthBytes(ref) == 0) {
        return 0;
      }
      if (numbers[ref] < 0) {
        numbers[ref] = next++;
        symbols.writeBytes(
            WriteSchema.V2_SYMBOLS, source.message(), source.start(ref), source.lengthBytes(ref));
      }
      return numbers[ref];
    }
  }
}
