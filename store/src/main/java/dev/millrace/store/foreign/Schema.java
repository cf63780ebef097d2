package dev.millrace.store.foreign;

import dev.millrace.bytes.ByteArray;
import dev.millrace.store.file.MergeMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a schema file says of metrics whose own files do not say it: a JSON array with an object for
 * each metric. Keys that mean nothing here are passed over. Immutable.
 */
final class Schema {
  /** A schema of nothing. */
  static final Schema NONE = new Schema(Map.of());

  /** Some ten thousand metrics; more is another file. */
  private static final long MAX_BYTES = 16L << 20;

  /** More buckets than any client makes; a bucket is a series to Prometheus. */
  private static final int MAX_BUCKETS = 4096;

  private final Map<String, Entry> entries;

  private Schema(Map<String, Entry> entries) {
    this.entries = entries;
  }

  /**
   * One metric.
   *
   * @param bounds rising and finite; empty where none are told
   */
  record Entry(String name, ForeignType type, String help, MergeMode mode, List<Double> bounds) {}

  @Nullable Entry entry(String metric) {
    return entries.get(metric);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or is no schema; the message says why
   */
  static Schema read(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Opening a pipe would wait until somebody writes to it.
      throw new IOException(file + ": expected a schema file, found no regular file");
    }
    long size = Files.size(file);
    if (size > MAX_BYTES) {
      throw new IOException(
          file + ": expected a schema of at most " + MAX_BYTES + " bytes, found " + size);
    }
    byte[] bytes = Files.readAllBytes(file);
    try {
      return new Schema(parse(bytes));
    } catch (JsonSyntaxException e) {
      throw new IOException(
          file
              + ": expected a JSON array of objects with name, type, help, aggregation and buckets:"
              + " "
              + e.getMessage(),
          e);
    }
  }

  private static Map<String, Entry> parse(byte[] bytes) throws JsonSyntaxException {
    JsonReader json = new JsonReader();
    json.begin(bytes, bytes.length);
    Map<String, Entry> entries = new HashMap<>();
    json.expect('[');
    for (boolean more = !json.accept(']'); more; more = json.accept(',') || json.closed(']')) {
      Entry entry = parseEntry(json);
      entries.put(entry.name(), entry);
    }
    json.expectEnd();
    return entries;
  }

  private static Entry parseEntry(JsonReader json) throws JsonSyntaxException {
    String name = "";
    String type = "";
    String help = "";
    String aggregation = "";
    List<Double> bounds = List.of();
    json.expect('{');
    for (boolean more = !json.accept('}'); more; more = json.accept(',') || json.closed('}')) {
      String key = json.string();
      json.expect(':');
      switch (key) {
        case "name" -> name = json.string();
        case "type" -> type = json.string();
        case "help" -> help = text(json);
        case "aggregation" -> aggregation = text(json);
        case "buckets" -> bounds = bounds(json);
        default -> json.skip();
      }
    }
    ForeignType known = ForeignType.of(type);
    if (name.isEmpty() || known == null) {
      throw new JsonSyntaxException(
          "expected a name and a type of counter, gauge, histogram or summary, found name '"
              + name
              + "' and type '"
              + type
              + "'");
    }
    return new Entry(name, known, help, mode(aggregation, known, name), bounds);
  }

  private static MergeMode mode(String aggregation, ForeignType type, String name)
      throws JsonSyntaxException {
    return switch (aggregation) {
      case "" -> type == ForeignType.GAUGE ? MergeMode.EACH : MergeMode.SUM;
      case "sum" -> MergeMode.SUM;
      case "max" -> MergeMode.MAX;
      case "min" -> MergeMode.MIN;
      case "all" -> MergeMode.EACH;
      case "most_recent" -> MergeMode.LATEST;
      default ->
          throw new JsonSyntaxException(
              "expected an aggregation of sum, max, min, all or most_recent for "
                  + name
                  + ", found '"
                  + aggregation
                  + "'");
    };
  }

  /** A string, or {@code null}, which is empty. */
  private static String text(JsonReader json) throws JsonSyntaxException {
    ByteArray text = new ByteArray();
    json.scalar(text);
    return new String(text.bytes(), 0, text.lengthBytes(), StandardCharsets.UTF_8);
  }

  private static List<Double> bounds(JsonReader json) throws JsonSyntaxException {
    if (json.peek() != '[') {
      json.skip();
      return List.of();
    }
    List<Double> found = new ArrayList<>();
    json.expect('[');
    for (boolean more = !json.accept(']'); more; more = json.accept(',') || json.closed(']')) {
      double bound = Bound.parse(text(json));
      if (Double.isNaN(bound) || found.size() == MAX_BUCKETS) {
        throw new JsonSyntaxException("expected at most " + MAX_BUCKETS + " numbers as buckets");
      }
      if (!Double.isInfinite(bound)) {
        found.add(bound);
      }
    }
    return found.stream().sorted().distinct().toList();
  }
}
