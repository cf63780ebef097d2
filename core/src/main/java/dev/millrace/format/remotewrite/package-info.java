/**
 * Prometheus remote write, 1.0 and 2.0: finished, compressed requests made of metrics, and what can
 * be done with such requests afterwards. Names, labels and types are those that {@link
 * dev.millrace.format.prometheus} gives the same metrics in scrapes.
 */
@NullMarked
package dev.millrace.format.remotewrite;

import org.jspecify.annotations.NullMarked;
