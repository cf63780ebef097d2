package dev.millrace.export.scrape;

/**
 * A scrape that could not be answered now, because the source or the handler is busy. Nothing was
 * sent; a transport over HTTP answers with 503 and {@code Retry-After} ({@link
 * ScrapeRefusal#ofFailure}).
 */
public final class ScrapeUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * An exception.
   *
   * @param message what was expected, what was found and what to do
   */
  public ScrapeUnavailableException(String message) {
    super(message);
  }
}
