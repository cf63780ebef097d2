package dev.millrace.format.otlp;

import dev.millrace.bytes.Payload;

/** Takes finished requests, one after another. */
@FunctionalInterface
public interface PayloadSink {
  /**
   * Takes one request.
   *
   * @param payload the sink owns it from here on, also when it throws
   * @param items how many metric points, spans or log records are in it; 1 or more
   */
  void accept(Payload payload, int items);
}
