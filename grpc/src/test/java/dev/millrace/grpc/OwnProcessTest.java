package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.ManagedProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM of its own. */
class OwnProcessTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(4), ChunkPool::outstandingChunks);

  @TempDir private Path directory;

  @Test
  void anOpenTransportDoesNotKeepTheJvm() throws Exception {
    try (ScriptedServer server = new ScriptedServer(ScriptedServer.Exchange::ok);
        ManagedProcess process =
            ManagedProcess.start(
                List.of(
                    ManagedProcess.java(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Sender.class.getName(),
                    Integer.toString(server.port())),
                Map.of(),
                directory.resolve("log"))) {
      assertThat(process.process().waitFor(Outcome.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("ended: %s", process.output())
          .isTrue();
      assertThat(process.output()).contains("SUCCESS");
      assertThat(process.process().exitValue()).isZero();
    }
  }

  /** Sends once, and returns without closing. */
  static final class Sender {
    private Sender() {}

    /** Takes the port. */
    public static void main(String[] arguments) throws Exception {
      ChunkPool pool = new ChunkPool(4);
      GrpcTransport transport =
          GrpcTransport.create(Outcome.to(Integer.parseInt(arguments[0]), pool), Outcome.METHOD);
      System.out.println(Outcome.of(transport, pool, new byte[10]).get().kind());
    }
  }
}
