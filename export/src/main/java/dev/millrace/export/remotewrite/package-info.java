/** Sends metrics by Prometheus remote write: queues, shards, retries and what receivers answer. */
@NullMarked
package dev.millrace.export.remotewrite;

import org.jspecify.annotations.NullMarked;
