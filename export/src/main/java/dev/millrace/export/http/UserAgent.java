package dev.millrace.export.http;

/** How Millrace names itself to servers. */
final class UserAgent {
  /** {@code millrace/VERSION} by the jar's manifest; without a jar, {@code development}. */
  static final String TEXT = "millrace/" + version();

  private UserAgent() {}

  private static String version() {
    String version = UserAgent.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
