/**
 * HTTP, on Netty: the server, the OTLP endpoint and the scrape endpoint.
 *
 * <p>An event loop moves bytes and nothing else. What takes longer (decompressing, decoding,
 * encoding a scrape) runs in bounded pools of threads, so that no request keeps other connections
 * waiting. Everything that a peer can make grow has a bound: connections, header bytes, bytes of
 * one request body and of all of them together, waiting requests, chunks of a reply that the peer
 * has not taken, and the time that each of these steps may take.
 */
@NullMarked
package dev.millrace.agent.http;

import org.jspecify.annotations.NullMarked;
