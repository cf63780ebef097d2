package dev.millrace.bytes;

/**
 * Says that bytes are not a protobuf message. It has no stack trace: it describes data, not code,
 * and a peer that sends rubbish must not be able to make it expensive.
 */
public final class MalformedProtobufException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Where in the bytes the fault is. */
  private final int positionBytes;

  /**
   * Describes a fault.
   *
   * @param message what was expected and what was found, without the position
   * @param positionBytes how many bytes into the message the fault is
   */
  public MalformedProtobufException(String message, int positionBytes) {
    super(message, null, false, false);
    this.positionBytes = positionBytes;
  }

  /** How many bytes into the message that was read the fault is. */
  public int positionBytes() {
    return positionBytes;
  }
}
