package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufWriter;
import org.jspecify.annotations.Nullable;

/** A request of the message {@code prometheus.WriteRequest}. */
final class Version1Request extends OpenRequest {
  /** The metadata of families, which stands after all series. */
  private final ProtobufWriter metadata;

  private final MetadataSchedule schedule;

  /**
   * A request.
   *
   * @param schedule says which families' metadata is due
   */
  Version1Request(
      int shard,
      RemoteWriteLimits limits,
      ChunkPool pool,
      SnappyBlocks snappy,
      MetadataSchedule schedule) {
    super(shard, limits, pool, snappy);
    this.schedule = schedule;
    metadata = new ProtobufWriter(pool);
  }

  @Override
  void begin(LiveSeries of, int part, @Nullable ExtraLabel extra) {
    SampleNames names = of.metric.names;
    if (schedule.isDue(names)) {
      writeMetadata(names);
      countMetadata();
    }
    byte[] pairs = of.pairs;
    byte[] name = names.pair(part);
    series.begin(WriteSchema.V1_TIMESERIES);
    series.writeRaw(pairs, 0, of.nameAt);
    series.writeRaw(name, 0, name.length);
    if (extra == null) {
      series.writeRaw(pairs, of.nameAt, pairs.length - of.nameAt);
    } else {
      series.writeRaw(pairs, of.nameAt, of.extraAt - of.nameAt);
      writePair(of.metric.writer.extraName(), extra.value);
      series.writeRaw(pairs, of.extraAt, pairs.length - of.extraAt);
    }
  }

  private void writePair(byte[] name, byte[] value) {
    series.begin(WriteSchema.LABELS);
    series.writeBytes(WriteSchema.LABEL_NAME, name, 0, name.length);
    series.writeBytes(WriteSchema.LABEL_VALUE, value, 0, value.length);
    series.end();
  }

  private void writeMetadata(SampleNames names) {
    metadata.begin(WriteSchema.V1_METADATA);
    if (names.type != WriteSchema.TYPE_UNKNOWN) {
      metadata.writeVarint(WriteSchema.V1_METADATA_TYPE, names.type);
    }
    byte[] family = names.familyName;
    metadata.writeBytes(WriteSchema.V1_METADATA_FAMILY_NAME, family, 0, family.length);
    byte[] help = names.help();
    if (help.length > 0) {
      metadata.writeBytes(WriteSchema.V1_METADATA_HELP, help, 0, help.length);
    }
    byte[] unit = names.unit();
    if (unit.length > 0) {
      metadata.writeBytes(WriteSchema.V1_METADATA_UNIT, unit, 0, unit.length);
    }
    metadata.end();
  }

  @Override
  void end(LiveSeries of) {
    series.end();
  }

  @Override
  int putStart(long startUnixMillis, byte[] target, int at) {
    return at;
  }

  @Override
  void writeHistogram(NativeHistogram histogram, @Nullable RequestExemplars withExemplars) {
    if (withExemplars != null) {
      for (int i = 0; i < withExemplars.count(); i++) {
        withExemplars.load(i);
        writeExemplar(withExemplars);
      }
    }
    histogram.write(WriteSchema.V1_HISTOGRAMS, false, series);
  }

  @Override
  void writeExemplar(RequestExemplars exemplar) {
    series.begin(WriteSchema.V1_EXEMPLARS);
    byte[] bytes = exemplar.bytes();
    for (int i = 0; i < exemplar.labels(); i++) {
      series.begin(WriteSchema.LABELS);
      series.writeBytes(
          WriteSchema.LABEL_NAME, bytes, exemplar.nameStart(i), exemplar.nameBytes(i));
      series.writeBytes(
          WriteSchema.LABEL_VALUE, bytes, exemplar.valueStart(i), exemplar.valueBytes(i));
      series.end();
    }
    exemplar.writeValue(series);
    series.end();
  }

  @Override
  long otherBytes() {
    return metadata.lengthBytes();
  }

  @Override
  Payload finishBytes(SnappyBlocks compression) {
    return compression.compress(series.finish(), metadata.finish());
  }

  @Override
  public void close() {
    super.close();
    metadata.close();
  }
}
