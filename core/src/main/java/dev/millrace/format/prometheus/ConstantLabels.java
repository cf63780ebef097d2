package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.AttributeText;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels that every point of a metric carries because of its resource and its scope: {@code
 * job} and {@code instance}, and {@code otel_scope_*}. Sorted by name. Immutable.
 */
final class ConstantLabels {
  static final ConstantLabels NONE = new ConstantLabels(new TreeMap<>());

  private static final String SCOPE_PREFIX = "otel_scope_";

  private final byte[][] names;
  private final byte[][] keys;
  private final byte[][] values;
  private final long fingerprint;

  /** A label before its name is made: the key it is sorted by, and its value. */
  private static final class Value {
    final String key;
    final byte[] text;

    Value(String key, byte[] text) {
      this.key = key;
      this.text = text;
    }
  }

  private ConstantLabels(SortedMap<String, Value> labels) {
    int size = labels.size();
    names = new byte[size][];
    keys = new byte[size][];
    values = new byte[size][];
    long hash = size;
    int i = 0;
    for (Map.Entry<String, Value> label : labels.entrySet()) {
      names[i] = utf8(label.getKey());
      keys[i] = utf8(label.getValue().key);
      values[i] = label.getValue().text;
      hash = mix(mix(hash, names[i]), values[i]);
      i++;
    }
    fingerprint = hash;
  }

  /** The labels of a resource and a scope that the options ask for. */
  static ConstantLabels of(Resource resource, Scope scope, PrometheusOptions options) {
    SortedMap<String, Value> labels = new TreeMap<>();
    if (options.targetLabels()) {
      putTarget(resource.attributes(), labels);
    }
    if (options.scopeLabels()) {
      putScope(scope, labels);
    }
    return labels.isEmpty() ? NONE : new ConstantLabels(labels);
  }

  /** {@code job} and {@code instance} of a resource. */
  static ConstantLabels target(Resource resource) {
    SortedMap<String, Value> labels = new TreeMap<>();
    putTarget(resource.attributes(), labels);
    return new ConstantLabels(labels);
  }

  int size() {
    return names.length;
  }

  byte[] name(int index) {
    return names[index];
  }

  /** What the label is sorted by among attributes that have come to the same name. */
  byte[] key(int index) {
    return keys[index];
  }

  /** The value, not escaped. */
  byte[] value(int index) {
    return values[index];
  }

  /** Tells these labels from others with overwhelming probability; the lowest bit is 0. */
  long fingerprint() {
    return fingerprint & ~1L;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ConstantLabels that
        && Arrays.deepEquals(names, that.names)
        && Arrays.deepEquals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.deepHashCode(names) + Arrays.deepHashCode(values);
  }

  private static void putTarget(Labels resource, Map<String, Value> labels) {
    byte[] name = text(resource, "service.name");
    if (name != null) {
      byte[] namespace = text(resource, "service.namespace");
      ByteArray job = new ByteArray();
      if (namespace != null && namespace.length > 0) {
        job.append(namespace);
        job.append('/');
      }
      job.append(name);
      labels.put("job", new Value("job", job.toByteArray()));
    }
    byte[] instance = text(resource, "service.instance.id");
    labels.put("instance", new Value("instance", instance == null ? new byte[0] : instance));
  }

  /**
   * Puts the scope's labels. Attributes whose labels would have the name of one of the other three
   * are left out, as the specification has it ("Instrumentation Scope").
   */
  private static void putScope(Scope scope, Map<String, Value> labels) {
    Map<String, Value> attributes = new TreeMap<>();
    Labels of = scope.attributes();
    for (int i = 0; i < of.size(); i++) {
      String key = SCOPE_PREFIX + of.key(i);
      String name = new String(LabelNames.translate(utf8(key)), StandardCharsets.UTF_8);
      ByteArray text = new ByteArray();
      Value before = attributes.get(name);
      if (before != null) {
        text.append(before.text);
        text.append(';');
      }
      AttributeText.append(of, i, text);
      attributes.put(name, new Value(before == null ? key : before.key, text.toByteArray()));
    }
    attributes.values().removeIf(value -> value.text.length == 0);
    attributes.remove("otel_scope_name");
    attributes.remove("otel_scope_version");
    attributes.remove("otel_scope_schema_url");
    labels.putAll(attributes);
    putIfAny("otel_scope_name", scope.name(), labels);
    putIfAny("otel_scope_version", scope.version(), labels);
    putIfAny("otel_scope_schema_url", scope.schemaUrl(), labels);
  }

  private static void putIfAny(String name, String value, Map<String, Value> labels) {
    if (!value.isEmpty()) {
      labels.put(name, new Value(name, utf8(value)));
    }
  }

  private static byte @Nullable [] text(Labels labels, String key) {
    int index = labels.indexOf(key);
    if (index < 0) {
      return null;
    }
    ByteArray text = new ByteArray();
    AttributeText.append(labels, index, text);
    return text.toByteArray();
  }

  private static byte[] utf8(String text) {
    ByteArray bytes = new ByteArray();
    bytes.appendUtf8(text);
    return bytes.toByteArray();
  }

  /** FNV-1a in 64 bits, with the length first so that two texts in turn are not one. */
  private static long mix(long hash, byte[] text) {
    long mixed = (hash ^ text.length) * 0x100000001b3L;
    for (byte b : text) {
      mixed = (mixed ^ (b & 0xff)) * 0x100000001b3L;
    }
    return mixed ^ mixed >>> 29;
  }
}
