package dev.millrace.grpc;

import java.net.URI;
import java.util.Locale;

/**
 * Where to connect to.
 *
 * @param host a name or an address, an IPv6 address without brackets
 */
record Endpoint(String scheme, String host, int port, String authority) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  static Endpoint of(URI uri) {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    String inUri = uri.getHost();
    int port = uri.getPort();
    if (port < 0) {
      port = scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    }
    String host = inUri.startsWith("[") ? inUri.substring(1, inUri.length() - 1) : inUri;
    return new Endpoint(scheme, host, port, inUri + ":" + port);
  }

  @Override
  public String toString() {
    return scheme + "://" + authority;
  }
}
