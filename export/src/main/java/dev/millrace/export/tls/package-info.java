/**
 * TLS from PEM files that are read again when they change, for whatever takes an {@link
 * javax.net.ssl.SSLContext}.
 */
@NullMarked
package dev.millrace.export.tls;

import org.jspecify.annotations.NullMarked;
