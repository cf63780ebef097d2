package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.tls.ClientTls;
import dev.millrace.export.tls.Tls;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** How an exporter that pushes connects, as settings say. */
final class ConnectionSettings {
  private ConnectionSettings() {}

  /** Reads an address. */
  static URI uri(Settings settings, String name, String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      // The text itself may hold a password.
      throw settings.invalid(name, "an http or https address", e.getReason());
    }
  }

  /** TLS of what connects. */
  static HttpConnection connection(Settings settings) {
    ClientTls tls = Tls.client();
    String authorities = settings.text("tls.ca_file");
    if (authorities != null) {
      tls = tls.withAuthorities(Path.of(authorities));
    }
    String certificate = settings.text("tls.cert_file");
    String key = settings.text("tls.key_file");
    if (certificate != null && key != null) {
      tls = tls.withCertificate(Path.of(certificate), Path.of(key));
    } else if (certificate != null || key != null) {
      throw settings.invalid(
          certificate == null ? "tls.cert_file" : "tls.key_file",
          "a file, as the client has the other one of certificate and key",
          "nothing");
    }
    return HttpConnection.defaults().withTls(tls);
  }
}
