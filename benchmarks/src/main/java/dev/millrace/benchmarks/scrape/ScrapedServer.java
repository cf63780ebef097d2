package dev.millrace.benchmarks.scrape;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.millrace.export.server.PrometheusServer;
import dev.millrace.opentelemetry.MillraceMetricReader;
import io.opentelemetry.exporter.prometheus.PrometheusHttpServer;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A process that serves the workload by one contestant's own HTTP server. It prints the port that
 * it listens on, then a line for each line that it reads, with the processor time of the process in
 * ns and the bytes that its threads have allocated, and ends with its input.
 */
final class ScrapedServer {
  private ScrapedServer() {}

  /** Serves: the contestant's name and the number of series. */
  public static void main(String[] arguments) throws IOException {
    ScrapeWorkload workload = new ScrapeWorkload(Integer.parseInt(arguments[1]));
    System.out.println(start(arguments[0], workload));
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (input.readLine() != null) {
      long[] allocated = threads.getThreadAllocatedBytes(threads.getAllThreadIds());
      System.out.println(
          system.getProcessCpuTime() + " " + Arrays.stream(allocated).filter(b -> b > 0).sum());
    }
    System.exit(0);
  }

  /** Starts a server that lives as long as the process, and gives its port. */
  private static int start(String contestant, ScrapeWorkload workload) throws IOException {
    switch (contestant) {
      case Contestants.MILLRACE -> {
        MillraceMetricReader reader = new MillraceMetricReader();
        SdkWorkload.record(workload, reader);
        return PrometheusServer.create(0, reader.source()).port();
      }
      case Contestants.OTEL_EXPORTER -> {
        int port = freePort();
        SdkWorkload.record(
            workload, PrometheusHttpServer.builder().setHost("127.0.0.1").setPort(port).build());
        return port;
      }
      case Contestants.CLIENT_JAVA -> {
        ClientJavaContestant recorded =
            new ClientJavaContestant(workload, ScrapeFormat.TEXT, ScrapeCoding.IDENTITY);
        return HTTPServer.builder()
            .hostname("127.0.0.1")
            .port(0)
            .registry(recorded.registry())
            .buildAndStart()
            .getPort();
      }
      default ->
          throw new IllegalArgumentException(
              "contestant: expected one that has a server, found " + contestant);
    }
  }

  /** The OpenTelemetry exporter does not tell which port it took. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
