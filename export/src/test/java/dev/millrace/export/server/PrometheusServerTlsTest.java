package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.tls.Tls;
import dev.millrace.model.Problems;
import dev.millrace.store.Counter;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.TestIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class PrometheusServerTlsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static TestIdentity first;
  private static TestIdentity second;
  private static TestIdentity client;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final MetricStore store = MetricStore.inMemory();
  private final Problems problems = new Problems();

  @TempDir private Path directory;
  private Path chain;
  private Path key;

  @BeforeAll
  static void makeIdentities(@TempDir Path shared) throws Exception {
    first = TestIdentity.selfSigned(shared, "first", "EC");
    second = TestIdentity.selfSigned(shared, "second", "RSA");
    client = TestIdentity.selfSigned(shared, "client", "EC");
  }

  @BeforeEach
  void writeFirst() throws Exception {
    chain = directory.resolve("tls.crt");
    key = directory.resolve("tls.key");
    write(first);
    store.counter("c").create().increment();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private void write(TestIdentity identity) throws Exception {
    Files.writeString(chain, identity.certificatePem());
    Files.writeString(key, identity.keyPem());
  }

  private PrometheusServer.Builder server(Tls tls) {
    return PrometheusServer.builder().port(0).problems(problems).tls(tls);
  }

  private static RawConnection connect(PrometheusServer server, SSLContext context)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(server.address().getAddress(), server.port());
    return new RawConnection(socket);
  }

  private static void expectScrape(RawConnection connection) throws IOException {
    assertThat(connection.get("/metrics").text()).contains("c_total 1\n");
  }

  @Test
  void servesOverTlsAlone() throws Exception {
    try (PrometheusServer server = server(Tls.server(chain, key)).start(store);
        RawConnection secure = connect(server, first.trustedBy(null))) {
      for (int i = 0; i < 3; i++) {
        expectScrape(secure);
      }
      try (RawConnection plain = RawConnection.to(server.address())) {
        plain.request("GET", "/metrics");
        assertThat(new String(plain.untilClosed(), StandardCharsets.ISO_8859_1))
            .doesNotContain("c_total");
      }
      try (RawConnection stranger = connect(server, second.trustedBy(null))) {
        assertThatThrownBy(() -> stranger.get("/metrics"))
            .isInstanceOf(SSLHandshakeException.class);
      }
      expectScrape(secure);
    }
  }

  @Test
  void largeRepliesAndClientsThatCloseHalfWay() throws Exception {
    Counter big = store.counter("big").labelNames("number", "padding").create();
    String padding = "x".repeat(1_000);
    for (int i = 0; i < 20_000; i++) {
      big.labels(Integer.toString(i), padding).increment();
    }
    try (PrometheusServer server = server(Tls.server(chain, key)).start(store)) {
      SSLContext trusting = first.trustedBy(null);
      try (RawConnection gone = connect(server, trusting)) {
        gone.request("GET", "/metrics");
        assertThat(gone.read()).isEqualTo('H');
      }
      try (RawConnection whole = connect(server, trusting)) {
        assertThat(whole.get("/metrics").text().lines().filter(line -> line.startsWith("big_")))
            .hasSize(20_000);
      }
      Eventually.isTrue("no scrape left", LIMIT, () -> server.gate().running() == 0);
    }
  }

  @Test
  void halfAHandshakeHoldsNoThreadForEver() throws Exception {
    try (PrometheusServer server =
            server(Tls.server(chain, key)).limits(1_000, 1_000, chunks.pool()).start(store);
        RawConnection half = RawConnection.to(server.address())) {
      half.send("\u0016\u0003\u0001\u0002");
      half.untilClosed();
      Eventually.isTrue(
          "a slow request counted", LIMIT, () -> problems.kind("scrape_slow_request").count() == 1);
    }
  }

  @Test
  void aReplacedCertificateIsUsedByTheNextConnection() throws Exception {
    try (PrometheusServer server = server(Tls.server(chain, key)).start(store);
        RawConnection open = connect(server, first.trustedBy(null))) {
      expectScrape(open);
      write(second);
      SSLContext trustsSecond = second.trustedBy(null);
      Eventually.isTrue(
          "the second certificate",
          LIMIT,
          () -> {
            try (RawConnection next = connect(server, trustsSecond)) {
              expectScrape(next);
              return shown(next).equals(second.certificate());
            }
          });
      // One that is open stays so.
      expectScrape(open);
      assertThat(shown(open)).isEqualTo(first.certificate());
    }
  }

  private static Certificate shown(RawConnection connection) throws Exception {
    return ((SSLSocket) connection.socket()).getSession().getPeerCertificates()[0];
  }

  @Test
  void aBrokenFileKeepsTheOldCertificate() throws Exception {
    SSLContext trustsFirst = first.trustedBy(null);
    try (PrometheusServer server = server(Tls.server(chain, key)).start(store)) {
      // The key of another certificate, as between the replacing of two files.
      Files.writeString(key, second.keyPem());
      Eventually.isTrue(
          "a failure to reload",
          LIMIT,
          () -> {
            try (RawConnection next = connect(server, trustsFirst)) {
              expectScrape(next);
            }
            return problems.kind(Tls.RELOAD_FAILED).count() > 0;
          });
      Files.writeString(chain, second.certificatePem());
      SSLContext trustsSecond = second.trustedBy(null);
      Eventually.isTrue("both files", LIMIT, () -> scrapes(server, trustsSecond));
    }
  }

  @Test
  void clientsNeedACertificateOfTheAuthorities() throws Exception {
    Path authorities = Files.writeString(directory.resolve("ca.crt"), client.certificatePem());
    Tls mutual = Tls.server(chain, key).withClientAuthorities(authorities);
    SSLContext known = first.trustedBy(client);
    SSLContext stranger = first.trustedBy(second);
    SSLContext nobody = first.trustedBy(null);
    try (PrometheusServer server = server(mutual).start(store)) {
      assertThat(scrapes(server, known)).isTrue();
      assertThat(scrapes(server, stranger)).isFalse();
      assertThat(scrapes(server, nobody)).isFalse();

      // The same client context resumes its session where the server lets it: it must not, since
      // what vouched for it is gone.
      Files.writeString(authorities, second.certificatePem());
      Eventually.isTrue("the stranger is known", LIMIT, () -> scrapes(server, stranger));
      assertThat(scrapes(server, known)).isFalse();
      assertThat(scrapes(server, nobody)).isFalse();
    }
  }

  @Test
  void chainsLeadToTheirAuthority() throws Exception {
    Files.delete(chain);
    write(second.signs(directory, "server", "EC"));
    Path authorities = Files.writeString(directory.resolve("ca.crt"), second.certificatePem());
    Tls mutual = Tls.server(chain, key).withClientAuthorities(authorities);
    try (PrometheusServer server = server(mutual).start(store)) {
      TestIdentity signed = second.signs(directory, "scraper", "RSA");
      assertThat(scrapes(server, second.trustedBy(signed))).isTrue();
      assertThat(scrapes(server, second.trustedBy(client))).isFalse();
      assertThat(scrapes(server, first.trustedBy(signed))).isFalse();
    }
  }

  private static boolean scrapes(PrometheusServer server, @Nullable SSLContext context)
      throws IOException {
    if (context == null) {
      return false;
    }
    try (RawConnection connection = connect(server, context)) {
      expectScrape(connection);
      return true;
    } catch (IOException e) {
      // With TLS 1.3 the client learns at its first read that it was refused.
      return false;
    }
  }

  @Test
  void aFileThatIsMissingFailsTheStart() throws Exception {
    Files.delete(key);
    assertThatThrownBy(() -> server(Tls.server(chain, key)).start(store))
        .hasMessageContaining(key.toString());
  }
}
