package dev.millrace.agent.http;

/** A body that cannot be taken. Has no stack trace: it says something about a peer's bytes. */
final class RefusedBodyException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why. */
  enum Kind {
    /** The bytes are not what they should be. */
    BROKEN,
    /** The body is larger than one body may be. */
    TOO_LARGE,
    /** All bodies together are larger than they may be at the moment. */
    NO_ROOM
  }

  private final Kind kind;

  RefusedBodyException(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  /** The message, which is never {@code null}. */
  String text() {
    return String.valueOf(getMessage());
  }
}
