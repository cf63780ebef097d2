package dev.millrace.export.scrape;

import org.jspecify.annotations.Nullable;

/**
 * What of a scrape's request decides about the reply. Immutable.
 *
 * @param accept all lines of the header {@code Accept} joined by commas; {@code null} where there
 *     is none
 * @param acceptEncoding all lines of the header {@code Accept-Encoding} joined by commas; {@code
 *     null} where there is none
 * @param headOnly whether the client wants the reply's headers alone, as HTTP's HEAD does
 */
public record ScrapeRequest(
    @Nullable String accept, @Nullable String acceptEncoding, boolean headOnly) {}
