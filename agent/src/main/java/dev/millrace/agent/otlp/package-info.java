/**
 * OTLP metrics requests, from received bytes to the series table and back to the reply's bytes.
 * Nothing here knows HTTP beyond a status number, and nothing does I/O.
 */
@NullMarked
package dev.millrace.agent.otlp;

import org.jspecify.annotations.NullMarked;
