package dev.millrace.agent;

/** The version of this program. */
final class AgentVersion {
  private AgentVersion() {}

  /** The version in the jar's manifest; without a jar, "development". */
  static String text() {
    String version = AgentVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
