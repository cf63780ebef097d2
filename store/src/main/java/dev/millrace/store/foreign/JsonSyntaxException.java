package dev.millrace.store.foreign;

/** Bytes are not the JSON that was expected. */
final class JsonSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  JsonSyntaxException(String message) {
    super(message, null, false, false);
  }
}
