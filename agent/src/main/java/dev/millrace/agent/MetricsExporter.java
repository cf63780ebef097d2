package dev.millrace.agent;

import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.model.MetricSource;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One exporter of the configuration, started. Thread-safe; each way to stop is called once. */
interface MetricsExporter extends AutoCloseable {
  /** Takes requests. */
  MetricsRequestHandler receiver();

  /**
   * Takes in what is read rather than received, behind what was taken in before.
   *
   * @param pulled stays the caller's, and open until after {@link #close}
   */
  void pull(MetricSource pulled);

  /** The agent's own metrics, as this exporter shows them. */
  SelfMetrics selfMetrics();

  /** Adds what this exporter counts to the agent's own metrics, as another exporter shows them. */
  void addTo(SelfMetrics metrics);

  /** Where it listens; null where it does not. */
  @Nullable InetSocketAddress address();

  /** Lets go of series that have expired, and of memory that nobody needed for a while. */
  void expire();

  /** Takes nothing more, and lets what is in progress finish. */
  void beginStop();

  /**
   * Waits for what is in progress.
   *
   * @param deadlineNanos when to cut it off, by {@link System#nanoTime()}
   * @return whether all of it finished
   */
  boolean awaitStop(long deadlineNanos);

  @Override
  void close();
}
