/** What all benchmarks share: the ratio table that is made of JMH's results. */
@NullMarked
package dev.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
