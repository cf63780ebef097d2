package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import dev.millrace.format.otlp.OtlpJsonWriter;
import dev.millrace.format.otlp.OtlpSignal;

/**
 * Translates requests into JSON on their way to another transport, so that all before it
 * (splitting, the disk queue) knows protobuf only.
 */
final class JsonTransport implements Transport {
  private final Transport transport;
  private final EncoderPool<OtlpJsonWriter> writers;

  JsonTransport(Transport transport, ChunkPool pool, OtlpSignal signal) {
    this.transport = transport;
    writers = new EncoderPool<>(() -> new OtlpJsonWriter(pool, signal));
  }

  @Override
  public void send(Payload payload, long deadlineNanos, Completion done) {
    Payload json;
    OtlpJsonWriter writer = writers.take();
    try {
      json = writer.write(payload);
    } catch (MalformedProtobufException e) {
      done.done(
          SendResult.fatal(
              SendResult.NO_STATUS,
              e.getClass().getSimpleName(),
              "expected an OTLP request in protobuf, found " + e.getMessage()));
      return;
    } finally {
      writers.giveBack(writer);
    }
    transport.send(
        json,
        deadlineNanos,
        result -> {
          json.close();
          done.done(result);
        });
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
