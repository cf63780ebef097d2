/**
 * gzip for text like a Prometheus exposition, at a fraction of zlib's cost. It sees bytes only and
 * knows nothing of metrics; its output is standard gzip (RFC 1952) around deflate (RFC 1951).
 */
@NullMarked
package dev.millrace.deflate;

import org.jspecify.annotations.NullMarked;
