package dev.millrace.export.remotewrite;

import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Transport;
import dev.millrace.format.remotewrite.RemoteWriteVersion;

/** Carries one request, once. As {@link Transport}, which has the rules, but for the version. */
interface RequestTransport extends AutoCloseable {
  /** As {@link Transport#send}. */
  void send(
      Payload request, RemoteWriteVersion version, long deadlineNanos, Transport.Completion done);

  /** As {@link Transport#name}. */
  String name();

  /** As {@link Transport#close}. */
  @Override
  void close();
}
