package dev.millrace.export.http;

import dev.millrace.export.push.ConnectionOptions;
import dev.millrace.model.Problems;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an {@link HttpTransport} sends where. Immutable; every value is checked when it is given.
 *
 * <pre>{@code
 * HttpTransportOptions options =
 *     HttpTransportOptions.to(URI.create("http://collector:4318/v1/traces"), "application/x-protobuf")
 *         .withGzip(true);
 * assert options.gzip();
 * }</pre>
 *
 * @param uri where to; scheme {@code http} or {@code https}, with a host, without user information
 *     and fragment
 * @param contentType the payloads' content type
 * @param gzip whether bodies are compressed
 * @param headers further headers
 * @param statuses which answers mean that a payload may be sent again
 * @param connection how to connect
 * @param replyHeaders the names, in lower case, of the reply's headers that a result keeps
 * @param problems counts certificates that have changed and cannot be used
 */
public record HttpTransportOptions(
    URI uri,
    String contentType,
    boolean gzip,
    HeaderSource headers,
    RetryableStatuses statuses,
    HttpConnection connection,
    Set<String> replyHeaders,
    Problems problems) {
  /** Checks the address, and copies what could change. */
  public HttpTransportOptions {
    requireUsable(uri);
    replyHeaders =
        replyHeaders.stream()
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** OTLP's statuses, no compression, no further headers, and problems of its own. */
  public static HttpTransportOptions to(URI uri, String contentType) {
    return new HttpTransportOptions(
        uri,
        contentType,
        false,
        HeaderSource.of(Map.of()),
        RetryableStatuses.otlp(),
        HttpConnection.defaults(),
        Set.of(),
        new Problems());
  }

  /** These options with another {@link #gzip()}. */
  public HttpTransportOptions withGzip(boolean gzip) {
    return new HttpTransportOptions(
        uri, contentType, gzip, headers, statuses, connection, replyHeaders, problems);
  }

  /** These options with other {@link #headers()}. */
  public HttpTransportOptions withHeaders(HeaderSource headers) {
    return new HttpTransportOptions(
        uri, contentType, gzip, headers, statuses, connection, replyHeaders, problems);
  }

  /** These options with other {@link #statuses()}. */
  public HttpTransportOptions withStatuses(RetryableStatuses statuses) {
    return new HttpTransportOptions(
        uri, contentType, gzip, headers, statuses, connection, replyHeaders, problems);
  }

  /** These options with another {@link #connection()}. */
  public HttpTransportOptions withConnection(HttpConnection connection) {
    return new HttpTransportOptions(
        uri, contentType, gzip, headers, statuses, connection, replyHeaders, problems);
  }

  /** These options with other {@link #replyHeaders()}. */
  public HttpTransportOptions withReplyHeaders(Set<String> replyHeaders) {
    return new HttpTransportOptions(
        uri, contentType, gzip, headers, statuses, connection, replyHeaders, problems);
  }

  /** These options with other {@link #problems()}. */
  public HttpTransportOptions withProblems(Problems problems) {
    return new HttpTransportOptions(
        uri, contentType, gzip, headers, statuses, connection, replyHeaders, problems);
  }

  /** Scheme, host and port: what of the address may be in a log. */
  String name() {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    return scheme + "://" + uri.getHost() + ":" + port;
  }

  /** Without the address's path and query, and without headers, which may be secrets. */
  @Override
  public String toString() {
    return "HttpTransportOptions[" + name() + ", " + contentType + ", gzip=" + gzip + "]";
  }

  private static void requireUsable(URI uri) {
    String scheme = uri.getScheme();
    boolean known = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
    if (!known || uri.getHost() == null || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "uri: expected http://HOST or https://HOST with a port and a path if need be, found "
              + (uri.getRawUserInfo() == null && uri.getRawQuery() == null
                  ? uri
                  : scheme + ":..."));
    }
    if (uri.getPort() == 0 || uri.getPort() > ConnectionOptions.MAX_PORT) {
      throw new IllegalArgumentException(
          "uri: expected a port from 1 to "
              + ConnectionOptions.MAX_PORT
              + ", found "
              + uri.getPort());
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "uri: expected no user information, found some for host "
              + uri.getHost()
              + "; give it as a header or by FileCredentials");
    }
  }
}
