/** A Prometheus scrape: collecting and writing, without the network and without gzip. */
@NullMarked
package dev.millrace.benchmarks.scrape;

import org.jspecify.annotations.NullMarked;
