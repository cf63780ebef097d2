package dev.millrace.format.remotewrite;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;

/** Counts what a message holds. Used once. */
final class RequestCounter {
  private final ProtobufReader reader = new ProtobufReader();
  private final boolean first;
  private int samples;
  private int histograms;
  private int exemplars;
  private int metadata;
  private long newestUnixMillis = Long.MIN_VALUE;

  RequestCounter(RemoteWriteVersion version) {
    first = version == RemoteWriteVersion.V1;
  }

  RequestContent count(byte[] message, int offset, int lengthBytes)
      throws MalformedProtobufException {
    reader.reset(message, offset, lengthBytes);
    int seriesField = first ? WriteSchema.V1_TIMESERIES : WriteSchema.V2_TIMESERIES;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      int field = ProtobufReader.fieldNumber(tag);
      if (field == seriesField) {
        int outer = RequestBytes.enter(reader, tag);
        countSeries();
        reader.leave(outer);
      } else {
        metadata += first && field == WriteSchema.V1_METADATA ? 1 : 0;
        reader.skip(tag);
      }
    }
    boolean any = samples + histograms > 0;
    return new RequestContent(samples, histograms, exemplars, metadata, any ? newestUnixMillis : 0);
  }

  private void countSeries() throws MalformedProtobufException {
    int histogramsField = first ? WriteSchema.V1_HISTOGRAMS : WriteSchema.V2_HISTOGRAMS;
    int exemplarsField = first ? WriteSchema.V1_EXEMPLARS : WriteSchema.V2_EXEMPLARS;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      int field = ProtobufReader.fieldNumber(tag);
      if (field == WriteSchema.SAMPLES) {
        samples++;
        noteTime(tag, WriteSchema.SAMPLE_TIMESTAMP);
      } else if (field == histogramsField) {
        histograms++;
        noteTime(tag, WriteSchema.HISTOGRAM_TIMESTAMP);
      } else {
        exemplars += field == exemplarsField ? 1 : 0;
        reader.skip(tag);
      }
    }
  }

  private void noteTime(int messageTag, int timeField) throws MalformedProtobufException {
    int outer = RequestBytes.enter(reader, messageTag);
    long unixMillis = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (ProtobufReader.fieldNumber(tag) == timeField) {
        RequestBytes.requireType(reader, tag, ProtobufReader.VARINT);
        unixMillis = reader.readVarint();
      } else {
        reader.skip(tag);
      }
    }
    newestUnixMillis = Math.max(newestUnixMillis, unixMillis);
    reader.leave(outer);
  }
}
