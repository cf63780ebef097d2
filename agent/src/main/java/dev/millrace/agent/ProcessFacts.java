package dev.millrace.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** What there is to know about this process. Thread-safe. */
final class ProcessFacts {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final String RESIDENT = "VmRSS:";

  private final Instant start =
      ProcessHandle.current().info().startInstant().orElseGet(Instant::now);

  /**
   * The name of this host, as it calls itself: no name service is asked. "localhost" where the
   * system does not say.
   */
  String hostName() {
    String name = System.getenv(File.separatorChar == '/' ? "HOSTNAME" : "COMPUTERNAME");
    if (Files.isReadable(HOST_NAME)) {
      try {
        name = Files.readString(HOST_NAME, StandardCharsets.UTF_8).strip();
      } catch (IOException e) {
        // The environment's name will do.
      }
    }
    return name == null || name.isEmpty() ? "localhost" : name;
  }

  /** When the process began, in nanoseconds since the Unix epoch. */
  long startUnixNanos() {
    return start.getEpochSecond() * 1_000_000_000L + start.getNano();
  }

  /** How long the process has run. */
  Duration uptime() {
    return Duration.between(start, Instant.now());
  }

  /** How long the process has run, in seconds. */
  double uptimeSeconds() {
    return uptime().toNanos() / 1e9;
  }

  /** CPU time of all threads in seconds, or 0 where the system does not say. */
  double cpuSeconds() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  /** Memory that the process has resident in bytes, or 0 where the system does not say. */
  long residentBytes() {
    if (!Files.isReadable(STATUS)) {
      return 0;
    }
    try {
      String status = Files.readString(STATUS, StandardCharsets.ISO_8859_1);
      int at = status.indexOf(RESIDENT);
      return at < 0 ? 0 : kibibytes(status, at + RESIDENT.length()) * 1024;
    } catch (IOException e) {
      return 0;
    }
  }

  private static long kibibytes(String status, int from) {
    long value = 0;
    for (int i = from; i < status.length() && status.charAt(i) != '\n'; i++) {
      int digit = Character.digit(status.charAt(i), 10);
      value = digit < 0 ? value : 10 * value + digit;
    }
    return value;
  }
}
