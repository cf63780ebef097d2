package dev.millrace.opentelemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Scrapes over loopback. */
public final class Scrapes {
  /** The header by which a scraper asks for OpenMetrics alone. */
  public static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

  /** The header by which a scraper asks for the text format alone. */
  public static final String TEXT = "text/plain; version=0.0.4";

  /** What came back. */
  public record Response(int status, String contentType, String body) {}

  private Scrapes() {}

  /** The body of a scrape of a server on loopback at {@code /metrics}, which must go well. */
  public static String body(InetSocketAddress address, String accept) throws IOException {
    return body(address.getPort(), accept);
  }

  /** The body of a scrape of a port of loopback at {@code /metrics}, which must go well. */
  public static String body(int port, String accept) throws IOException {
    Response response = get(port, "/metrics", Map.of("Accept", accept));
    if (response.status() != 200) {
      throw new AssertionError("expected a scrape, found " + response);
    }
    return response.body();
  }

  /** The response to a GET with these headers. */
  public static Response get(int port, String path, Map<String, String> headers)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://localhost:" + port + path).toURL().openConnection();
    try {
      headers.forEach(connection::setRequestProperty);
      int status = connection.getResponseCode();
      try (InputStream body =
          status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
        return new Response(
            status,
            String.valueOf(connection.getContentType()),
            body == null ? "" : new String(body.readAllBytes(), UTF_8));
      }
    } finally {
      connection.disconnect();
    }
  }

  /** The lines of an exposition that are samples, without exemplars. */
  public static List<String> samples(String exposition) {
    return exposition
        .lines()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.contains(" # ") ? line.substring(0, line.indexOf(" # ")) : line)
        .toList();
  }
}
