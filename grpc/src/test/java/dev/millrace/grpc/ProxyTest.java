package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.ConnectionOptions;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.TransportOptions;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  /**
   * A proxy that answers each request with a status, and joins the connection to a port after 200.
   */
  private static final class Proxy implements AutoCloseable {
    final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int status;
    private final int targetPort;

    private interface Task {
      void run() throws IOException;
    }

    Proxy(int status, int targetPort) throws IOException {
      this.status = status;
      this.targetPort = targetPort;
      daemon(
          () -> {
            while (true) {
              Socket socket = server.accept();
              open.add(socket);
              daemon(() -> serve(socket));
            }
          });
    }

    InetSocketAddress address() {
      return InetSocketAddress.createUnresolved("127.0.0.1", server.getLocalPort());
    }

    private static void daemon(Task task) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  task.run();
                } catch (IOException e) {
                  // The test is over, or the peer went away.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private void serve(Socket socket) throws IOException {
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        int b = in.read();
        if (b < 0) {
          return;
        }
        head.append((char) b);
      }
      requests.add(head.toString());
      OutputStream out = socket.getOutputStream();
      String end = status == 200 ? "\r\n" : "Content-Length: 0\r\n\r\n";
      out.write(("HTTP/1.1 " + status + " X\r\n" + end).getBytes(StandardCharsets.ISO_8859_1));
      if (status == 200) {
        Socket target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
        open.add(target);
        daemon(() -> target.getInputStream().transferTo(out));
        in.transferTo(target.getOutputStream());
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private GrpcTransport through(Proxy proxy, String endpoint) {
    return GrpcTransport.create(
        TransportOptions.to(URI.create(endpoint), chunks.pool())
            .withConnection(ConnectionOptions.defaults().withProxy(proxy.address())),
        Outcome.METHOD);
  }

  @Test
  void aTunnelLeadsToTheReceiverWhoseNameTheProxyLooksUp() throws Exception {
    try (GrpcJavaServer server =
            new GrpcJavaServer(
                (request, reply) -> {
                  reply.onNext(request);
                  reply.onCompleted();
                },
                1 << 20,
                null);
        Proxy proxy = new Proxy(200, server.port());
        GrpcTransport transport = through(proxy, "http://collector.invalid:4317")) {
      SendResult result = Outcome.of(transport, chunks.pool(), new byte[100_000]).get();
      assertThat(result.body()).hasSize(100_000);
      assertThat(proxy.requests)
          .singleElement()
          .asString()
          .startsWith("CONNECT collector.invalid:4317 HTTP/1.1\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://collector.invalid:4317", "https://collector.invalid:4317"})
  void aProxyThatRefusesIsSaidToHaveRefused(String endpoint) throws Exception {
    try (Proxy proxy = new Proxy(407, 0);
        GrpcTransport transport = through(proxy, endpoint)) {
      SendResult result = Outcome.of(transport, chunks.pool(), new byte[1]).get();
      assertThat(result.kind()).isEqualTo(SendResult.Kind.RETRYABLE);
      assertThat(result.reason()).contains("407");
    }
  }
}
