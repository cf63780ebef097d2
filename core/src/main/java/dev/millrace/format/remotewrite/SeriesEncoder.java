package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.KeyedHash;
import dev.millrace.format.translation.LabelEncoder;
import dev.millrace.format.translation.LabelNames;
import java.util.Arrays;

/**
 * Makes the labels of series as they are written, finds out where a series' requests go, and gives
 * the memory back. Not thread-safe; belongs to one encoder.
 */
final class SeriesEncoder {
  private static final Symbol[] NO_SYMBOLS = {};
  private static final byte[] NO_BYTES = {};

  /** The most bytes that the tag, the length and the reference of one string add to it. */
  private static final int SYMBOL_OVERHEAD_BYTES = 12;

  private final LabelEncoder labels;
  private final LabelList list = new LabelList();
  private final ByteArray identity = new ByteArray();
  private final KeyedHash identityHash = KeyedHash.withRandomKeys();

  /** The same in every process, so that what waits on a disk stays in its shard. */
  private final KeyedHash shardHash = KeyedHash.withFixedKeys();

  private final SymbolTable[] tables;
  private RemoteWriteVersion version;
  private long reservedLabels;

  SeriesEncoder(LabelNames names, SymbolTable[] tables, RemoteWriteVersion version) {
    labels = new LabelEncoder(names);
    this.tables = tables;
    this.version = version;
  }

  /** Changes the version. What was made for another is made again when it is needed. */
  void version(RemoteWriteVersion next) {
    version = next;
  }

  /** Names a new series: its hashes and its shard. Its labels are made as well. */
  void identify(LiveSeries series) {
    load(series);
    ByteArray pairs = list.pairs();
    byte[] family = series.metric.names.text(SampleNames.VALUE);
    identity.clear();
    identity.append(family);
    identity.append(series.metric.writer.kind());
    identity.append(pairs.bytes(), 0, pairs.lengthBytes());
    identityHash.of(identity.bytes(), 0, identity.lengthBytes());
    series.hash1 = identityHash.first();
    series.hash2 = identityHash.second();
    shardHash.of(identity.bytes(), 0, identity.lengthBytes());
    series.shard = (int) Long.remainderUnsigned(shardHash.first(), tables.length);
    keep(series);
  }

  /** Makes the labels of a series for the version. */
  void encode(LiveSeries series) {
    load(series);
    keep(series);
  }

  /** Gives back what is kept of a series' labels. */
  void release(LiveSeries series) {
    for (Symbol symbol : series.symbols) {
      tables[series.shard].release(symbol);
    }
    series.symbols = NO_SYMBOLS;
    series.pairs = NO_BYTES;
    series.refs = null;
    series.newSymbols = NO_SYMBOLS;
    series.encodedFor = null;
  }

  /** How many attributes were left out since this was last asked. */
  long takeReservedLabels() {
    long taken = reservedLabels;
    reservedLabels = 0;
    return taken;
  }

  private void load(LiveSeries series) {
    if (series.series instanceof TargetSeries target) {
      list.read(target.block, target.block.length);
      return;
    }
    MetricSeries metric = series.metric;
    labels.encode(series.series.labels(), metric.constants, metric.writer.reservedNames());
    reservedLabels += labels.reservedLabels();
    list.read(labels.block().bytes(), labels.block().lengthBytes());
  }

  private void keep(LiveSeries series) {
    release(series);
    int nameLabels = list.before(LabelList.METRIC_NAME);
    int extraLabels = list.before(series.metric.writer.extraName());
    ByteArray pairs = list.pairs();
    if (version == RemoteWriteVersion.V1) {
      series.pairs = Arrays.copyOf(pairs.bytes(), pairs.lengthBytes());
      series.nameAt = list.pairsBytes(nameLabels);
      series.extraAt = list.pairsBytes(extraLabels);
      series.labelsBytes = pairs.lengthBytes();
    } else {
      SymbolTable table = tables[series.shard];
      Symbol[] symbols = new Symbol[2 * list.size()];
      byte[] bytes = list.bytes();
      for (int i = 0; i < list.size(); i++) {
        int name = list.nameStart(i);
        int value = list.valueStart(i);
        symbols[2 * i] = table.acquire(bytes, name, value - name);
        symbols[2 * i + 1] = table.acquire(bytes, value, list.valueEnd(i) - value);
      }
      series.symbols = symbols;
      series.nameAt = 2 * nameLabels;
      series.extraAt = 2 * extraLabels;
      series.labelsBytes = pairs.lengthBytes() + SYMBOL_OVERHEAD_BYTES * symbols.length;
    }
    series.encodedFor = version;
  }
}
