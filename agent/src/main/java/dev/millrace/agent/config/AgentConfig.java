package dev.millrace.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the agent is to run: a configuration file that was read and found free of problems.
 *
 * <p>The file has the OpenTelemetry Collector's shape:
 *
 * <pre>{@code
 * receivers:
 *   otlp:
 *     protocols:
 *       http:
 *         endpoint: 127.0.0.1:4318
 * exporters:
 *   prometheus:
 *     endpoint: 127.0.0.1:9464
 * service:
 *   pipelines:
 *     metrics:
 *       receivers: [otlp]
 *       exporters: [prometheus]
 * }</pre>
 *
 * <p>Values may hold environment variables, <code>${env:NAME}</code> or <code>${env:NAME:-default}
 * </code>; <code>$$</code> is a dollar sign. A key that is absent or null has its default. Unknown
 * keys are refused. A file is UTF-8 and has at most 1 MiB, 32 levels and 100 aliases.
 *
 * <p>Immutable. Maps and lists keep the order of the file.
 *
 * @param receivers the receivers to start, by id: those that at least one pipeline uses
 * @param exporters the exporters to start, by id: those that at least one pipeline uses
 * @param pipelines the pipelines, one or more
 * @param warnings what is odd but no reason not to start, each a line for the log that begins with
 *     file, line and column; may be empty
 */
public record AgentConfig(
    Map<ComponentId, ReceiverConfig> receivers,
    Map<ComponentId, ExporterConfig> exporters,
    List<PipelineConfig> pipelines,
    List<String> warnings) {
  private static final String DEFAULT_FILE = "default-agent.yaml";

  /** Makes a configuration; the collections are copied. */
  public AgentConfig {
    receivers = Collections.unmodifiableMap(new LinkedHashMap<>(receivers));
    exporters = Collections.unmodifiableMap(new LinkedHashMap<>(exporters));
    pipelines = List.copyOf(pipelines);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads a file, with the environment variables of this process.
   *
   * @param path the file; named in messages as given here
   * @throws ConfigException if the file cannot be read, or has any problem
   */
  public static AgentConfig load(Path path) throws ConfigException {
    Problems problems = new Problems(path.toString());
    return AgentConfigReader.read(ConfigFile.read(path, problems), System.getenv(), problems);
  }

  /**
   * Reads a text.
   *
   * @param name what messages call the text, where they would have the file name
   * @param yaml the text; at most 2<sup>20</sup> chars; a byte order mark at its beginning is
   *     skipped
   * @param env the environment variables
   * @throws ConfigException if the text has any problem
   */
  public static AgentConfig parse(String name, String yaml, Map<String, String> env)
      throws ConfigException {
    Problems problems = new Problems(name);
    ConfigFile.checkSize(yaml.length(), problems);
    return AgentConfigReader.read(yaml, env, problems);
  }

  /**
   * What the agent runs without a file: OTLP over HTTP on 127.0.0.1:4318 to a Prometheus scrape on
   * 127.0.0.1:9464. Depends on no environment variable.
   */
  public static AgentConfig defaults() {
    try {
      return parse(DEFAULT_FILE, defaultYaml(), Map.of());
    } catch (ConfigException e) {
      throw new IllegalStateException("the embedded configuration is broken", e);
    }
  }

  /**
   * The text of the file that {@link #defaults()} reads: every key with its default, and comments.
   */
  public static String defaultYaml() {
    try (InputStream in = AgentConfig.class.getResourceAsStream(DEFAULT_FILE)) {
      if (in == null) {
        throw new IllegalStateException(
            "expected the resource " + DEFAULT_FILE + " beside this class");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
