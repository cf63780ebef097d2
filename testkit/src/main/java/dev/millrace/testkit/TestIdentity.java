package dev.millrace.testkit;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A key and a certificate of this test alone, for 127.0.0.1, which the JDK's keytool makes. */
public final class TestIdentity {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String PASSWORD = "password";

  private final Path file;
  private final String alias;
  private final KeyStore store;

  private TestIdentity(Path file, String alias) throws Exception {
    this.file = file;
    this.alias = alias;
    store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
  }

  /**
   * A self-signed one, which may sign others.
   *
   * @param algorithm {@code RSA}, {@code EC} or {@code Ed25519}
   */
  public static TestIdentity selfSigned(Path directory, String name, String algorithm)
      throws Exception {
    Path file = directory.resolve(name + ".p12");
    generate(file, name, algorithm, "-ext", "bc=ca:true");
    return new TestIdentity(file, name);
  }

  /** One that this one signed. */
  public TestIdentity signs(Path directory, String name, String algorithm) throws Exception {
    Path copy = Files.copy(file, directory.resolve(name + ".p12"));
    generate(copy, name, algorithm, "-signer", alias);
    return new TestIdentity(copy, name);
  }

  private static void generate(Path file, String name, String algorithm, String... more)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("-genkeypair", "-alias", name, "-keyalg", algorithm, "-dname", "CN=" + name));
    arguments.addAll(List.of("-ext", "san=ip:127.0.0.1", "-validity", "2"));
    arguments.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    arguments.addAll(List.of("-keystore", file.toString()));
    arguments.addAll(List.of(more));
    RealProgram keytool =
        RealProgram.require(Path.of(System.getProperty("java.home"), "bin", "keytool"));
    RealProgram.Result result = keytool.run(LIMIT, new byte[0], arguments.toArray(new String[0]));
    if (result.exitCode() != 0) {
      throw new AssertionError("expected keytool to make a key, found: " + result.output());
    }
  }

  /** The certificate, and those of its signers, as PEM. */
  public String certificatePem() throws Exception {
    StringBuilder pem = new StringBuilder();
    for (Certificate certificate : store.getCertificateChain(alias)) {
      pem.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    return pem.toString();
  }

  /** The key as unencrypted PKCS#8 in PEM. */
  public String keyPem() throws Exception {
    Key key = store.getKey(alias, PASSWORD.toCharArray());
    return pem("PRIVATE KEY", key.getEncoded());
  }

  /** The certificate. */
  public Certificate certificate() throws Exception {
    return store.getCertificate(alias);
  }

  /**
   * What a client needs that trusts this identity alone.
   *
   * @param client what the client shows, or {@code null} for nothing
   */
  public SSLContext trustedBy(@Nullable TestIdentity client) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("peer", certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    KeyManager[] keys = null;
    if (client != null) {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(client.alone(), PASSWORD.toCharArray());
      keys = factory.getKeyManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return context;
  }

  /** Without the signer, which came with the file that this was made in. */
  private KeyStore alone() throws Exception {
    KeyStore alone = KeyStore.getInstance("PKCS12");
    alone.load(null, null);
    alone.setKeyEntry(
        alias,
        store.getKey(alias, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        store.getCertificateChain(alias));
    return alone;
  }

  /** Bytes in the textual encoding of RFC 7468. */
  public static String pem(String label, byte[] bytes) {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
  }
}
