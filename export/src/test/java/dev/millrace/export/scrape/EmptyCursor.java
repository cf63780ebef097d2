package dev.millrace.export.scrape;

import dev.millrace.model.MetricCursor;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A cursor over no metrics. */
final class EmptyCursor {
  private EmptyCursor() {}

  /**
   * Opens one.
   *
   * @param open counts the cursors that are open
   */
  static MetricCursor open(AtomicInteger open) {
    open.incrementAndGet();
    return (MetricCursor)
        Proxy.newProxyInstance(
            MetricCursor.class.getClassLoader(),
            new Class<?>[] {MetricCursor.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "close" -> open.decrementAndGet();
                case "metricCount" -> {
                  return 0;
                }
                default -> throw new AssertionError("expected no metrics to be asked for");
              }
              return null;
            });
  }
}
