package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import dev.millrace.export.push.TransportOptions;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sends one payload, closes it when the transport is done with it, and keeps the result. */
final class Outcome implements Transport.Completion {
  static final String METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

  /** Far longer than anything here takes, even on a loaded machine. */
  static final long PATIENCE_SECONDS = 120;

  private final Payload payload;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable SendResult result;

  private Outcome(Payload payload) {
    this.payload = payload;
  }

  static Outcome of(Transport transport, ChunkPool pool, byte[] bytes) {
    return of(transport, pool, bytes, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
  }

  static Outcome of(Transport transport, ChunkPool pool, byte[] bytes, long timeoutNanos) {
    Payload payload;
    try (ChunkWriter writer = new ChunkWriter(pool)) {
      writer.write(bytes);
      payload = writer.finish();
    }
    Outcome outcome = new Outcome(payload);
    transport.send(payload, System.nanoTime() + timeoutNanos, outcome);
    return outcome;
  }

  static TransportOptions to(int port, ChunkPool pool) {
    return TransportOptions.to(URI.create("http://127.0.0.1:" + port), pool);
  }

  @Override
  public void done(SendResult result) {
    if (calls.incrementAndGet() == 1) {
      payload.close();
    }
    this.result = result;
    ended.countDown();
  }

  boolean isDone() {
    return ended.getCount() == 0;
  }

  SendResult get() throws InterruptedException {
    assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("a result").isTrue();
    SendResult found = result;
    assertThat(calls).hasValue(1);
    assertThat(found).isNotNull();
    return found == null ? Results.closed() : found;
  }
}
