package dev.millrace.grpc;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.export.push.SendResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Finds when to send again in {@code grpc-status-details-bin}.
 *
 * <pre>
 *   google.rpc.Status      3: repeated Any details
 *   google.protobuf.Any    1: type_url    2: value
 *   google.rpc.RetryInfo   1: Duration retry_delay
 *   Duration               1: seconds    2: nanos
 * </pre>
 */
final class StatusDetails {
  private static final String RETRY_INFO = "/google.rpc.RetryInfo";
  private static final int DETAILS = 3;
  private static final int TYPE_URL = 1;
  private static final int VALUE = 2;
  private static final int RETRY_DELAY = 1;
  private static final int SECONDS = 1;
  private static final int NANOS = 2;
  private static final long MILLIS_A_SECOND = 1_000;
  private static final long NANOS_A_MILLI = 1_000_000;

  /** A day; more would not be waited for anyway, and sums must not overflow. */
  private static final long MAX_SECONDS = 86_400;

  private final ProtobufReader reader = new ProtobufReader();
  private final ByteArray scratch = new ByteArray();

  private StatusDetails() {}

  /**
   * The delay of the first RetryInfo in milliseconds, or {@link SendResult#NOT_SAID} where there is
   * none or the details are broken.
   *
   * @param base64 the header's value
   */
  static long retryDelayMillis(String base64) {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      return new StatusDetails().retryDelayMillis(bytes);
    } catch (IllegalArgumentException | MalformedProtobufException e) {
      // A hint only: without it the status alone decides.
      return SendResult.NOT_SAID;
    }
  }

  private long retryDelayMillis(byte[] status) throws MalformedProtobufException {
    reader.reset(status, 0, status.length);
    int tag;
    while ((tag = reader.readTag()) != ProtobufReader.END) {
      if (!isMessage(tag, DETAILS)) {
        reader.skip(tag);
        continue;
      }
      int outer = reader.enter(reader.readLength());
      long delay = readDetail();
      reader.seek(reader.limitBytes());
      reader.leave(outer);
      if (delay != SendResult.NOT_SAID) {
        return delay;
      }
    }
    return SendResult.NOT_SAID;
  }

  private long readDetail() throws MalformedProtobufException {
    boolean retryInfo = false;
    int valueAt = -1;
    int valueLength = 0;
    int tag;
    while ((tag = reader.readTag()) != ProtobufReader.END) {
      if (isMessage(tag, TYPE_URL)) {
        int length = reader.readLength();
        reader.readSlice(length, scratch);
        String url =
            new String(reader.slice(), reader.sliceOffset(), length, StandardCharsets.UTF_8);
        retryInfo = url.endsWith(RETRY_INFO);
      } else if (isMessage(tag, VALUE)) {
        valueLength = reader.readLength();
        valueAt = reader.positionBytes();
        reader.skipBytes(valueLength);
      } else {
        reader.skip(tag);
      }
    }
    if (!retryInfo) {
      return SendResult.NOT_SAID;
    }
    if (valueAt < 0) {
      return 0;
    }
    reader.seek(valueAt);
    int outer = reader.enter(valueLength);
    long delay = readRetryInfo();
    reader.leave(outer);
    return delay;
  }

  private long readRetryInfo() throws MalformedProtobufException {
    long millis = 0;
    int tag;
    while ((tag = reader.readTag()) != ProtobufReader.END) {
      if (isMessage(tag, RETRY_DELAY)) {
        int outer = reader.enter(reader.readLength());
        millis = readDuration();
        reader.leave(outer);
      } else {
        reader.skip(tag);
      }
    }
    return millis;
  }

  private long readDuration() throws MalformedProtobufException {
    long seconds = 0;
    long nanos = 0;
    int tag;
    while ((tag = reader.readTag()) != ProtobufReader.END) {
      boolean varint = ProtobufReader.wireType(tag) == ProtobufReader.VARINT;
      if (varint && ProtobufReader.fieldNumber(tag) == SECONDS) {
        seconds = reader.readVarint();
      } else if (varint && ProtobufReader.fieldNumber(tag) == NANOS) {
        nanos = (int) reader.readVarint();
      } else {
        reader.skip(tag);
      }
    }
    long bounded = Math.min(Math.max(seconds, 0), MAX_SECONDS);
    return bounded * MILLIS_A_SECOND + Math.max(nanos, 0) / NANOS_A_MILLI;
  }

  private static boolean isMessage(int tag, int field) {
    return ProtobufReader.fieldNumber(tag) == field
        && ProtobufReader.wireType(tag) == ProtobufReader.LENGTH_DELIMITED;
  }
}
