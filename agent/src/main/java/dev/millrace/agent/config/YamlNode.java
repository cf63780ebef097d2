package dev.millrace.agent.config;

import java.util.List;

/**
 * A node of a configuration file, with its place. A tree may share nodes (YAML aliases) but has no
 * cycles. Immutable.
 */
sealed interface YamlNode {
  Position at();

  /** The node as the object of "found" in a message. */
  String shown();

  /** Like {@link #shown()}, where a list or a mapping was expected. */
  default String found() {
    return shown();
  }

  /**
   * A scalar, before substitution.
   *
   * @param plain false if it was written in quotes or as a block, which makes it text whatever it
   *     looks like
   */
  record Scalar(Position at, String text, boolean plain) implements YamlNode {
    /** True for an absent value and for the ways that the YAML 1.2 core schema writes null. */
    boolean isNull() {
      return plain && isNullText(text);
    }

    static boolean isNullText(String text) {
      return switch (text) {
        case "", "~", "null", "Null", "NULL" -> true;
        default -> false;
      };
    }

    @Override
    public String shown() {
      return isNull() ? "nothing" : Shown.quoted(text);
    }

    @Override
    public String found() {
      return text.contains("${")
          ? shown() + "; a variable stands for a single value only"
          : shown();
    }
  }

  /** A list. */
  record Sequence(Position at, List<YamlNode> items) implements YamlNode {
    @Override
    public String shown() {
      return "a list";
    }
  }

  /** A mapping with keys that differ. */
  record Mapping(Position at, List<Entry> entries) implements YamlNode {
    @Override
    public String shown() {
      return "a mapping";
    }
  }

  /** A key and its value; the value of a key that has none is a null scalar. */
  record Entry(Scalar key, YamlNode value) {
    String name() {
      return key.text();
    }

    /** Where to point for a problem with the value: at the key if there is no value to point at. */
    Position valueAt() {
      return isEmpty() && value instanceof Scalar ? key.at() : value.at();
    }

    /** True if the value is null, an empty list or an empty mapping. */
    boolean isEmpty() {
      if (value instanceof Scalar scalar) {
        return scalar.isNull();
      }
      return value instanceof Sequence sequence
          ? sequence.items().isEmpty()
          : ((Mapping) value).entries().isEmpty();
    }
  }
}
