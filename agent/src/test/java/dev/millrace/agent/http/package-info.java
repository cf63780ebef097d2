/** Tests of the HTTP server and its endpoints, over real sockets on loopback. */
@NullMarked
package dev.millrace.agent.http;

import org.jspecify.annotations.NullMarked;
