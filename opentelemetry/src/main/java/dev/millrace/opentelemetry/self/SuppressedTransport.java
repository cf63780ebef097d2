package dev.millrace.opentelemetry.self;

import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Transport;
import io.opentelemetry.api.impl.InstrumentationUtil;

/**
 * Sends what another transport does in a context that tells instrumentation, such as that of the
 * OpenTelemetry Java agent, to leave the requests alone: a span for each export would be exported
 * in its turn, without an end.
 */
public final class SuppressedTransport implements Transport {
  private final Transport transport;

  /**
   * A transport around another one.
   *
   * @param transport does the sending; closed with this
   */
  public SuppressedTransport(Transport transport) {
    this.transport = transport;
  }

  @Override
  public void send(Payload payload, long deadlineNanos, Completion done) {
    InstrumentationUtil.suppressInstrumentation(() -> transport.send(payload, deadlineNanos, done));
  }

  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public void close() {
    transport.close();
  }
}
