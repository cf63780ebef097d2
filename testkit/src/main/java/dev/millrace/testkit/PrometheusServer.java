package dev.millrace.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Prometheus on loopback that scrapes what the test tells it, every second, or is sent it.
 */
public final class PrometheusServer implements AutoCloseable {
  private static final Pattern SAMPLE =
      Pattern.compile("\\{\"metric\":(\\{.*?\\}),\"value\":\\[[0-9.]+,\"([^\"]*)\"\\]\\}");
  private static final Pattern EXEMPLAR =
      Pattern.compile(
          "\\{\"labels\":(\\{.*?\\}),\"value\":\"([^\"]*)\",\"timestamp\":([0-9.]+)\\}");
  private static final Duration EXEMPLAR_AGE = Duration.ofHours(1);
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ManagedProcess process;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  /** One sample of an instant query: its labels as Prometheus' JSON has them, and its value. */
  public record Sample(String labels, double value) {}

  /**
   * One exemplar: its labels as Prometheus' JSON has them, its value, and its time in seconds since
   * the Unix epoch.
   */
  public record Exemplar(String labels, double value, double timeSeconds) {}

  private PrometheusServer(ManagedProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts Prometheus and waits until it is ready.
   *
   * @param directory takes its configuration, data and log
   * @param target {@code host:port} to scrape
   * @param arguments further command line arguments
   */
  public static PrometheusServer scraping(Path directory, String target, String... arguments)
      throws IOException {
    return scrapingWith(directory, target, "", arguments);
  }

  /**
   * As {@link #scraping}, with more in the scrape's configuration.
   *
   * @param scrapeConfiguration lines of YAML for the one entry of {@code scrape_configs}, not
   *     indented, such as {@code scheme: https}
   */
  public static PrometheusServer scrapingWith(
      Path directory, String target, String scrapeConfiguration, String... arguments)
      throws IOException {
    return start(
        RealProgram.require("prometheus"), directory, target, scrapeConfiguration, arguments);
  }

  /**
   * As {@link #scrapingWith}, with another Prometheus than the one that is installed.
   *
   * @param program a Prometheus of any version
   */
  public static PrometheusServer start(
      RealProgram program,
      Path directory,
      String target,
      String scrapeConfiguration,
      String... arguments)
      throws IOException {
    return start(
        program,
        directory,
        FreePort.find(),
        """
        global:
          scrape_interval: 1s
          scrape_timeout: 1s
        scrape_configs:
          - job_name: millrace
            honor_labels: true
            static_configs:
              - targets: ["%s"]
        """
                .formatted(target)
            + scrapeConfiguration.indent(4),
        arguments);
  }

  /**
   * Starts a Prometheus that scrapes nothing, and takes remote write.
   *
   * @param program a Prometheus of any version
   * @param directory takes its configuration, data and log; what is there from an earlier run stays
   * @param port where it listens
   * @param arguments further command line arguments
   */
  public static PrometheusServer receiving(
      RealProgram program, Path directory, int port, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--web.enable-remote-write-receiver");
    return start(program, directory, port, "global: {}\n", all.toArray(new String[0]));
  }

  private static PrometheusServer start(
      RealProgram program, Path directory, int port, String yaml, String... arguments)
      throws IOException {
    Path configuration = directory.resolve("prometheus.yml");
    Files.writeString(configuration, yaml);
    List<String> command =
        new ArrayList<>(
            List.of(
                program.executable().toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port));
    command.addAll(List.of(arguments));
    PrometheusServer server =
        new PrometheusServer(
            ManagedProcess.start(command, Map.of(), directory.resolve("prometheus.log")), port);
    server.process.awaitOutput("Server is ready to receive web requests", START_LIMIT);
    return server;
  }

  /** Where it takes remote write, if it was started by {@link #receiving}. */
  public URI remoteWriteEndpoint() {
    return URI.create("http://127.0.0.1:" + port + "/api/v1/write");
  }

  /** The samples of an instant query. */
  public List<Sample> query(String promql) throws IOException, InterruptedException {
    String body = get("/api/v1/query?query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8));
    if (!body.startsWith("{\"status\":\"success\"")) {
      throw new IOException("expected a successful answer to " + promql + ", found " + body);
    }
    List<Sample> samples = new ArrayList<>();
    Matcher matcher = SAMPLE.matcher(body);
    while (matcher.find()) {
      samples.add(new Sample(matcher.group(1), parse(matcher.group(2))));
    }
    return samples;
  }

  /**
   * The exemplars of the last hour of all series that an expression selects. Prometheus keeps them
   * only if it was started with {@code --enable-feature=exemplar-storage}.
   */
  public List<Exemplar> exemplars(String promql) throws IOException, InterruptedException {
    Instant now = Instant.now();
    String body =
        get(
            "/api/v1/query_exemplars?query="
                + URLEncoder.encode(promql, StandardCharsets.UTF_8)
                + "&start="
                + now.minus(EXEMPLAR_AGE).getEpochSecond()
                + "&end="
                + now.plus(EXEMPLAR_AGE).getEpochSecond());
    if (!body.startsWith("{\"status\":\"success\"")) {
      throw new IOException("expected the exemplars of " + promql + ", found " + body);
    }
    List<Exemplar> exemplars = new ArrayList<>();
    Matcher matcher = EXEMPLAR.matcher(body);
    while (matcher.find()) {
      exemplars.add(
          new Exemplar(
              matcher.group(1), parse(matcher.group(2)), Double.parseDouble(matcher.group(3))));
    }
    return exemplars;
  }

  /** What Prometheus says of its targets, as its JSON has it. */
  public String targets() throws IOException, InterruptedException {
    return get("/api/v1/targets");
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static double parse(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  @Override
  public void close() {
    process.close();
  }
}
