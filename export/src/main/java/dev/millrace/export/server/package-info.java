/**
 * Serves scrapes over HTTP: a server of its own on the JDK's HTTP server, and adapters for a server
 * that the application has already: {@link dev.millrace.export.server.ScrapeHttpHandler} for the
 * JDK's. Any other server takes {@link dev.millrace.export.scrape.ScrapeHandler} itself.
 */
@NullMarked
package dev.millrace.export.server;

import org.jspecify.annotations.NullMarked;
