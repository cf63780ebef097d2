package dev.millrace.export.server;

/** Values of headers that every adapter sends. */
final class ServedHeaders {
  /** What a reply depends on beside its path, for caches. */
  static final String VARY = "Accept, Accept-Encoding";

  /** What {@code Allow} says: scrapes only read. */
  static final String ALLOWED_METHODS = "GET, HEAD";

  /** What {@code Retry-After} says: a scrape is over in a second as a rule. */
  static final String RETRY_AFTER_SECONDS = "1";

  /** The media type of replies for people. */
  static final String TEXT = "text/plain; charset=utf-8";

  private ServedHeaders() {}

  /** Whether a request only reads, so that it can be a scrape. */
  static boolean isRead(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }
}
