package dev.millrace.store.foreign;

/** The clients whose files can be read. */
public enum ForeignClient {
  /** Found out for each file, from its name and its first key. */
  AUTO,
  /** client_ruby's DirectFileStore, 4.x and 5.x: {@code metric_NAME___PID.bin}. */
  CLIENT_RUBY,
  /** client_python, with timestamps (from 0.18) or without: {@code TYPE_PID.db}. */
  CLIENT_PYTHON,
  /** prometheus-client-mmap, also for Ruby: {@code TYPE_PID-N.db}. */
  PROMETHEUS_CLIENT_MMAP
}
