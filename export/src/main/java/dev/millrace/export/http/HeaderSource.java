package dev.millrace.export.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Gives the headers of a request, asked for each one, so that credentials may change. Thread-safe.
 *
 * <pre>{@code
 * HeaderSource source = HeaderSource.of(Map.of("X-Scope-OrgID", "shop"));
 * assert source.headers().get("X-Scope-OrgID").equals("shop");
 * }</pre>
 */
@FunctionalInterface
public interface HeaderSource {
  /**
   * Headers by name. Content type, content encoding, content length, host and user agent are the
   * transport's.
   */
  Map<String, String> headers();

  /** Always the same headers. */
  static HeaderSource of(Map<String, String> headers) {
    Map<String, String> copy = Map.copyOf(headers);
    return () -> copy;
  }

  /** These and then those of another source, whose values win. */
  default HeaderSource and(HeaderSource other) {
    return () -> {
      Map<String, String> all = new LinkedHashMap<>(headers());
      all.putAll(other.headers());
      return all;
    };
  }
}
