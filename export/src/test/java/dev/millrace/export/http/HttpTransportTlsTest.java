package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendResult.Kind;
import dev.millrace.export.tls.ClientTls;
import dev.millrace.export.tls.Tls;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.TestIdentity;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class HttpTransportTlsTest {
  private static final byte[] BODY = {1, 2, 3};
  private static TestIdentity server;
  private static TestIdentity clientAuthority;
  private static TestIdentity client;
  private static TestIdentity nextClient;
  private static TestIdentity nextServer;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path directory;
  private final List<Certificate> seen = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void makeIdentities(@TempDir Path shared) throws Exception {
    server = TestIdentity.selfSigned(shared, "server", "EC");
    nextServer = TestIdentity.selfSigned(shared, "next-server", "EC");
    clientAuthority = TestIdentity.selfSigned(shared, "authority", "EC");
    client = clientAuthority.signs(shared, "client", "EC");
    nextClient = clientAuthority.signs(shared, "next-client", "EC");
  }

  private Path write(String name, String text) throws Exception {
    // As deployments do: a new file, moved to the place of the old one.
    Path fresh = Files.writeString(directory.resolve(name + ".new"), text);
    return Files.move(
        fresh,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private ScriptedServer serve(TestIdentity identity, boolean clientCertificate) throws Exception {
    Tls tls =
        Tls.server(
            write("server.crt", identity.certificatePem()), write("server.key", identity.keyPem()));
    if (clientCertificate) {
      tls = tls.withClientAuthorities(write("authority.crt", clientAuthority.certificatePem()));
    }
    return ScriptedServer.tls(
        tls.sslContext(new Problems()),
        clientCertificate,
        (request, socket) -> {
          if (clientCertificate) {
            seen.add(((SSLSocket) socket).getSession().getPeerCertificates()[0]);
          }
          replyAndClose(socket);
        });
  }

  private static void replyAndClose(Socket socket) throws Exception {
    ScriptedServer.reply(socket, 200, "Connection: close\r\n", new byte[0]);
    socket.close();
  }

  private HttpTransport to(ScriptedServer to, ClientTls tls) {
    return new HttpTransport(
        HttpTransportOptions.to(to.uri(), "application/x-protobuf")
            .withConnection(HttpConnection.defaults().withTls(tls)),
        chunks.pool());
  }

  private SendResult send(HttpTransport transport) throws Exception {
    return Sends.send(transport, chunks.pool(), BODY);
  }

  private ClientTls trusting(TestIdentity identity) throws Exception {
    return Tls.client().withAuthorities(write("ca.crt", identity.certificatePem()));
  }

  @Test
  void trustsTheAuthoritiesOfTheFileAndNoOther() throws Exception {
    try (ScriptedServer to = serve(server, false)) {
      try (HttpTransport transport = to(to, trusting(server))) {
        assertThat(send(transport).kind()).isEqualTo(Kind.SUCCESS);
      }
      try (HttpTransport transport = to(to, trusting(nextServer))) {
        assertThat(send(transport).kind()).isEqualTo(Kind.RETRYABLE);
      }
      try (HttpTransport transport = to(to, Tls.client())) {
        SendResult result = send(transport);
        assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
        assertThat(result.errorType()).startsWith("SSL");
      }
      assertThat(to.requests()).hasSize(1);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void showsItsCertificateAndTheNextOneWithoutARestart() throws Exception {
    try (ScriptedServer to = serve(server, true)) {
      ClientTls tls =
          trusting(server)
              .withCertificate(
                  write("client.crt", client.certificatePem()),
                  write("client.key", client.keyPem()));
      try (HttpTransport transport = to(to, tls)) {
        assertThat(send(transport).kind()).isEqualTo(Kind.SUCCESS);
        assertThat(seen).containsExactly(client.certificate());
        write("client.key", nextClient.keyPem());
        write("client.crt", nextClient.certificatePem());
        Eventually.isTrue(
            "the next certificate",
            Sends.LIMIT,
            () -> {
              send(transport);
              return seen.get(seen.size() - 1).equals(nextClient.certificate());
            });
      }
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void withoutTheCertificateThatTheServerWantsNothingIsSent() throws Exception {
    try (ScriptedServer to = serve(server, true);
        HttpTransport transport = to(to, trusting(server))) {
      assertThat(send(transport).kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(to.requests()).isEmpty();
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aNewAuthorityIsTrustedWithoutARestart() throws Exception {
    try (ScriptedServer to = serve(nextServer, false);
        HttpTransport transport = to(to, trusting(server))) {
      assertThat(send(transport).kind()).isEqualTo(Kind.RETRYABLE);
      write("ca.crt", nextServer.certificatePem());
      Eventually.isTrue(
          "the new authority", Sends.LIMIT, () -> send(transport).kind() == Kind.SUCCESS);
    }
    Sends.awaitGivenBack(chunks.pool());
  }
}
