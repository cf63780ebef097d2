package dev.millrace.agent;

/** Netty's settings that can only be made by system properties, before Netty is loaded. */
final class NettySettings {
  private NettySettings() {}

  /** Sets what was not set on the command line. */
  static void apply() {
    // A tool for finding leaks, which costs on every buffer; the tests use it.
    setDefault("io.netty.leakDetection.level", "disabled");
    // These only make the names of connections unique across machines, and finding them out reads
    // every network interface and loads the JDK's management classes.
    setDefault("io.netty.machineId", "00:00:00:00:00:00:00:01");
    setDefault("io.netty.processId", "1");
    // Events for the flight recorder, made for each buffer.
    setDefault("io.netty.jfr.enabled", "false");
  }

  private static void setDefault(String name, String value) {
    if (System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }
}
