package dev.millrace.export.scrape;

import org.jspecify.annotations.Nullable;

/**
 * An answer over HTTP that is no scrape: a status, at most one header beside {@code Content-Type},
 * and a line of text for people. Every HTTP transport of scrapes decides by these methods, so that
 * all of them answer alike. Immutable.
 *
 * <pre>{@code
 * ScrapeRefusal refusal = ScrapeRefusal.ofMethod("POST");
 * assert refusal.status() == 405 && refusal.headerValue().equals("GET, HEAD");
 * assert ScrapeRefusal.ofMethod("HEAD") == null;
 * }</pre>
 *
 * @param status the HTTP status
 * @param headerName the header that belongs to the status; empty where there is none
 * @param headerValue its value; empty where there is none
 * @param message what was expected, what was found and what to do; it ends without a line feed and
 *     holds printable ASCII only
 */
public record ScrapeRefusal(int status, String headerName, String headerValue, String message) {
  /** The media type to send the message with. */
  public static final String CONTENT_TYPE = "text/plain; charset=utf-8";

  /** The methods that a scrape may have, as the header {@code Allow} lists them. */
  public static final String ALLOWED_METHODS = "GET, HEAD";

  /**
   * What {@code Retry-After} says: a scrape that is in the way is gone within some seconds, and no
   * scraper looks at it before its next interval anyway.
   */
  private static final int RETRY_AFTER_SECONDS = 1;

  /** What of the client's own text is quoted: enough to see what it was. */
  private static final int MAX_QUOTE_CHARS = 120;

  /**
   * Whether a method may be used (RFC 9110, section 15.5.6).
   *
   * @param method in the client's spelling: methods are case-sensitive
   * @return 405 with {@code Allow}; {@code null} for {@code GET} and {@code HEAD}
   */
  public static @Nullable ScrapeRefusal ofMethod(String method) {
    if (method.equals("GET") || method.equals("HEAD")) {
      return null;
    }
    return new ScrapeRefusal(
        405, "Allow", ALLOWED_METHODS, "expected GET or HEAD, found " + quote(method));
  }

  /**
   * The answer to a path that nothing is served at: 404.
   *
   * @param expected the paths that there are, for people
   */
  public static ScrapeRefusal ofPath(String path, String expected) {
    return new ScrapeRefusal(404, "", "", "expected " + expected + ", found " + quote(path));
  }

  /**
   * The answer to a request without valid credentials for basic authentication (RFC 7617): 401 with
   * {@code WWW-Authenticate}. It does not say what was wrong.
   *
   * @param realm what the credentials are for; printable ASCII without quotes and backslashes
   */
  public static ScrapeRefusal ofCredentials(String realm) {
    return new ScrapeRefusal(
        401,
        "WWW-Authenticate",
        "Basic realm=\"" + realm + "\", charset=\"UTF-8\"",
        "expected the user name and password of this endpoint, found none or others");
  }

  /**
   * The answer to a scrape whose handler threw before the reply was begun: 503 with {@code
   * Retry-After} for a {@link ScrapeUnavailableException}, and 500 that says nothing of the cause
   * for anything else.
   */
  public static ScrapeRefusal ofFailure(Throwable failure) {
    if (failure instanceof ScrapeUnavailableException) {
      return ofOverload(String.valueOf(failure.getMessage()));
    }
    return new ScrapeRefusal(500, "", "", "the scrape failed; the log of the program says more");
  }

  /** The answer to a scrape that there is no room for: 503 with {@code Retry-After}. */
  public static ScrapeRefusal ofOverload(String message) {
    return new ScrapeRefusal(
        503,
        "Retry-After",
        Integer.toString(RETRY_AFTER_SECONDS),
        quote(message, message.length()));
  }

  private static String quote(String text) {
    return quote(text, MAX_QUOTE_CHARS);
  }

  private static String quote(String text, int maxChars) {
    StringBuilder quote = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), maxChars); i++) {
      char c = text.charAt(i);
      quote.append(c < ' ' || c > '~' ? '?' : c);
    }
    return quote.append(text.length() > maxChars ? "..." : "").toString();
  }
}
