package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Utf8;
import dev.millrace.model.AttributeText;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The labels that every point of a metric carries because of its resource and its scope: {@code
 * job} and {@code instance}, {@code otel_scope_*}, and resource attributes that are promoted.
 * Sorted by name. Immutable.
 */
public final class ConstantLabels {
  public static final ConstantLabels NONE = new ConstantLabels(List.of(), false);

  private static final String SCOPE_PREFIX = "otel_scope_";
  private static final String SCOPE_NAME = "otel_scope_name";
  private static final String SCOPE_VERSION = "otel_scope_version";
  private static final String SCOPE_SCHEMA_URL = "otel_scope_schema_url";

  private final Label[] labels;
  private final boolean hasPromoted;
  private final boolean ambiguous;
  private final long fingerprint;

  private static final class Label {
    final byte[] name;
    final byte[] key;
    final byte[] value;
    final boolean promoted;

    Label(String name, String key, byte[] value, boolean promoted) {
      this.name = NameText.label(name);
      this.key = utf8(key);
      this.value = value;
      this.promoted = promoted;
    }

    boolean isLike(Label other) {
      return promoted == other.promoted
          && Arrays.equals(name, other.name)
          && Arrays.equals(value, other.value);
    }
  }

  private ConstantLabels(List<Label> labels, boolean ambiguous) {
    this.labels =
        labels.stream()
            .sorted(Comparator.comparing(label -> label.name, Arrays::compareUnsigned))
            .toArray(Label[]::new);
    boolean promoted = false;
    // Values that differ only in what is no UTF-8 are written alike.
    boolean malformed = false;
    long hash = this.labels.length;
    for (Label label : this.labels) {
      promoted |= label.promoted;
      malformed |= !Utf8.isValid(label.value, 0, label.value.length);
      hash = mix(mix(hash, label.name), label.value) + (label.promoted ? 1 : 0);
    }
    hasPromoted = promoted;
    this.ambiguous = ambiguous || malformed;
    fingerprint = hash;
  }

  /** The labels of a resource and a scope that the options ask for. */
  public static ConstantLabels of(
      Resource resource, Scope scope, LabelNames names, TranslationOptions options) {
    List<Label> labels = new ArrayList<>();
    if (options.targetLabels()) {
      addTarget(resource.attributes(), labels);
    }
    if (options.scopeLabels()) {
      addScope(scope, names, labels);
    }
    boolean ambiguous = addPromoted(resource.attributes(), names, options, labels);
    ConstantLabels own = labels.isEmpty() ? NONE : new ConstantLabels(labels, ambiguous);
    return own.withExternal(names, options);
  }

  /**
   * These labels and the external ones whose names they do not have. They give way to attributes of
   * points, as promoted ones do.
   */
  ConstantLabels withExternal(LabelNames names, TranslationOptions options) {
    if (options.externalLabels().size() == 0) {
      return this;
    }
    List<Label> all = new ArrayList<>(List.of(labels));
    joined(options.externalLabels(), key -> key, names)
        .forEach(
            (name, value) -> {
              Label external = new Label(name, value.key, value.text, true);
              if (value.text.length > 0 && !hasValueOf(external.name)) {
                all.add(external);
              }
            });
    return new ConstantLabels(all, true);
  }

  private boolean hasValueOf(byte[] name) {
    for (Label label : labels) {
      if (label.value.length > 0 && Arrays.equals(label.name, name)) {
        return true;
      }
    }
    return false;
  }

  /** {@code job} and {@code instance} of a resource. */
  public static ConstantLabels target(Resource resource) {
    List<Label> labels = new ArrayList<>();
    addTarget(resource.attributes(), labels);
    return new ConstantLabels(labels, false);
  }

  public int size() {
    return labels.length;
  }

  /** The name, in quotes where it needs them. */
  public byte[] name(int index) {
    return labels[index].name;
  }

  /** What the label is sorted by among attributes that have come to the same name. */
  public byte[] key(int index) {
    return labels[index].key;
  }

  /** The value, not escaped. */
  public byte[] value(int index) {
    return labels[index].value;
  }

  /** Whether the label is a promoted attribute, which gives way to an attribute of a point. */
  public boolean isPromoted(int index) {
    return labels[index].promoted;
  }

  /** Whether there is any promoted attribute. */
  public boolean hasPromoted() {
    return hasPromoted;
  }

  /**
   * Whether points of metrics with other constant labels may have the same labels as points with
   * these, so that they have to be compared.
   */
  public boolean isAmbiguous() {
    return ambiguous;
  }

  /** Tells these labels from others with overwhelming probability; the lowest bit is 0. */
  public long fingerprint() {
    return fingerprint & ~1L;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof ConstantLabels that) || labels.length != that.labels.length) {
      return false;
    }
    for (int i = 0; i < labels.length; i++) {
      if (!labels[i].isLike(that.labels[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fingerprint);
  }

  private static void addTarget(Labels resource, List<Label> labels) {
    byte[] name = text(resource, "service.name");
    if (name != null) {
      byte[] namespace = text(resource, "service.namespace");
      ByteArray job = new ByteArray();
      if (namespace != null && namespace.length > 0) {
        job.append(namespace);
        job.append('/');
      }
      job.append(name);
      // Empty, it is the same as no label, and only one of the two may stand there.
      if (job.lengthBytes() > 0) {
        labels.add(own("job", "job", job.toByteArray()));
      }
    }
    byte[] instance = text(resource, "service.instance.id");
    labels.add(own("instance", "instance", instance == null ? new byte[0] : instance));
  }

  /**
   * Adds the scope's labels. Attributes whose labels would have the name of one of the other three
   * are left out, as the specification has it ("Instrumentation Scope").
   */
  private static void addScope(Scope scope, LabelNames names, List<Label> labels) {
    Set<String> taken =
        List.of(SCOPE_NAME, SCOPE_VERSION, SCOPE_SCHEMA_URL).stream()
            .map(key -> names.naming().label(utf8(key)))
            .collect(Collectors.toSet());
    joined(scope.attributes(), key -> SCOPE_PREFIX + key, names)
        .forEach(
            (name, value) -> {
              if (!taken.contains(name) && value.text.length > 0) {
                labels.add(own(name, value.key, value.text));
              }
            });
    addIfAny(SCOPE_NAME, scope.name(), names, labels);
    addIfAny(SCOPE_VERSION, scope.version(), names, labels);
    addIfAny(SCOPE_SCHEMA_URL, scope.schemaUrl(), names, labels);
  }

  private static void addIfAny(String key, String value, LabelNames names, List<Label> labels) {
    if (!value.isEmpty()) {
      labels.add(own(names.naming().label(utf8(key)), key, utf8(value)));
    }
  }

  /** Returns whether other attributes may come to the same labels. */
  private static boolean addPromoted(
      Labels resource, LabelNames names, TranslationOptions options, List<Label> labels) {
    Labels.Builder promoted = new Labels.Builder();
    boolean ambiguous = false;
    for (int i = 0; i < resource.size(); i++) {
      if (options.promotesResourceAttribute(resource.key(i))) {
        int from = resource.keyStart(i);
        int valueFrom = resource.valueStart(i);
        promoted
            .beginValue(resource.bytes(), from, resource.keyEnd(i) - from)
            .append(resource.bytes(), valueFrom, resource.valueEnd(i) - valueFrom);
        promoted.endValue(resource.type(i));
        ambiguous |= !names.of(resource.bytes(), from, resource.keyEnd(i)).isExclusive();
      }
    }
    joined(promoted.build(), key -> key, names)
        .forEach(
            (name, value) -> {
              if (value.text.length > 0) {
                labels.add(new Label(name, value.key, value.text, true));
              }
            });
    return ambiguous;
  }

  /** The key that a label is sorted by, and its value. */
  private static final class Joined {
    final String key;
    final byte[] text;

    Joined(String key, byte[] text) {
      this.key = key;
      this.text = text;
    }
  }

  /** Attributes by the names of their labels; values of one name joined in the order of keys. */
  private static Map<String, Joined> joined(
      Labels attributes, Function<String, String> keys, LabelNames names) {
    Map<String, Joined> joined = new TreeMap<>();
    for (int i = 0; i < attributes.size(); i++) {
      String key = keys.apply(attributes.key(i));
      String name = names.naming().label(utf8(key));
      ByteArray text = new ByteArray();
      Joined before = joined.get(name);
      if (before != null) {
        text.append(before.text);
        text.append(';');
      }
      AttributeText.append(attributes, i, text);
      joined.put(name, new Joined(before == null ? key : before.key, text.toByteArray()));
    }
    return joined;
  }

  private static Label own(String name, String key, byte[] value) {
    return new Label(name, key, value, false);
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
