/** Sends payloads over HTTP with the JDK's client. */
@NullMarked
package dev.millrace.export.http;

import org.jspecify.annotations.NullMarked;
