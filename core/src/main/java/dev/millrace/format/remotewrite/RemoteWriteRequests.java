package dev.millrace.format.remotewrite;

import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import java.util.List;

/**
 * What can be done with finished requests: those of a {@link RemoteWriteEncoder}, also after they
 * were on a disk, and any other requests of the same messages.
 *
 * <p>No method closes the request it is given, or changes it; what methods give is owned by the
 * caller, and its memory comes from the request's pool. Bytes that are no such request are reported
 * as malformed, with the position of the fault, and cost bounded memory: a request that says that
 * it is longer than {@value #MAX_UNCOMPRESSED_BYTES} bytes is malformed, too.
 *
 * <p>Stateless and safe for use by many threads. Only {@link #versionOf} is cheap; the others
 * decompress.
 */
public final class RemoteWriteRequests {
  /**
   * The most bytes that a request is decompressed to: twice what encoders may write at most ({@link
   * RemoteWriteLimits#MAX_REQUEST_BYTES}), since a series may be larger than that alone.
   */
  public static final int MAX_UNCOMPRESSED_BYTES = 2 * RemoteWriteLimits.MAX_REQUEST_BYTES;

  private RemoteWriteRequests() {}

  /** The version of a request's message, read from its first bytes. */
  public static RemoteWriteVersion versionOf(Payload request) throws MalformedProtobufException {
    return RequestBytes.versionOf(request);
  }

  /** Counts what a request holds. */
  public static RequestContent content(Payload request) throws MalformedProtobufException {
    RemoteWriteVersion version = versionOf(request);
    byte[] message = RequestBytes.decompress(request);
    return new RequestCounter(version).count(message, 0, message.length);
  }

  /**
   * Divides a request into two with half of the series each. The first one has to be sent first:
   * where a series is in both, its older samples are in the first.
   *
   * @return both halves, or nothing where there is one series only, which cannot be divided
   */
  public static List<Payload> split(Payload request) throws MalformedProtobufException {
    RemoteWriteVersion version = versionOf(request);
    return new RequestSplitter(request.pool()).split(RequestBytes.decompress(request), version);
  }

  /**
   * Makes a 1.0 request of a 2.0 request. Start timestamps are lost, and so are exemplars of
   * histograms with custom buckets, of which a series for each bucket is made. Metadata stands once
   * for each family.
   *
   * @param request of version 2.0
   * @throws IllegalArgumentException if it is of version 1.0
   */
  public static Payload toVersion1(Payload request) throws MalformedProtobufException {
    RemoteWriteVersion version = versionOf(request);
    if (version != RemoteWriteVersion.V2) {
      throw new IllegalArgumentException("expected a request of version V2, found " + version);
    }
    RequestSymbols message = RequestSymbols.of(RequestBytes.decompress(request));
    return new RequestDowngrade(message, request.pool()).toVersion1();
  }
}
