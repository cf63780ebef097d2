package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.ConnectionOptions;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendResult.Kind;
import dev.millrace.export.push.TransportOptions;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.RealProgram;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS, with a certificate for 127.0.0.1 alone. */
class TlsTest {
  private static final char[] PASSWORD = "password".toCharArray();

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path directory;
  private KeyStore keys = KeyStore.getInstance("PKCS12");

  TlsTest() throws Exception {}

  @BeforeEach
  void makeCertificate() throws Exception {
    Path file = directory.resolve("keys.p12");
    RealProgram keytool =
        RealProgram.require(Path.of(System.getProperty("java.home"), "bin", "keytool"));
    RealProgram.Result result =
        keytool.run(
            Duration.ofMinutes(2),
            new byte[0],
            ("-genkeypair -alias own -keyalg EC -dname CN=own -ext san=ip:127.0.0.1 -validity 2"
                    + " -storetype PKCS12 -storepass password -keystore "
                    + file)
                .split(" "));
    assertThat(result.exitCode()).as(result.output()).isZero();
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
  }

  private SSLContext context(boolean withKey) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("own", keys.getCertificate("own"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    KeyManager[] managers = {};
    if (withKey) {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(keys, PASSWORD);
      managers = factory.getKeyManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers, trust.getTrustManagers(), null);
    return context;
  }

  private ScriptedServer server(String protocol, boolean wantsCertificate) throws Exception {
    SSLContext context = context(true);
    return new ScriptedServer(
        ScriptedServer.Exchange::ok,
        new Http2Settings(),
        () -> {
          SSLEngine engine = context.createSSLEngine();
          engine.setUseClientMode(false);
          SSLParameters parameters = engine.getSSLParameters();
          parameters.setNeedClientAuth(wantsCertificate);
          if (!protocol.isEmpty()) {
            parameters.setApplicationProtocols(new String[] {protocol});
          }
          engine.setSSLParameters(parameters);
          return engine;
        });
  }

  private SendResult send(ScriptedServer server, String host, SSLContext client) throws Exception {
    TransportOptions options =
        TransportOptions.to(URI.create("https://" + host + ":" + server.port()), chunks.pool())
            .withConnection(ConnectionOptions.defaults().withSslContext(client));
    try (GrpcTransport transport = GrpcTransport.create(options, Outcome.METHOD)) {
      return Outcome.of(transport, chunks.pool(), new byte[200_000]).get();
    }
  }

  @Test
  void encrypts() throws Exception {
    try (ScriptedServer server = server("h2", false)) {
      SendResult result = send(server, "127.0.0.1", context(false));
      assertThat(result.kind()).as(result.toString()).isEqualTo(Kind.SUCCESS);
    }
  }

  @Test
  void showsItsCertificateWhereTheServerWantsOne() throws Exception {
    try (ScriptedServer server = server("h2", true)) {
      assertThat(send(server, "127.0.0.1", context(true)).kind()).isEqualTo(Kind.SUCCESS);
      assertThat(send(server, "127.0.0.1", context(false)).kind()).isEqualTo(Kind.RETRYABLE);
    }
  }

  @Test
  void refusesACertificateOfAnotherName() throws Exception {
    try (ScriptedServer server = server("h2", false)) {
      SendResult result = send(server, "localhost", context(false));
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.reason()).contains("TLS");
      assertThat(server.requests()).isZero();
    }
  }

  @Test
  void refusesACertificateThatNobodyVouchesFor() throws Exception {
    try (ScriptedServer server = server("h2", false)) {
      SendResult result = send(server, "127.0.0.1", SSLContext.getDefault());
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(server.requests()).isZero();
    }
  }

  @Test
  void refusesAPeerWithoutAlpn() throws Exception {
    try (ScriptedServer server = server("", false)) {
      SendResult result = send(server, "127.0.0.1", context(false));
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.reason()).contains("ALPN");
    }
  }
}
