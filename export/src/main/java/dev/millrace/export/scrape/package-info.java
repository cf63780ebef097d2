/**
 * Answers a scrape over any transport: what the client accepts, the format and coding that follow
 * from it, and the bytes, streamed in bounded memory. The transport hands in the request's headers
 * and takes the reply's chunks.
 */
@NullMarked
package dev.millrace.export.scrape;

import org.jspecify.annotations.NullMarked;
