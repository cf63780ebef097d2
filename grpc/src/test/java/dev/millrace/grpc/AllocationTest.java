package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a send costs in memory, on the thread that sends and on the event loop together. */
class AllocationTest {
  private static final int WARMUPS = 3_000;
  private static final int REQUESTS = 500;
  private static final int ROUNDS = 5;

  /** About 2 KB, most of it Netty's; what the JIT leaves of it differs from one JDK to the next. */
  private static final int MAX_BYTES = 2_560;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @Test
  void aRequestAllocatesLittle() throws Exception {
    Semaphore ended = new Semaphore(0);
    Set<Thread> others = eventLoops();
    try (ScriptedServer server = new ScriptedServer(ScriptedServer.Exchange::ok);
        GrpcTransport transport =
            GrpcTransport.create(Outcome.to(server.port(), chunks.pool()), Outcome.METHOD);
        Payload payload = payload(10_000)) {
      send(transport, payload, ended, WARMUPS);
      Thread loop = eventLoopBeside(others);
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long before =
            AllocationMeter.allocatedBytes(loop)
                + AllocationMeter.allocatedBytes(Thread.currentThread());
        send(transport, payload, ended, REQUESTS);
        long after =
            AllocationMeter.allocatedBytes(loop)
                + AllocationMeter.allocatedBytes(Thread.currentThread());
        least = Math.min(least, (after - before) / REQUESTS);
      }
      assertThat(least).as("bytes a request").isLessThanOrEqualTo(MAX_BYTES);
    }
  }

  private static void send(GrpcTransport transport, Payload payload, Semaphore ended, int requests)
      throws Exception {
    for (int i = 0; i < requests; i++) {
      transport.send(
          payload,
          System.nanoTime() + Outcome.PATIENCE_SECONDS * 1_000_000_000L,
          result -> ended.release());
      ended.acquire();
    }
  }

  /** One of another test may be about to end. */
  private static Thread eventLoopBeside(Set<Thread> others) {
    return eventLoops().stream()
        .filter(thread -> !others.contains(thread))
        .findFirst()
        .orElseThrow();
  }

  private static Set<Thread> eventLoops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-grpc"))
        .collect(Collectors.toSet());
  }

  private Payload payload(int lengthBytes) {
    try (ChunkWriter writer = new ChunkWriter(chunks.pool())) {
      writer.write(new byte[lengthBytes]);
      return writer.finish();
    }
  }
}
