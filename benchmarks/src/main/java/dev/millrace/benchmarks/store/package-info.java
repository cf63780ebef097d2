/** What a directory that many processes write costs, beside the clients that have such a one. */
@NullMarked
package dev.millrace.benchmarks.store;

import org.jspecify.annotations.NullMarked;
