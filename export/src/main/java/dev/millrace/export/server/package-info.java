/**
 * Serves scrapes over HTTP: a server of its own on the JDK's HTTP server, and adapters for a server
 * that the application has already: {@link dev.millrace.export.server.ScrapeHttpHandler} for the
 * JDK's, and {@link dev.millrace.export.server.ScrapeServlet} for servlet containers. Any other
 * server takes {@link dev.millrace.export.scrape.ScrapeHandler} itself: it hands in two headers and
 * implements the three methods of {@link dev.millrace.export.scrape.ScrapeReply}.
 */
@NullMarked
package dev.millrace.export.server;

import org.jspecify.annotations.NullMarked;
