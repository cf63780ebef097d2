package dev.millrace.export.scrape;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the bytes of a reply are coded on the wire, by the client's {@code Accept-Encoding}. */
public enum ContentCoding {
  /** As they are. */
  IDENTITY,
  /** Compressed in the gzip format (RFC 1952). */
  GZIP;

  /**
   * Reads a header by RFC 9110, section 12.5.3. Never throws, whatever the header holds, and reads
   * a bounded part of it.
   *
   * <p>The answer is gzip only for a client that names it, with a weight above 0 and no less than
   * that of {@code identity}; {@code *} alone does not ask for it. A client that refuses everything
   * gets the bytes as they are, as the RFC advises, and not 406.
   *
   * @param acceptEncoding all lines of the header joined by commas, or {@code null} where there is
   *     none
   */
  public static ContentCoding of(@Nullable String acceptEncoding) {
    List<WeightedElement> codings = WeightedElement.parse(acceptEncoding);
    int gzipMillis = 0;
    int identityMillis = 0;
    for (WeightedElement coding : codings) {
      switch (coding.value()) {
        case "gzip", "x-gzip" -> gzipMillis = Math.max(gzipMillis, coding.weightMillis());
        case "identity" -> identityMillis = Math.max(identityMillis, coding.weightMillis());
        default -> {
          // Deflate, br, zstd and what comes after them are not offered.
        }
      }
    }
    return gzipMillis > 0 && gzipMillis >= identityMillis ? GZIP : IDENTITY;
  }
}
