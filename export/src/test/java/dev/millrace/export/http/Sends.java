package dev.millrace.export.http;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.SendResult;
import dev.millrace.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends through a transport and waits for the result. */
final class Sends {
  static final Duration LIMIT = Duration.ofMinutes(2);

  private Sends() {}

  static CompletableFuture<SendResult> begin(
      HttpTransport transport, ChunkPool pool, byte[] body, Duration timeout) {
    Payload payload = Payloads.of(pool, body);
    CompletableFuture<SendResult> result = new CompletableFuture<>();
    transport.send(
        payload,
        System.nanoTime() + timeout.toNanos(),
        done -> {
          payload.close();
          if (!result.complete(done)) {
            throw new AssertionError("a second result: " + done);
          }
        });
    return result;
  }

  static SendResult send(HttpTransport transport, ChunkPool pool, byte[] body) throws Exception {
    return begin(transport, pool, body, LIMIT).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** What an aborted send keeps from its pool comes back with a garbage collection. */
  static void awaitGivenBack(ChunkPool pool) {
    Eventually.isTrue(
        "all chunks back in the pool",
        LIMIT,
        () -> {
          System.gc();
          return pool.outstandingChunks() == 0;
        });
  }
}
