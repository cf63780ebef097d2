package dev.millrace.benchmarks.store;

/** What the process that is scraped knows already. */
public enum ScrapeState {
  /** It was scraped before. */
  WARM,
  /** It has never looked into the directory; its code is warm. */
  FIRST
}
