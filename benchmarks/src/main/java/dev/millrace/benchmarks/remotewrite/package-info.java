/** Prometheus remote write: encoding and compressing requests. */
@NullMarked
package dev.millrace.benchmarks.remotewrite;

import org.jspecify.annotations.NullMarked;
