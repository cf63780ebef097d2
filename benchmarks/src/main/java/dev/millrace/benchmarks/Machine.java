package dev.millrace.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the benchmarks ran on. */
final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final long BYTES_PER_GB = 1L << 30;

  private Machine() {}

  /** Processors, memory and operating system, for people. */
  static String description() throws IOException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getAvailableProcessors()
        + " x "
        + processor()
        + ", "
        + Math.round((double) system.getTotalMemorySize() / BYTES_PER_GB)
        + " GB, "
        + system.getName()
        + " "
        + system.getVersion();
  }

  private static String processor() throws IOException {
    if (Files.exists(CPU_INFO)) {
      for (String line : Files.readAllLines(CPU_INFO)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).trim();
        }
      }
    }
    return System.getProperty("os.arch", "unknown");
  }
}
