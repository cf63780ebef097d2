package dev.millrace.agent.config;

import dev.millrace.export.tls.Tls;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What encrypts the connections to a server of the agent. Immutable.
 *
 * @param certFile the server's certificate and those that lead to its authority, as PEM
 * @param keyFile the certificate's key, as PEM
 * @param clientCaFile the authorities of which clients have to show a certificate, as PEM; null if
 *     clients need none
 */
public record TlsConfig(Path certFile, Path keyFile, @Nullable Path clientCaFile) {
  /** The files, for whoever reads them. */
  public Tls tls() {
    Tls tls = Tls.server(certFile, keyFile);
    return clientCaFile == null ? tls : tls.withClientAuthorities(clientCaFile);
  }

  /** Reads a section; null if it cannot be used, which is reported then. */
  static @Nullable TlsConfig read(Section section) {
    Path certFile = section.file("cert_file");
    Path keyFile = section.file("key_file");
    Path clientCaFile = section.file("client_ca_file");
    if (certFile == null || keyFile == null) {
      section.problem(
          "expected both cert_file and key_file, found "
              + (certFile == keyFile ? "neither" : "one"));
      return null;
    }
    return new TlsConfig(certFile, keyFile, clientCaFile);
  }
}
