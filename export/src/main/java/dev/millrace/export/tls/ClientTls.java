package dev.millrace.export.tls;

import dev.millrace.model.Problems;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Which files a client's TLS is made of, if any. All are PEM (RFC 7468). Immutable.
 *
 * <pre>{@code
 * ClientTls tls = Tls.client().withAuthorities(Path.of("ca.crt"));
 * assert !tls.hasCertificate();
 * assert tls.withCertificate(Path.of("tls.crt"), Path.of("tls.key")).hasCertificate();
 * }</pre>
 *
 * <p>The protocol versions and cipher suites are those that the JDK has on by default. That the
 * server's certificate is for the host that was asked for is checked by whoever makes engines:
 * their endpoint identification algorithm is {@code HTTPS}.
 */
public final class ClientTls {
  private final @Nullable Path authorities;
  private final TlsMaterial.@Nullable Identity identity;

  ClientTls(@Nullable Path authorities, TlsMaterial.@Nullable Identity identity) {
    this.authorities = authorities;
    this.identity = identity;
  }

  /**
   * The same, with servers that must have a certificate of one of these authorities, in place of
   * the JDK's.
   *
   * @param authorities one or more certificates
   */
  public ClientTls withAuthorities(Path authorities) {
    return new ClientTls(authorities, identity);
  }

  /**
   * The same, with a certificate to show to servers that ask for one ("mutual TLS").
   *
   * @param certificateChain the client's certificate and then those that lead to its authority
   * @param privateKey the key of the first certificate, RSA, EC or Ed25519, as unencrypted PKCS#8;
   *     may be the same file
   */
  public ClientTls withCertificate(Path certificateChain, Path privateKey) {
    return new ClientTls(authorities, new TlsMaterial.Identity(certificateChain, privateKey));
  }

  /** Whether a certificate is shown to servers that ask for one. */
  public boolean hasCertificate() {
    return identity != null;
  }

  /**
   * Reads the files. The context looks at them when it makes an engine, at most once a second, and
   * reads them again when one has changed: connections from then on use the new ones, those that
   * are open are left alone. Files that cannot be used are counted under {@link Tls#RELOAD_FAILED},
   * and what was read before stays in use. Thread-safe.
   *
   * @throws UncheckedIOException if a file cannot be read
   * @throws IllegalArgumentException if a file has something else than expected, or the key is not
   *     the certificate's
   */
  public SSLContext sslContext(Problems problems) {
    return Tls.contextOf(new TlsMaterial(identity, authorities), problems);
  }

  @Override
  public String toString() {
    return "ClientTls[authorities=" + authorities + ", identity=" + identity + "]";
  }
}
