package dev.millrace.agent.otlp;

/**
 * Says that bytes are not a request in OTLP's JSON encoding. It has no stack trace, as it describes
 * data.
 */
final class OtlpJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Describes a fault.
   *
   * @param message where it is, what was expected and what was found
   */
  OtlpJsonException(String message) {
    super(message, null, false, false);
  }
}
