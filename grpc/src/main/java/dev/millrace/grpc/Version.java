package dev.millrace.grpc;

/** The version of this module. */
final class Version {
  private Version() {}

  /** The version in the jar's manifest; without a jar, "development". */
  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
