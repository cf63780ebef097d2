package dev.millrace.benchmarks.remotewrite;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes each request and answers that all of it was written, in a process of its own, so that what
 * it spends is not counted.
 */
final class WriteReceiver implements AutoCloseable {
  /** More than any request holds. */
  private static final String ALL = "1000000000";

  private final Process process;
  private final BufferedReader answers;
  private final URI uri;

  WriteReceiver() throws IOException {
    process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx1g",
                // Otherwise each answer waits 40 milliseconds for the client's acknowledgement.
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                WriteReceiver.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    uri = URI.create("http://127.0.0.1:" + answer() + "/api/v1/write");
  }

  /** Receives until its input ends: prints the port, then for each line how many bytes came. */
  public static void main(String[] arguments) throws IOException {
    AtomicLong receivedBytes = new AtomicLong();
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newCachedThreadPool());
    http.createContext(
        "/",
        exchange -> {
          receivedBytes.addAndGet(exchange.getRequestBody().readAllBytes().length);
          exchange.getResponseHeaders().set("X-Prometheus-Remote-Write-Samples-Written", ALL);
          exchange.getResponseHeaders().set("X-Prometheus-Remote-Write-Histograms-Written", ALL);
          exchange.getResponseHeaders().set("X-Prometheus-Remote-Write-Exemplars-Written", ALL);
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    http.start();
    System.out.println(http.getAddress().getPort());
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (input.readLine() != null) {
      System.out.println(receivedBytes.get());
    }
    System.exit(0);
  }

  /** Where it receives. */
  URI uri() {
    return uri;
  }

  /** Bytes of all requests that have come. */
  long receivedBytes() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return Long.parseLong(answer());
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("expected an answer of the receiver's process, found its end");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
