package dev.millrace.agent.http;

/**
 * The bounds on OTLP request bodies. Immutable.
 *
 * @param maxBodyBytes the largest body, compressed and decompressed, from 1 on
 * @param budget for all bodies together; several endpoints may share one
 */
public record OtlpLimits(long maxBodyBytes, BodyBudget budget) {
  /** Checks the bounds. */
  public OtlpLimits {
    if (maxBodyBytes < 1) {
      throw new IllegalArgumentException("maxBodyBytes: expected 1 or more, found " + maxBodyBytes);
    }
  }
}
