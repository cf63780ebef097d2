/**
 * The agent's program: the command line, and what puts receivers, the series table, exporters and
 * servers together as the configuration says. Everything below this package can be tested without
 * it.
 */
@NullMarked
package dev.millrace.agent;

import org.jspecify.annotations.NullMarked;
