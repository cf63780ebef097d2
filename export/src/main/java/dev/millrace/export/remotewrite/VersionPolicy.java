package dev.millrace.export.remotewrite;

import dev.millrace.format.remotewrite.RemoteWriteVersion;

/** Which messages of remote write a {@link RemoteWriter} sends. */
public enum VersionPolicy {
  /**
   * 2.0 first. Where the receiver turns out to lack it, 1.0 from then on: it answers 415, or with
   * success and none of the headers {@code X-Prometheus-Remote-Write-*-Written} (remote write 2.0,
   * "Required Written Response Headers"), or its first answer of all is a 400 without them. What
   * was sent in vain and what is queued is sent again as 1.0.
   */
  V2_THEN_V1,
  /** 1.0 only. */
  V1,
  /** 2.0 only: a receiver that lacks it gets nothing, which is counted and logged. */
  V2;

  /** The version of the first request. */
  RemoteWriteVersion first() {
    return this == V1 ? RemoteWriteVersion.V1 : RemoteWriteVersion.V2;
  }
}
