package dev.millrace.benchmarks.scrape;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** A {@link ScrapedServer} in a process of its own, and the clients that scrape it at once. */
final class ServedContestant implements AutoCloseable {
  /** What the server's process had spent at a moment. */
  record Spent(long cpuNanos, long allocatedBytes) {}

  private final Process server;
  private final BufferedReader answers;
  private final ExecutorService clients;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpRequest request;
  private final int scrapers;

  ServedContestant(String contestant, int series, PrometheusHeaders headers, int scrapers)
      throws IOException {
    server =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xms6g",
                "-Xmx6g",
                "-cp",
                System.getProperty("java.class.path"),
                ScrapedServer.class.getName(),
                contestant,
                String.valueOf(series))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    this.scrapers = scrapers;
    clients = Executors.newFixedThreadPool(scrapers);
    request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + answer() + "/metrics"))
            .header("Accept", headers.accept)
            .header("Accept-Encoding", "gzip")
            .build();
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("expected an answer of the server's process, found its end");
    }
    return line;
  }

  /** Scrapes with all clients at once, and waits for the last. Gives the bytes of all bodies. */
  long scrape() {
    List<CompletableFuture<Long>> running = new ArrayList<>(scrapers);
    for (int i = 0; i < scrapers; i++) {
      running.add(CompletableFuture.supplyAsync(() -> read(InputStream::readAllBytes), clients));
    }
    long bytes = 0;
    for (CompletableFuture<Long> one : running) {
      bytes += one.join();
    }
    return bytes;
  }

  /** Scrapes once and counts the samples of the workload. */
  long samples() {
    SampleLineCounter counter = new SampleLineCounter();
    read(
        body -> {
          new GZIPInputStream(body).transferTo(counter);
          return new byte[0];
        });
    return counter.samples();
  }

  @FunctionalInterface
  private interface Reading {
    byte[] read(InputStream body) throws IOException;
  }

  private long read(Reading reading) {
    try {
      HttpResponse<InputStream> reply =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = reply.body()) {
        if (reply.statusCode() != 200) {
          throw new IllegalStateException("expected status 200, found " + reply.statusCode());
        }
        return reading.read(body).length;
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("expected to finish a scrape, found an interrupt", e);
    }
  }

  /** Asks the server's process what it has spent. */
  Spent spent() throws IOException {
    server.getOutputStream().write('\n');
    server.getOutputStream().flush();
    String[] figures = answer().split(" ", 2);
    return new Spent(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
  }

  @Override
  public void close() {
    clients.shutdownNow();
    server.destroyForcibly();
  }
}
