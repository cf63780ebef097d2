package dev.millrace.agent.config;

import org.jspecify.annotations.Nullable;

/**
 * Addresses to listen on: {@code host:port}, an IPv6 address in brackets. Names are not resolved.
 */
final class EndpointSyntax {
  static final String EXPECTED = "host:port such as 127.0.0.1:4318";

  private static final int MAX_PORT_DIGITS = 5;

  private EndpointSyntax() {}

  static Parsed<Endpoint> parse(String text) {
    if (text.contains("://")) {
      return Parsed.not(EXPECTED, "leave out the scheme and the path");
    }
    return text.startsWith("[") ? bracketed(text) : unbracketed(text);
  }

  private static Parsed<Endpoint> bracketed(String text) {
    int close = text.indexOf(']');
    if (close < 0) {
      return Parsed.not(EXPECTED, "close the bracket after the IPv6 address");
    }
    String host = text.substring(1, close);
    if (!HostSyntax.isIpv6(host)) {
      return Parsed.not(EXPECTED, "what stands in the brackets is not an IPv6 address");
    }
    if (close + 1 == text.length() || text.charAt(close + 1) != ':') {
      return Parsed.not(EXPECTED, "add a colon and the port after the bracket");
    }
    return withPort(host, text.substring(close + 2));
  }

  private static Parsed<Endpoint> unbracketed(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return NumberSyntax.isDigits(text)
          ? Parsed.not(EXPECTED, "put the host and a colon before the port")
          : Parsed.not(EXPECTED, "add a colon and the port after the host");
    }
    if (colon != text.lastIndexOf(':')) {
      return HostSyntax.isIpv6(text) || HostSyntax.isIpv6(text.substring(0, text.lastIndexOf(':')))
          ? Parsed.not(EXPECTED, "put the address in brackets and all in quotes: \"[::1]:4318\"")
          : Parsed.not(EXPECTED, "there is more than one colon");
    }
    if (colon == 0) {
      return Parsed.not(EXPECTED, "to listen on every interface, write 0.0.0.0 before the colon");
    }
    String host = text.substring(0, colon);
    String wrong = HostSyntax.wrongWith(host);
    return wrong == null ? withPort(host, text.substring(colon + 1)) : Parsed.not(EXPECTED, wrong);
  }

  private static Parsed<Endpoint> withPort(String host, String portText) {
    Integer port = port(portText);
    return port == null
        ? Parsed.not(EXPECTED, "the port is a number from 0 to " + Endpoint.MAX_PORT)
        : Parsed.of(new Endpoint(host, port));
  }

  private static @Nullable Integer port(String text) {
    if (text.isEmpty() || text.length() > MAX_PORT_DIGITS || !NumberSyntax.isDigits(text)) {
      return null;
    }
    int port = Integer.parseInt(text);
    return port > Endpoint.MAX_PORT ? null : port;
  }
}
