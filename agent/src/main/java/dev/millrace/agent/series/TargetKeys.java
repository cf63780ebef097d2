package dev.millrace.agent.series;

import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Makes the keys of targets from resource attributes. */
final class TargetKeys {
  private TargetKeys() {}

  /**
   * Makes a key.
   *
   * @param apart whether all attributes tell targets apart
   */
  static Target.Key of(Labels resource, boolean apart, LabelHash labelHash) {
    String namespace = text(resource, "service.namespace");
    String name = text(resource, "service.name");
    String job = namespace.isEmpty() ? name : namespace + "/" + name;
    String instance = text(resource, "service.instance.id");
    long hash = hash(job, labelHash) + 3 * hash(instance, labelHash);
    Labels attributes = apart ? resource : Labels.EMPTY;
    hash += 5L * labelHash.ofLabels(attributes);
    return new Target.Key(job, instance, attributes, LabelHash.ofSet(hash));
  }

  private static long hash(String text, LabelHash labelHash) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return labelHash.ofBytes(utf8, 0, utf8.length);
  }

  /** A value as text; of types that make no sense here only equal values need to look equal. */
  private static String text(Labels resource, String key) {
    int index = resource.indexOf(key);
    if (index < 0) {
      return "";
    }
    LabelType type = resource.type(index);
    return switch (type) {
      case STRING -> resource.text(index);
      case LONG -> Long.toString(resource.longValue(index));
      case BOOLEAN -> Boolean.toString(resource.booleanValue(index));
      case DOUBLE -> Double.toString(resource.doubleValue(index));
      case EMPTY -> "";
      case BYTES, ARRAY, MAP ->
          type
              + " "
              + HexFormat.of()
                  .formatHex(
                      resource.bytes(), resource.valueStart(index), resource.valueEnd(index));
    };
  }
}
