package dev.millrace.agent.config;

/**
 * A scalar after substitution.
 *
 * @param at where it stands
 * @param text the value; may be a secret if it was substituted, so it is in no message
 * @param plain true if the text may be a number or null; false if it was written in quotes without
 *     a variable
 * @param substituted true if an environment variable has a part in the text
 * @param written the value as the file has it, for messages
 */
record Value(Position at, String text, boolean plain, boolean substituted, String written) {
  boolean isNull() {
    return plain && YamlNode.Scalar.isNullText(text);
  }

  /**
   * The value as the object of "found" in a message: what the file has, never what a variable
   * holds.
   */
  String shown() {
    if (substituted) {
      return "the value of " + Shown.quoted(written);
    }
    return isNull() ? "nothing" : Shown.quoted(text);
  }
}
