package dev.millrace.export.tls;

import dev.millrace.export.files.FileBacked;
import dev.millrace.model.Problems;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Which files a server's TLS is made of. All are PEM (RFC 7468). Immutable.
 *
 * <pre>{@code
 * Tls tls = Tls.server(Path.of("tls.crt"), Path.of("tls.key"));
 * assert !tls.clientCertificateRequired();
 * assert tls.withClientAuthorities(Path.of("ca.crt")).clientCertificateRequired();
 * }</pre>
 *
 * <p>The protocol versions and cipher suites are those that the JDK has on by default.
 */
public final class Tls {
  /** The kind of problem that counts files which have changed and cannot be used. */
  public static final String RELOAD_FAILED = "tls_reload_failed";

  private final Path certificateChain;
  private final Path privateKey;
  private final @Nullable Path clientAuthorities;

  private Tls(Path certificateChain, Path privateKey, @Nullable Path clientAuthorities) {
    this.certificateChain = certificateChain;
    this.privateKey = privateKey;
    this.clientAuthorities = clientAuthorities;
  }

  /**
   * A server's side.
   *
   * @param certificateChain the server's certificate and then those that lead to its authority
   * @param privateKey the key of the first certificate, RSA, EC or Ed25519, as unencrypted PKCS#8;
   *     may be the same file
   */
  public static Tls server(Path certificateChain, Path privateKey) {
    return new Tls(certificateChain, privateKey, null);
  }

  /** A client's side that trusts the authorities of the JDK's trust store and shows nothing. */
  public static ClientTls client() {
    return new ClientTls(null, null);
  }

  /**
   * The same, and clients must have a certificate that one of these authorities signed ("mutual
   * TLS").
   *
   * @param clientAuthorities one or more certificates
   */
  public Tls withClientAuthorities(Path clientAuthorities) {
    return new Tls(certificateChain, privateKey, clientAuthorities);
  }

  /** Whether clients must have a certificate: whoever makes engines has to ask for it. */
  public boolean clientCertificateRequired() {
    return clientAuthorities != null;
  }

  /**
   * Reads the files. The context looks at them when it makes an engine, at most once a second, and
   * reads them again when one has changed; connections from then on use the new ones, and no
   * session of before is resumed. Files that cannot be used are counted under {@link
   * #RELOAD_FAILED}, and what was read before stays in use. Connections that are open are left
   * alone.
   *
   * <p>The context is thread-safe. Socket factories taken from it keep what was read when they were
   * taken.
   *
   * @throws UncheckedIOException if a file cannot be read
   * @throws IllegalArgumentException if a file has something else than expected, or the key is not
   *     the certificate's
   */
  public SSLContext sslContext(Problems problems) {
    return contextOf(
        new TlsMaterial(new TlsMaterial.Identity(certificateChain, privateKey), clientAuthorities),
        problems);
  }

  static SSLContext contextOf(TlsMaterial material, Problems problems) {
    return ReloadingContext.over(
        new FileBacked<>(
            material.files(), material::load, problems.kind(RELOAD_FAILED), System::nanoTime));
  }

  @Override
  public String toString() {
    return "Tls[certificateChain="
        + certificateChain
        + ", privateKey="
        + privateKey
        + ", clientAuthorities="
        + clientAuthorities
        + "]";
  }
}
