package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.bytes.Varint;
import org.jspecify.annotations.Nullable;

/** A request of the message {@code io.prometheus.write.v2.Request}. */
final class Version2Request extends OpenRequest {
  private final ProtobufWriter symbols;
  private final SymbolTable table;
  private final boolean hasMetadata;

  /** The numbers of a series' labels, names and values in turn. */
  private int[] refs = new int[64];

  private @Nullable Symbol metricName;
  private @Nullable Symbol extraName;
  private byte[] extraNameBytes = {};

  /**
   * A request.
   *
   * @param symbols takes the strings of {@code table}; closed with the request
   * @param hasMetadata whether series have metadata
   */
  Version2Request(
      int shard,
      RemoteWriteLimits limits,
      ChunkPool pool,
      SnappyBlocks snappy,
      ProtobufWriter symbols,
      SymbolTable table,
      boolean hasMetadata) {
    super(shard, limits, pool, snappy);
    this.symbols = symbols;
    this.table = table;
    this.hasMetadata = hasMetadata;
  }

  /**
   * As long as the requests are made of the same series, a series' labels have the same numbers in
   * each, so they are kept packed.
   */
  @Override
  void begin(LiveSeries of, int part, @Nullable ExtraLabel extra) {
    if (part != SampleNames.VALUE || extra != null) {
      int count = readRefs(of, part, extra);
      series.begin(WriteSchema.V2_TIMESERIES);
      writeRefs(count);
      return;
    }
    byte[] kept = of.refs;
    if (kept == null || of.refsPath != table.path()) {
      kept = keepRefs(of);
    } else {
      for (Symbol symbol : of.newSymbols) {
        table.ref(symbol);
      }
    }
    series.begin(WriteSchema.V2_TIMESERIES);
    series.writeRaw(kept, 0, of.refsBytes);
  }

  /** Finds out the numbers of a series' labels, and keeps them as a field. */
  private byte[] keepRefs(LiveSeries of) {
    long path = table.path();
    int before = table.assigned();
    int count = readRefs(of, SampleNames.VALUE, null);
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += Varint.sizeOf(refs[i]);
    }
    int most = 1 + Varint.MAX_BYTES + bytes;
    byte[] kept = of.refs;
    if (kept == null || kept.length < most) {
      kept = new byte[most];
      of.refs = kept;
    }
    kept[0] = WriteSchema.LABELS << 3 | 2;
    int at = Varint.put(bytes, kept, 1);
    for (int i = 0; i < count; i++) {
      at = Varint.put(refs[i], kept, at);
    }
    of.refsBytes = at;
    of.refsPath = path;
    keepNew(of, before);
    return kept;
  }

  /** Keeps which strings got their numbers with a series: those above all earlier ones. */
  private void keepNew(LiveSeries of, int before) {
    int count = table.assigned() - before;
    if (of.newSymbols.length != count) {
      of.newSymbols = new Symbol[count];
    }
    Symbol name = of.metric.names.symbol(SampleNames.VALUE, shard, table);
    Symbol label = metricName();
    for (Symbol symbol : of.symbols) {
      putNew(of, symbol, before);
    }
    putNew(of, label, before);
    putNew(of, name, before);
  }

  private static void putNew(LiveSeries of, Symbol symbol, int before) {
    if (symbol.ref > before) {
      of.newSymbols[symbol.ref - before - 1] = symbol;
    }
  }

  /** Puts the numbers of all labels into {@link #refs}, and says how many there are. */
  private int readRefs(LiveSeries of, int part, @Nullable ExtraLabel extra) {
    Symbol[] labels = of.symbols;
    int count = labels.length + (extra == null ? 2 : 4);
    if (count > refs.length) {
      refs = new int[2 * count];
    }
    int at = copyRefs(labels, 0, of.nameAt, 0);
    refs[at++] = table.ref(metricName());
    refs[at++] = of.metric.names.ref(part, shard, table);
    if (extra == null) {
      at = copyRefs(labels, of.nameAt, labels.length, at);
    } else {
      at = copyRefs(labels, of.nameAt, of.extraAt, at);
      refs[at++] = extraNameRef(of.metric.writer.extraName());
      refs[at++] = valueRef(extra);
      at = copyRefs(labels, of.extraAt, labels.length, at);
    }
    return at;
  }

  private int copyRefs(Symbol[] from, int start, int end, int to) {
    SymbolTable known = table;
    int[] target = refs;
    int at = to;
    for (int i = start; i < end; i++) {
      target[at++] = known.ref(from[i]);
    }
    return at;
  }

  private void writeRefs(int count) {
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += Varint.sizeOf(refs[i]);
    }
    series.writeLength(WriteSchema.LABELS, bytes);
    if (bytes > ProtobufWriter.MAX_RESERVE_BYTES) {
      for (int i = 0; i < count; i++) {
        series.writeRawVarint(refs[i]);
      }
      return;
    }
    int at = series.reserve(bytes);
    byte[] target = series.reservedBytes();
    for (int i = 0; i < count; i++) {
      at = Varint.put(refs[i], target, at);
    }
    series.advanceTo(at);
  }

  private Symbol metricName() {
    Symbol known = metricName;
    if (known == null) {
      known = table.acquire(LabelList.METRIC_NAME, 0, LabelList.METRIC_NAME.length);
      metricName = known;
    }
    return known;
  }

  private int extraNameRef(byte[] name) {
    Symbol known = extraName;
    if (known == null || extraNameBytes != name) {
      if (known != null) {
        table.release(known);
      }
      known = table.acquire(name, 0, name.length);
      extraName = known;
      extraNameBytes = name;
    }
    return table.ref(known);
  }

  private int valueRef(ExtraLabel extra) {
    Symbol known = extra.symbols[shard];
    if (known == null) {
      known = table.acquire(extra.value, 0, extra.value.length);
      extra.symbols[shard] = known;
    }
    return table.ref(known);
  }

  @Override
  void end(LiveSeries of) {
    if (hasMetadata) {
      writeMetadata(of.metric.names);
    }
    series.end();
  }

  private void writeMetadata(SampleNames names) {
    int help = names.helpRef(shard, table);
    int unit = names.unitRef(shard, table);
    int at = series.reserve(2 + 3 * (1 + Varint.MAX_BYTES));
    byte[] target = series.reservedBytes();
    target[at] = WriteSchema.V2_SERIES_METADATA << 3 | 2;
    int start = at + 2;
    int end = put(WriteSchema.V2_METADATA_TYPE, names.type, target, start);
    end = put(WriteSchema.V2_METADATA_HELP_REF, help, target, end);
    end = put(WriteSchema.V2_METADATA_UNIT_REF, unit, target, end);
    target[at + 1] = (byte) (end - start);
    series.advanceTo(end);
  }

  private static int put(int field, int value, byte[] target, int at) {
    if (value == 0) {
      return at;
    }
    target[at] = (byte) (field << 3);
    return Varint.put(value, target, at + 1);
  }

  @Override
  int putStart(long startUnixMillis, byte[] target, int at) {
    target[at] = WriteSchema.V2_SAMPLE_START_TIMESTAMP << 3;
    return Varint.put(startUnixMillis, target, at + 1);
  }

  @Override
  void writeHistogram(NativeHistogram histogram, @Nullable RequestExemplars withExemplars) {
    histogram.write(WriteSchema.V2_HISTOGRAMS, true, series);
    if (withExemplars != null) {
      for (int i = 0; i < withExemplars.count(); i++) {
        withExemplars.load(i);
        writeExemplar(withExemplars);
      }
    }
  }

  @Override
  void writeExemplar(RequestExemplars exemplar) {
    int count = 2 * exemplar.labels();
    if (count > refs.length) {
      refs = new int[2 * count];
    }
    byte[] bytes = exemplar.bytes();
    for (int i = 0; i < exemplar.labels(); i++) {
      refs[2 * i] = table.ref(bytes, exemplar.nameStart(i), exemplar.nameBytes(i));
      refs[2 * i + 1] = table.ref(bytes, exemplar.valueStart(i), exemplar.valueBytes(i));
    }
    series.begin(WriteSchema.V2_EXEMPLARS);
    if (count > 0) {
      writeRefs(count);
    }
    exemplar.writeValue(series);
    series.end();
  }

  @Override
  long otherBytes() {
    return symbols.lengthBytes();
  }

  @Override
  Payload finishBytes(SnappyBlocks compression) {
    table.endRequest();
    return compression.compress(symbols.finish(), series.finish());
  }

  @Override
  public void close() {
    super.close();
    symbols.close();
    table.endRequest();
  }
}
