package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.config.AgentConfig;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.PrometheusServer;
import dev.millrace.testkit.TestIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An exporter that is scraped over TLS and with a password. */
class SecuredScrapeTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String EXPORTER = "exporters: prometheus";

  @TempDir private Path directory;
  private TestIdentity identity;
  private Agent agent;

  @BeforeEach
  void start() throws Exception {
    identity = TestIdentity.selfSigned(directory, "agent", "EC");
    Files.writeString(directory.resolve("tls.crt"), identity.certificatePem());
    Files.writeString(directory.resolve("tls.key"), identity.keyPem());
    Files.writeString(directory.resolve("password"), "correct horse\n");
    agent = startWith("");
  }

  @AfterEach
  void stop() {
    agent.stop();
    assertThat(agent.chunks().outstandingChunks()).isZero();
  }

  private Agent startWith(String moreTls) throws Exception {
    return Agent.start(
        AgentConfig.parse(
            "test.yaml",
            """
            receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:0"}}}}
            exporters:
              prometheus:
                endpoint: "127.0.0.1:0"
                tls: {cert_file: "DIRECTORY/tls.crt", key_file: "DIRECTORY/tls.key"MORE}
                basic_auth: {username: prometheus, password_file: "DIRECTORY/password"}
            service: {pipelines: {metrics: {receivers: [otlp], exporters: [prometheus]}}}
            """
                .replace("DIRECTORY", directory.toString())
                .replace("MORE", moreTls),
            Map.of()));
  }

  private int port() {
    return Objects.requireNonNull(agent.addresses().get(EXPORTER)).getPort();
  }

  private HttpResponse<String> get(SSLContext context, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(context)
        .build()
        .send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String basic(String userAndPassword) {
    return "Basic "
        + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void onlyThePasswordLetsIn() throws Exception {
    SSLContext trusting = identity.trustedBy(null);
    HttpResponse<String> refused = get(trusting, "/metrics");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
        .startsWith("Basic realm=");
    assertThat(get(trusting, "/", "Authorization", basic("prometheus:battery")).statusCode())
        .isEqualTo(401);
    assertThat(get(trusting, "/-/ready").body()).isEqualTo("ready\n");
    HttpResponse<String> scraped =
        get(trusting, "/metrics", "Authorization", basic("prometheus:correct horse"));
    assertThat(scraped.statusCode()).isEqualTo(200);
    assertThat(scraped.body())
        .containsPattern("millrace_problems_total\\{.*kind=\"scrape_unauthorized\".*} 2\n");
  }

  @Test
  void aReplacedCertificateIsUsedByTheNextConnection() throws Exception {
    TestIdentity second = TestIdentity.selfSigned(directory, "second", "EC");
    Files.writeString(directory.resolve("tls.crt"), second.certificatePem());
    Files.writeString(directory.resolve("tls.key"), second.keyPem());
    Eventually.isTrue(
        "the second certificate",
        LIMIT,
        () -> {
          try {
            return get(second.trustedBy(null), "/-/healthy").statusCode() == 200;
          } catch (IOException e) {
            return false;
          }
        });
  }

  @Test
  void clientsNeedACertificateWhereAuthoritiesAreNamed() throws Exception {
    TestIdentity client = TestIdentity.selfSigned(directory, "client", "EC");
    Files.writeString(directory.resolve("ca.crt"), client.certificatePem());
    agent.stop();
    agent = startWith(", client_ca_file: \"" + directory.resolve("ca.crt") + "\"");
    assertThat(get(identity.trustedBy(client), "/-/healthy").statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> get(identity.trustedBy(null), "/-/healthy"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void plainHttpIsCountedAndClosed() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      // An alert of TLS, or nothing, and then the end.
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .doesNotContain("HTTP/");
    }
    assertThat(
            get(
                    identity.trustedBy(null),
                    "/metrics",
                    "Authorization",
                    basic("prometheus:correct horse"))
                .body())
        .containsPattern("millrace_problems_total\\{.*kind=\"http_tls_failed\".*} 1\n");
  }

  @Test
  void theRealPrometheusScrapesIt() throws Exception {
    try (PrometheusServer prometheus =
        PrometheusServer.scrapingWith(
            directory,
            "127.0.0.1:" + port(),
            """
            scheme: https
            tls_config: {ca_file: "%1$s/tls.crt"}
            basic_auth: {username: prometheus, password_file: "%1$s/password"}
            """
                .formatted(directory))) {
      Eventually.isTrue(
          "a scrape",
          LIMIT,
          () -> {
            List<PrometheusServer.Sample> up = prometheus.query("up");
            return up.size() == 1 && up.get(0).value() == 1;
          });
    }
  }

  @Test
  void aFileThatIsMissingStopsTheStartAndIsNamed() throws Exception {
    Files.delete(directory.resolve("password"));
    assertThatThrownBy(() -> startWith(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(EXPORTER + ": basic_auth: ")
        .hasMessageContaining("password");
    Files.delete(directory.resolve("tls.key"));
    Files.writeString(directory.resolve("password"), "correct horse");
    assertThatThrownBy(() -> startWith(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(EXPORTER + ": tls: ")
        .hasMessageContaining("tls.key");
  }
}
