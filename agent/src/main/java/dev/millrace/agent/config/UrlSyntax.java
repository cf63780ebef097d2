package dev.millrace.agent.config;

import java.net.URI;
import java.net.URISyntaxException;

/** Addresses that an exporter sends to. */
final class UrlSyntax {
  static final String EXPECTED = "an address such as http://127.0.0.1:9090/api/v1/write";

  private static final int MAX_PORT = 65_535;

  private UrlSyntax() {}

  /** Whether a text may hold a password, so that it is shown nowhere. */
  static boolean mayBeSecret(String text) {
    return text.indexOf('@') >= 0 || text.indexOf('?') >= 0;
  }

  /** Reads an address; what is wrong with it is said without the address itself. */
  static Parsed<URI> parse(String text) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      return Parsed.not(EXPECTED);
    }
    boolean known =
        "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
    if (!known || url.getHost() == null) {
      return Parsed.not(EXPECTED, "it begins with http:// or https:// and has a host");
    }
    if (url.getPort() == 0 || url.getPort() > MAX_PORT) {
      return Parsed.not(EXPECTED, "ports are 1 to " + MAX_PORT);
    }
    if (url.getRawUserInfo() != null) {
      return Parsed.not(EXPECTED, "it has no user and no password; use basic_auth");
    }
    return url.getRawFragment() == null
        ? Parsed.of(url)
        : Parsed.not(EXPECTED, "it has no part after #");
  }
}
