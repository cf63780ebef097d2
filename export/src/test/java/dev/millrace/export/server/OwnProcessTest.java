package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.store.Counter;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.ManagedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds for a whole JVM: properties that the JDK's server reads once, and threads. So each
 * test has a JVM of its own.
 */
class OwnProcessTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final int ROUND_TRIPS = 2_000;

  /**
   * With stalls a round trip takes 30 to 40 ms on any machine, since a timer of the operating
   * system ends them; without, a small part of this even on a slow one.
   */
  private static final long IMPOSSIBLE_MILLIS = 12L * ROUND_TRIPS;

  @TempDir private Path directory;

  /** The application. */
  static final class Application {
    private Application() {}

    /** Serves until its standard input ends, or, with an argument, returns at once. */
    public static void main(String[] arguments) throws IOException {
      MetricStore store = MetricStore.inMemory();
      Counter counter = store.counter("c").labelNames("number").create();
      for (int i = 0; i < 20; i++) {
        counter.labels("x".repeat(30) + i).increment();
      }
      PrometheusServer server = PrometheusServer.create(0, store);
      System.out.println("nodelay=" + System.getProperty("sun.net.httpserver.nodelay"));
      System.out.println("port=" + server.port() + ".");
      if (arguments.length > 0) {
        try (RawConnection client = RawConnection.to(server.address())) {
          System.out.println("scraped " + client.get("/metrics").status());
        }
        return;
      }
      while (System.in.read() >= 0) {
        // Until the test ends it.
      }
    }
  }

  private ManagedProcess start(List<String> options, String... arguments) {
    List<String> command = new ArrayList<>(List.of(ManagedProcess.java()));
    command.addAll(options);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Application.class.getName()));
    command.addAll(List.of(arguments));
    return ManagedProcess.start(command, Map.of(), directory.resolve("log"));
  }

  @Test
  void scrapesOverAKeptAliveConnectionDoNotStall() throws Exception {
    try (ManagedProcess application = start(List.of())) {
      application.awaitOutput("port=", LIMIT);
      application.awaitOutput(".\n", LIMIT);
      assertThat(application.output()).contains("nodelay=true\n");
      Matcher port = Pattern.compile("port=(\\d+)\\.").matcher(application.output());
      assertThat(port.find()).isTrue();
      long start = System.nanoTime();
      int answered = 0;
      try (RawConnection client =
          RawConnection.to(
              new InetSocketAddress(
                  InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1))))) {
        long impossibleNanos = TimeUnit.MILLISECONDS.toNanos(IMPOSSIBLE_MILLIS);
        while (answered < ROUND_TRIPS && System.nanoTime() - start < impossibleNanos) {
          assertThat(client.get("/metrics").status()).isEqualTo(200);
          answered++;
        }
      }
      assertThat(answered)
          .as("scrapes answered in a time in which stalls let through far fewer")
          .isEqualTo(ROUND_TRIPS);
    }
  }

  @Test
  void whatTheApplicationSetIsLeftAlone() {
    try (ManagedProcess application = start(List.of("-Dsun.net.httpserver.nodelay=false"))) {
      application.awaitOutput("port=", LIMIT);
      assertThat(application.output()).contains("nodelay=false\n");
    }
  }

  @Test
  void noThreadKeepsTheJvmAlive() throws Exception {
    try (ManagedProcess application = start(List.of(), "return")) {
      assertThat(application.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(application.process().exitValue()).isZero();
      assertThat(application.output()).contains("scraped 200\n");
    }
  }
}
