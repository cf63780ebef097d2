package dev.millrace.export.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Problems;
import dev.millrace.testkit.TestIdentity;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
  private static TestIdentity ec;
  private static TestIdentity otherEc;
  private static TestIdentity rsa;

  @TempDir private Path directory;
  private Path chain;
  private Path key;

  @BeforeAll
  static void makeIdentities(@TempDir Path shared) throws Exception {
    ec = TestIdentity.selfSigned(shared, "ec", "EC");
    otherEc = TestIdentity.selfSigned(shared, "other", "EC");
    rsa = TestIdentity.selfSigned(shared, "rsa", "RSA");
  }

  @BeforeEach
  void nameFiles() {
    chain = directory.resolve("tls.crt");
    key = directory.resolve("tls.key");
  }

  private void write(String chainText, String keyText) throws Exception {
    Files.writeString(chain, chainText);
    Files.writeString(key, keyText);
  }

  private SSLContext load() {
    return Tls.server(chain, key).sslContext(new Problems());
  }

  private static void assertRefused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void readsKeysOfEveryKind(String algorithm) throws Exception {
    TestIdentity identity = TestIdentity.selfSigned(directory, "kind", algorithm);
    write(identity.certificatePem(), identity.keyPem());
    assertThat(load().createSSLEngine().getSupportedProtocols()).contains("TLSv1.3", "TLSv1.2");
  }

  @Test
  void readsOneFileWithBothAndTextAround() throws Exception {
    String both =
        "Bag Attributes: x\r\n"
            + ec.keyPem().replace("\n", "\r\n")
            + "subject=a\n"
            + ec.certificatePem();
    write(both, both);
    assertThat(Tls.server(chain, chain).sslContext(new Problems()).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void saysWhatToDoAboutOtherKeys() throws Exception {
    String content = "c2VjcmV0";
    for (String label : new String[] {"RSA PRIVATE KEY", "EC PRIVATE KEY"}) {
      write(ec.certificatePem(), TestIdentity.pem(label, content.getBytes(StandardCharsets.UTF_8)));
      assertRefused(
          this::load,
          key.toString(),
          "expected an unencrypted PKCS#8 key",
          "BEGIN " + label,
          "openssl pkcs8 -topk8 -nocrypt");
    }
    write(ec.certificatePem(), TestIdentity.pem("ENCRYPTED PRIVATE KEY", new byte[] {1}));
    assertRefused(this::load, key.toString(), "ENCRYPTED", "openssl pkcs8 -in OLD -out NEW");
  }

  @Test
  void refusesWhatDoesNotBelongTogether() throws Exception {
    write(ec.certificatePem(), otherEc.keyPem());
    assertRefused(this::load, key.toString(), chain.toString(), "found another one");
    write(ec.certificatePem(), rsa.keyPem());
    assertRefused(this::load, key.toString(), "of the certificate's kind (EC)");
    write(rsa.certificatePem(), ec.keyPem());
    assertRefused(this::load, key.toString(), "of the certificate's kind (RSA)");
    write(ec.certificatePem() + rsa.certificatePem(), ec.keyPem());
    assertRefused(this::load, chain.toString(), "followed by its signer's");
    write(ec.certificatePem(), ec.keyPem() + otherEc.keyPem());
    assertRefused(this::load, key.toString(), "found two");
  }

  @Test
  void refusesHalfFilesAndOtherFiles() throws Exception {
    String certificate = ec.certificatePem();
    write("", ec.keyPem());
    assertRefused(this::load, chain.toString(), "BEGIN CERTIFICATE", "found none");
    write(certificate, "");
    assertRefused(this::load, key.toString(), "BEGIN PRIVATE KEY", "found none");
    write(certificate.substring(0, certificate.length() / 2), ec.keyPem());
    assertRefused(this::load, chain.toString(), "expected an END line");
    write(certificate.replace("MII", "AAA"), ec.keyPem());
    assertRefused(this::load, chain.toString(), "expected an X.509 certificate");
    write(certificate, TestIdentity.pem("PRIVATE KEY", new byte[] {1, 2, 3}));
    assertRefused(this::load, key.toString());
    write("x".repeat(Pem.MAX_FILE_BYTES + 1), ec.keyPem());
    assertRefused(this::load, chain.toString(), "at most 1048576 bytes");
    Files.delete(chain);
    assertThatThrownBy(this::load)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(chain.toString());
  }

  @Test
  void errorsShowNoContent() throws Exception {
    String keyPem = ec.keyPem();
    String secret = keyPem.lines().skip(1).findFirst().orElseThrow().substring(20, 40);
    for (String broken :
        new String[] {
          keyPem.replace("PRIVATE KEY", "RSA PRIVATE KEY"),
          keyPem.replace("-----END", "----END"),
          keyPem.replace("\nM", "\nN"),
          keyPem + keyPem
        }) {
      write(ec.certificatePem(), broken);
      assertThatThrownBy(this::load)
          .satisfies(
              e -> {
                for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                  assertThat("" + cause.getMessage()).doesNotContain(secret);
                }
              });
    }
  }

  @Test
  void authoritiesHaveToBeThere() throws Exception {
    write(ec.certificatePem(), ec.keyPem());
    Path empty = Files.writeString(directory.resolve("ca.crt"), "nothing");
    Tls tls = Tls.server(chain, key).withClientAuthorities(empty);
    assertThat(tls.clientCertificateRequired()).isTrue();
    assertRefused(() -> tls.sslContext(new Problems()), empty.toString(), "found none");
    assertThat(tls.toString()).contains(chain.toString(), key.toString(), empty.toString());
  }

  @Test
  void theContextIsNotToBeInitialised() throws Exception {
    write(ec.certificatePem(), ec.keyPem());
    SSLContext context = load();
    assertThatThrownBy(() -> context.init(null, null, null))
        .isInstanceOf(IllegalStateException.class);
    assertThat(context.getServerSocketFactory().getDefaultCipherSuites()).isNotEmpty();
    assertThat(context.getSocketFactory().getDefaultCipherSuites()).isNotEmpty();
    assertThat(context.getSupportedSSLParameters().getProtocols()).contains("TLSv1.3");
    assertThat(context.getServerSessionContext()).isNotNull();
    assertThat(context.getClientSessionContext()).isNotNull();
  }
}
