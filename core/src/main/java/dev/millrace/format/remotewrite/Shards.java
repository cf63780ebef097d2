package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ProtobufWriter;
import org.jspecify.annotations.Nullable;

/** The open requests of all shards, all of one version. Not thread-safe. */
final class Shards implements AutoCloseable {
  private static final OpenRequest[] NONE = {};

  private final RemoteWriteEncodingOptions options;
  private final ChunkPool pool;
  private final SnappyBlocks snappy = new SnappyBlocks();
  private final MetadataSchedule schedule;
  private final SymbolTable[] tables;
  private final ProtobufWriter[] symbols;
  private final ExtraLabels extras;
  private OpenRequest[] requests = NONE;
  private RemoteWriteVersion version;
  private @Nullable RequestSink sink;
  private @Nullable SeriesEncoder encoder;

  Shards(RemoteWriteEncodingOptions options, ChunkPool pool) {
    this.options = options;
    this.pool = pool;
    int count = options.limits().shards();
    schedule = new MetadataSchedule(options.metadataIntervalMillis());
    tables = new SymbolTable[count];
    symbols = new ProtobufWriter[count];
    for (int i = 0; i < count; i++) {
      symbols[i] = new ProtobufWriter(pool);
      tables[i] = new SymbolTable(symbols[i]);
    }
    extras = new ExtraLabels(tables);
    version = options.version();
    open();
  }

  /** The strings of each shard's 2.0 requests. */
  SymbolTable[] tables() {
    return tables;
  }

  /** The values of labels that tell the series of a point apart. */
  ExtraLabels extras() {
    return extras;
  }

  RemoteWriteVersion version() {
    return version;
  }

  /** Changes the version; no request may hold anything. */
  void version(RemoteWriteVersion next) {
    closeRequests();
    if (next == RemoteWriteVersion.V1) {
      extras.releaseSymbols();
      for (SymbolTable table : tables) {
        table.endRequest();
      }
    }
    version = next;
    open();
  }

  /** Begins a call. */
  void begin(long nowUnixMillis, RequestSink to, SeriesEncoder labels) {
    schedule.now(nowUnixMillis);
    sink = to;
    encoder = labels;
  }

  /** Ends a call: nothing of it is needed any more. */
  void end() {
    for (OpenRequest request : requests) {
      request.endSeries();
    }
    sink = null;
    encoder = null;
  }

  /**
   * Goes to a series.
   *
   * @param part as {@link SampleNames} has it
   * @param extra the label that tells the series of the point apart, or {@code null}
   * @param moreBytes the most bytes that will be written, the labels aside
   * @return where to write
   */
  OpenRequest at(LiveSeries series, int part, @Nullable ExtraLabel extra, int moreBytes) {
    RequestSink to = sink;
    SeriesEncoder labels = encoder;
    if (to == null || labels == null) {
      throw new IllegalStateException("expected a call to be open, found none; call begin first");
    }
    if (series.encodedFor != version) {
      labels.encode(series);
    }
    OpenRequest request = requests[series.shard];
    request.at(series, part, extra, moreBytes, to);
    return request;
  }

  /** Finishes all requests that hold something. */
  void flush(RequestSink to) {
    for (OpenRequest request : requests) {
      request.finish(to);
    }
  }

  @Override
  public void close() {
    closeRequests();
    for (ProtobufWriter writer : symbols) {
      writer.close();
    }
    sink = null;
    encoder = null;
  }

  private void open() {
    OpenRequest[] made = new OpenRequest[tables.length];
    for (int i = 0; i < made.length; i++) {
      made[i] =
          version == RemoteWriteVersion.V1
              ? new Version1Request(i, options.limits(), pool, snappy, schedule)
              : new Version2Request(
                  i, options.limits(), pool, snappy, symbols[i], tables[i], schedule.isOn());
    }
    requests = made;
  }

  private void closeRequests() {
    for (OpenRequest request : requests) {
      request.close();
    }
    requests = NONE;
  }
}
