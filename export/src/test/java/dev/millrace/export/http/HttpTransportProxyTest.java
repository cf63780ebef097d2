package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendResult.Kind;
import dev.millrace.export.tls.Tls;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.TestIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class HttpTransportProxyTest {
  private static final byte[] BODY = {1, 2, 3};

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private HttpConnection through(int port) {
    return HttpConnection.defaults()
        .withProxy(ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  @Test
  void plainRequestsGoToTheProxyWithTheWholeAddress() throws Exception {
    try (ScriptedServer proxy =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport =
            new HttpTransport(
                HttpTransportOptions.to(
                        URI.create("http://collector.invalid:4318/v1/logs"), "text/plain")
                    .withConnection(through(proxy.uri().getPort())),
                chunks.pool())) {
      assertThat(Sends.send(transport, chunks.pool(), BODY).kind()).isEqualTo(Kind.SUCCESS);
      assertThat(proxy.requests().get(0).line())
          .isEqualTo("POST http://collector.invalid:4318/v1/logs HTTP/1.1");
      assertThat(proxy.requests().get(0).body()).isEqualTo(BODY);
    }
  }

  @Test
  void aProxyThatRefusesATunnelIsHeardBeforeTheDeadline() throws Exception {
    try (ScriptedServer proxy =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 407));
        HttpTransport transport =
            new HttpTransport(
                HttpTransportOptions.to(
                        URI.create("https://collector.invalid:4318/v1/logs"), "text/plain")
                    .withConnection(through(proxy.uri().getPort())),
                chunks.pool())) {
      SendResult result = Sends.send(transport, chunks.pool(), BODY);
      assertThat(result.kind()).isEqualTo(Kind.FATAL);
      assertThat(result.statusCode()).isEqualTo(407);
      assertThat(result.body()).isEmpty();
    }
  }

  @Test
  void tlsGoesThroughATunnel(@TempDir Path directory) throws Exception {
    TestIdentity identity = TestIdentity.selfSigned(directory, "server", "EC");
    Path chain = Files.writeString(directory.resolve("crt"), identity.certificatePem());
    Path key = Files.writeString(directory.resolve("key"), identity.keyPem());
    try (ScriptedServer server =
            ScriptedServer.tls(
                Tls.server(chain, key).sslContext(new Problems()),
                false,
                (request, socket) -> ScriptedServer.reply(socket, 200));
        Tunnel tunnel = new Tunnel();
        HttpTransport transport =
            new HttpTransport(
                HttpTransportOptions.to(server.uri(), "text/plain")
                    .withConnection(
                        through(tunnel.port()).withTls(Tls.client().withAuthorities(chain))),
                chunks.pool())) {
      assertThat(Sends.send(transport, chunks.pool(), BODY).kind()).isEqualTo(Kind.SUCCESS);
      assertThat(server.requests().get(0).body()).isEqualTo(BODY);
      assertThat(tunnel.line)
          .isEqualTo("CONNECT 127.0.0.1:" + server.uri().getPort() + " HTTP/1.1");
    }
  }

  /** A proxy that knows CONNECT, for one connection. */
  private static final class Tunnel implements AutoCloseable {
    private final ServerSocket listening =
        new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private volatile String line = "";

    Tunnel() throws Exception {
      daemon(this::serve);
    }

    int port() {
      return listening.getLocalPort();
    }

    private interface Task {
      void run() throws Exception;
    }

    private static void daemon(Task task) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  task.run();
                } catch (Exception e) {
                  // The test is over.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private void serve() throws Exception {
      try (Socket from = listening.accept()) {
        InputStream in = from.getInputStream();
        ScriptedServer.Request request = ScriptedServer.read(in, 0);
        if (request == null) {
          return;
        }
        line = request.line();
        String target = line.split(" ", -1)[1];
        int colon = target.indexOf(':');
        try (Socket to =
            new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)))) {
          from.getOutputStream()
              .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          daemon(() -> to.getInputStream().transferTo(from.getOutputStream()));
          in.transferTo(to.getOutputStream());
        }
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }
}
