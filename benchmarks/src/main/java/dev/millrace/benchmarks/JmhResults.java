package dev.millrace.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the file that JMH writes with {@code -rf json}. */
final class JmhResults {
  /** The counters that a benchmark sums up, one of which says over how many operations. */
  private static final String CPU_NANOS = "cpuNanos";

  private static final String PROCESS_CPU_NANOS = "processCpuNanos";
  private static final String ALLOCATED_BYTES = "allocatedBytes";
  private static final String WRITTEN_BYTES = "writtenBytes";
  private static final String OPERATIONS = "operations";

  /** What an operation's bytes are of; only some benchmarks count it. */
  private static final String ITEMS = "items";

  private JmhResults() {}

  /**
   * Reads all results.
   *
   * @throws IOException if the file is not there, or is not what JMH writes
   */
  static List<JmhResult> read(Path file) throws IOException {
    Object root;
    try (JsonParser parser = new JsonFactory().createParser(file.toFile())) {
      parser.nextToken();
      root = value(parser);
    }
    List<JmhResult> results = new ArrayList<>();
    for (Object entry : list(root, file + "")) {
      results.add(result(map(entry, "result"), file));
    }
    return results;
  }

  private static JmhResult result(Map<String, Object> entry, Path file) throws IOException {
    String benchmark = text(entry, "benchmark");
    Map<String, String> params = new LinkedHashMap<>();
    for (Map.Entry<String, Object> param : map(entry.get("params"), "params").entrySet()) {
      params.put(param.getKey(), String.valueOf(param.getValue()));
    }
    Map<String, Object> secondary = map(entry.get("secondaryMetrics"), "secondaryMetrics");
    double operations = score(secondary, OPERATIONS);
    if (!(operations > 0)) {
      throw new IOException(
          file
              + ": expected at least one operation of "
              + benchmark
              + " "
              + params
              + ", found none; give each iteration more time");
    }
    return new JmhResult(
        benchmark,
        params,
        score(secondary, CPU_NANOS) / operations,
        score(secondary, PROCESS_CPU_NANOS) / operations,
        score(secondary, ALLOCATED_BYTES) / operations,
        score(secondary, WRITTEN_BYTES) / operations,
        secondary.containsKey(ITEMS) ? score(secondary, ITEMS) / operations : 0,
        text(entry, "vmName") + " " + text(entry, "vmVersion"));
  }

  private static double score(Map<String, Object> metrics, String name) throws IOException {
    Object score = map(metrics.get(name), name).get("score");
    if (score instanceof Number number) {
      return number.doubleValue();
    }
    throw new IOException("score of " + name + ": expected a number, found " + score);
  }

  private static String text(Map<String, Object> map, String name) throws IOException {
    if (map.get(name) instanceof String text) {
      return text;
    }
    throw new IOException(name + ": expected text, found " + map.get(name));
  }

  @SuppressWarnings("unchecked") // Made by value, which makes no other map.
  private static Map<String, Object> map(@Nullable Object value, String name) throws IOException {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new IOException(name + ": expected a JSON object, found " + value);
  }

  private static List<?> list(@Nullable Object value, String name) throws IOException {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new IOException(name + ": expected a JSON array, found " + value);
  }

  /** The value that begins at the parser's token; JSON's null is left out of maps and lists. */
  private static @Nullable Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, Object> map = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        Object value = value(parser);
        if (value != null) {
          map.put(name, value);
        }
      }
      return map;
    }
    if (token == JsonToken.START_ARRAY) {
      List<Object> list = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        Object value = value(parser);
        if (value != null) {
          list.add(value);
        }
      }
      return list;
    }
    if (token != null && token.isNumeric()) {
      return parser.getDoubleValue();
    }
    return token == JsonToken.VALUE_NULL ? null : parser.getText();
  }
}
