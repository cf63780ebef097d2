package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

/**
 * A receiver of type {@code otlp}. Immutable.
 *
 * @param http how to receive OTLP over HTTP
 */
public record OtlpReceiverConfig(Http http) implements ReceiverConfig {
  /** Makes a receiver's configuration. */
  public OtlpReceiverConfig {
    requireNonNull(http, "http");
  }

  static OtlpReceiverConfig read(Section section) {
    return section.section(
        "protocols",
        protocols -> {
          protocols.refuse(
              "grpc", "this build receives OTLP over HTTP only; remove the key and send to http");
          return new OtlpReceiverConfig(protocols.section("http", Http::read));
        });
  }

  /**
   * OTLP over HTTP. Immutable.
   *
   * @param endpoint where to listen
   * @param maxRequestBodySizeBytes the largest request body, after decompression; from {@link
   *     #MIN_REQUEST_BODY_SIZE_BYTES} to {@link #MAX_REQUEST_BODY_SIZE_BYTES}
   */
  public record Http(Endpoint endpoint, long maxRequestBodySizeBytes) {
    /**
     * The port that OTLP over HTTP has by default, on loopback: others are let in only by one who
     * writes so.
     */
    public static final Endpoint DEFAULT_ENDPOINT = new Endpoint("127.0.0.1", 4318);

    /**
     * An SDK sends all series of its process in one request, a hundred bytes and more for each:
     * room for some hundreds of thousands, where the OpenTelemetry Collector's default of 20 MiB
     * has room for one.
     */
    public static final long DEFAULT_MAX_REQUEST_BODY_SIZE_BYTES = 64L << 20;

    /** Below this, requests of a single series are refused. */
    public static final long MIN_REQUEST_BODY_SIZE_BYTES = 1L << 10;

    /** Lengths within a request are ints; clients send a few MiB. */
    public static final long MAX_REQUEST_BODY_SIZE_BYTES = 1L << 30;

    /**
     * Makes the configuration of OTLP over HTTP.
     *
     * @throws IllegalArgumentException if the size is out of range
     */
    public Http {
      requireNonNull(endpoint, "endpoint");
      if (maxRequestBodySizeBytes < MIN_REQUEST_BODY_SIZE_BYTES
          || maxRequestBodySizeBytes > MAX_REQUEST_BODY_SIZE_BYTES) {
        throw new IllegalArgumentException(
            "expected maxRequestBodySizeBytes from 1 KiB to 1 GiB, found "
                + maxRequestBodySizeBytes);
      }
    }

    static Http read(Section section) {
      return new Http(
          section.listener("endpoint", DEFAULT_ENDPOINT),
          section.sizeBytes(
              "max_request_body_size",
              DEFAULT_MAX_REQUEST_BODY_SIZE_BYTES,
              MIN_REQUEST_BODY_SIZE_BYTES,
              MAX_REQUEST_BODY_SIZE_BYTES));
    }
  }
}
