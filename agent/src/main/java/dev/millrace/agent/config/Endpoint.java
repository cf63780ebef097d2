package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

/**
 * An address to listen on. Immutable.
 *
 * @param host an IPv4 address, an IPv6 address without brackets, or a host name; not resolved here
 * @param port 0 to 65535; 0 means any free port
 */
public record Endpoint(String host, int port) {
  /** The largest TCP port. */
  static final int MAX_PORT = 65535;

  /**
   * Makes an endpoint.
   *
   * @throws IllegalArgumentException if the host is empty or the port is out of range
   */
  public Endpoint {
    requireNonNull(host, "host");
    if (host.isEmpty()) {
      throw new IllegalArgumentException("expected a host, found an empty one");
    }
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("expected a port from 0 to 65535, found " + port);
    }
  }

  /**
   * True if a listener here and one there would want the same socket: the same port, not 0, and the
   * same host or one of them a wildcard for the other. Hosts are compared as written, {@code
   * localhost} stands for both loopback addresses, and no name is resolved, so two names of one
   * address are not seen through.
   */
  boolean overlaps(Endpoint other) {
    return port != 0
        && port == other.port
        && (host.equalsIgnoreCase(other.host) || covers(other) || other.covers(this));
  }

  private boolean covers(Endpoint other) {
    return switch (host) {
      case "::" -> true;
      case "0.0.0.0" -> other.host.indexOf(':') < 0;
      case "localhost" -> other.host.equals("127.0.0.1") || other.host.equals("::1");
      default -> false;
    };
  }

  /** The address as a configuration file has it: {@code host:port}, an IPv6 host in brackets. */
  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
