package dev.millrace.agent.config;

import dev.millrace.export.http.FileCredentials;
import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.tls.ClientTls;
import dev.millrace.export.tls.Tls;
import dev.millrace.model.Problems;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How an exporter that sends reaches its endpoint. Immutable; shows no secret. */
public final class RemoteWriteClientConfig {
  private static final int HTTP_PORT = 80;

  /** Those that the exporter sends itself, or that have a meaning for a connection. */
  private static final Set<String> RESERVED_HEADERS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "te",
          "transfer-encoding",
          "upgrade",
          "user-agent",
          "x-prometheus-remote-write-version");

  private static final Map<String, Boolean> COMPRESSIONS = Map.of("snappy", true);

  private final Map<String, String> headers;
  private final @Nullable Credentials credentials;
  private final ClientTls tls;
  private final @Nullable URI proxy;

  /** Makes the header of a request; reads a file where there is one. */
  private interface Credentials {
    HeaderSource source(Problems problems);
  }

  private RemoteWriteClientConfig(
      Map<String, String> headers,
      @Nullable Credentials credentials,
      ClientTls tls,
      @Nullable URI proxy) {
    this.headers = Map.copyOf(headers);
    this.credentials = credentials;
    this.tls = tls;
    this.proxy = proxy;
  }

  /**
   * The headers of each request, credentials among them.
   *
   * @throws java.io.UncheckedIOException if a file with a secret cannot be read
   * @throws IllegalArgumentException if it holds none
   */
  public HeaderSource headers(Problems problems) {
    HeaderSource fixed = HeaderSource.of(headers);
    return credentials == null ? fixed : fixed.and(credentials.source(problems));
  }

  /** TLS and proxy. */
  public HttpConnection connection() {
    HttpConnection connection = HttpConnection.defaults().withTls(tls);
    if (proxy == null) {
      return connection;
    }
    int port = proxy.getPort() >= 0 ? proxy.getPort() : HTTP_PORT;
    return connection.withProxy(
        ProxySelector.of(InetSocketAddress.createUnresolved(proxy.getHost(), port)));
  }

  /** Reads the keys of an exporter's section. */
  static RemoteWriteClientConfig read(Section section) {
    Map<String, String> headers = readHeaders(section);
    Credentials basic = section.optional("basic_auth", RemoteWriteClientConfig::readBasic);
    Credentials bearer = section.optional("authorization", RemoteWriteClientConfig::readBearer);
    if (basic != null && bearer != null) {
      section.problem("expected one of basic_auth and authorization, found both");
    }
    section.refuse(
        "auth", "this build has no extensions; use basic_auth or authorization in the exporter");
    section.choice("compression", true, COMPRESSIONS);
    ClientTls tls = section.section("tls", RemoteWriteClientConfig::readTls);
    return new RemoteWriteClientConfig(
        headers, basic == null ? bearer : basic, tls, section.url("proxy_url"));
  }

  private static Map<String, String> readHeaders(Section section) {
    Map<String, String> headers = new LinkedHashMap<>();
    section
        .texts("headers")
        .forEach(
            (name, value) -> {
              boolean token =
                  !name.isEmpty() && name.chars().allMatch(RemoteWriteClientConfig::isTokenChar);
              if (!token || RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                section.problem(
                    "headers: expected names of letters, digits and hyphens that the exporter does"
                        + " not send itself, found "
                        + Shown.quoted(name));
              } else if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
                section.problem(
                    "headers: expected values of printable ASCII characters, found another one in "
                        + Shown.quoted(name));
              } else {
                headers.put(name, value);
              }
            });
    return headers;
  }

  private static boolean isTokenChar(int c) {
    return c > ' ' && c <= '~' && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0;
  }

  private static @Nullable Credentials readBasic(Section section) {
    String username = section.secret("username");
    String password = section.secret("password");
    Path passwordFile = section.file("password_file");
    if (username == null || (password == null) == (passwordFile == null)) {
      section.problem(
          "expected username, and either password or password_file, found "
              + (username == null ? "no username" : password == null ? "neither" : "both"));
      return null;
    }
    if (username.indexOf(':') >= 0) {
      section.problem("username: expected no colon, which basic authentication cannot carry");
      return null;
    }
    if (passwordFile != null) {
      return problems -> FileCredentials.basic(username, passwordFile, problems);
    }
    String credentials = username + ":" + password;
    return problems ->
        authorization(
            "Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }

  private static @Nullable Credentials readBearer(Section section) {
    section.choice("type", true, Map.of("Bearer", true));
    String token = section.secret("credentials");
    Path tokenFile = section.file("credentials_file");
    if ((token == null) == (tokenFile == null)) {
      section.problem(
          "expected either credentials or credentials_file, found "
              + (token == null ? "neither" : "both"));
      return null;
    }
    if (tokenFile != null) {
      return problems -> FileCredentials.bearer(tokenFile, problems);
    }
    if (token == null || token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      section.problem("credentials: expected a token of printable ASCII characters");
      return null;
    }
    return problems -> authorization("Bearer " + token);
  }

  private static HeaderSource authorization(String value) {
    return HeaderSource.of(Map.of("Authorization", value));
  }

  private static ClientTls readTls(Section section) {
    ClientTls tls = Tls.client();
    Path authorities = section.file("ca_file");
    Path certificate = section.file("cert_file");
    Path key = section.file("key_file");
    section.refuse(
        "insecure",
        "the endpoint says by http:// or https:// whether there is TLS; remove the key");
    section.refuse(
        "insecure_skip_verify",
        "servers are always verified; name the authority of the certificate as ca_file");
    if (authorities != null) {
      tls = tls.withAuthorities(authorities);
    }
    if (certificate != null && key != null) {
      return tls.withCertificate(certificate, key);
    }
    if (certificate != null || key != null) {
      section.problem("expected both cert_file and key_file, or neither, found one");
    }
    return tls;
  }

  @Override
  public String toString() {
    return "RemoteWriteClientConfig";
  }
}
