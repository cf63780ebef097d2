/**
 * Instruments whose values many processes on a host share, and the source that reads them all.
 *
 * <pre>{@code
 * MetricStore store = MetricStore.open(Path.of("/run/shop/metrics")); // or MetricStore.inMemory()
 * Counter orders = store.counter("orders").help("Orders taken.").labelNames("kind").create();
 * Counter.Series cash = orders.labels("cash"); // held: no lookup, no allocation afterwards
 * cash.increment();
 * }</pre>
 */
@NullMarked
package dev.millrace.store;

import org.jspecify.annotations.NullMarked;
