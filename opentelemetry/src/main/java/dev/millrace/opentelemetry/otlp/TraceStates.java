package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ProtobufWriter;
import io.opentelemetry.api.trace.TraceState;
import java.util.function.BiConsumer;

/**
 * Writes trace states as W3C Trace Context has them in its header: {@code key=value,key=value}.
 * Owned by one encoder; not thread-safe.
 */
final class TraceStates implements BiConsumer<String, String> {
  private final ProtobufWriter out;
  private boolean first;

  TraceStates(ProtobufWriter out) {
    this.out = out;
  }

  /** Writes a field, or nothing where the state is empty. */
  void write(int field, TraceState state) {
    if (state.isEmpty()) {
      return;
    }
    first = true;
    out.begin(field);
    state.forEach(this);
    out.end();
  }

  /** Writes one member, called by {@link TraceState#forEach}. */
  @Override
  public void accept(String key, String value) {
    if (!first) {
      out.writeRawUtf8(",");
    }
    first = false;
    out.writeRawUtf8(key);
    out.writeRawUtf8("=");
    out.writeRawUtf8(value);
  }
}
