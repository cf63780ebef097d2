package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The family {@code target_info}: what is known of each target, as labels of a sample that is
 * always 1 (OpenTelemetry specification, Prometheus compatibility, "Resource Attributes"). With
 * target labels there is one sample for each {@code job} and {@code instance}, without the resource
 * attributes that those two are made of; else there is one sample in all.
 */
public final class TargetInfo {
  private static final String HELP = "Target metadata";
  private static final byte[][] NO_NAMES = {};
  private static final byte[][] IDENTITY_KEYS = {
    ascii("service.name"), ascii("service.namespace"), ascii("service.instance.id")
  };

  private final MetricName name;
  private final TranslationOptions options;
  private final LabelNames labelNames;
  private final LabelEncoder encoder;
  private final Map<ConstantLabels, byte[]> blocks = new LinkedHashMap<>();

  public TargetInfo(Naming naming, TranslationOptions options) {
    name = naming.targetInfo();
    this.options = options;
    labelNames = new LabelNames(naming, options);
    encoder = new LabelEncoder(labelNames);
  }

  /** The family's name. */
  public MetricName name() {
    return name;
  }

  /**
   * Adds a resource.
   *
   * @return whether there was none of the same target that differs; if there was, that one stays
   */
  public boolean add(Resource resource) {
    if (resource.attributes().size() == 0) {
      return true;
    }
    ConstantLabels target = ConstantLabels.NONE;
    if (options.targetLabels()) {
      target = ConstantLabels.target(resource);
      if (!identifies(target)) {
        return true;
      }
      encoder.encode(
          withoutIdentity(resource.attributes()),
          target.withExternal(labelNames, options),
          names(target));
    } else {
      encoder.encode(resource.attributes(), target.withExternal(labelNames, options), NO_NAMES);
    }
    byte[] block = encoder.block().toByteArray();
    byte[] first = blocks.putIfAbsent(target, block);
    return first == null || Arrays.equals(first, block);
  }

  /** The labels of each target, as {@link LabelEncoder} makes them. */
  public Collection<byte[]> blocks() {
    return Collections.unmodifiableCollection(blocks.values());
  }

  /** The family's bytes; empty where no resource says anything. */
  public byte[] encode(Syntax syntax) {
    if (blocks.isEmpty()) {
      return new byte[0];
    }
    ByteArray family = new ByteArray();
    syntax.appendInfo(family, name, HELP, blocks.values());
    return family.toByteArray();
  }

  private static byte[][] names(ConstantLabels target) {
    byte[][] names = new byte[target.size()][];
    for (int i = 0; i < names.length; i++) {
      names[i] = target.name(i);
    }
    return names;
  }

  /** Whether there is a {@code job}, or an {@code instance} that is not empty. */
  private static boolean identifies(ConstantLabels target) {
    for (int i = 0; i < target.size(); i++) {
      if (target.value(i).length > 0) {
        return true;
      }
    }
    return false;
  }

  private static Labels withoutIdentity(Labels attributes) {
    Labels.Builder others = new Labels.Builder();
    byte[] bytes = attributes.bytes();
    for (int i = 0; i < attributes.size(); i++) {
      int keyStart = attributes.keyStart(i);
      int keyEnd = attributes.keyEnd(i);
      if (!isIdentity(bytes, keyStart, keyEnd)) {
        int valueStart = attributes.valueStart(i);
        others
            .beginValue(bytes, keyStart, keyEnd - keyStart)
            .append(bytes, valueStart, attributes.valueEnd(i) - valueStart);
        others.endValue(attributes.type(i));
      }
    }
    return others.build();
  }

  private static boolean isIdentity(byte[] bytes, int from, int to) {
    for (byte[] key : IDENTITY_KEYS) {
      if (Arrays.equals(bytes, from, to, key, 0, key.length)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
