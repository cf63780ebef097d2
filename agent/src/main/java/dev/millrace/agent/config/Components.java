package dev.millrace.agent.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The components of one kind that a file defines, and which of them its pipelines use. */
final class Components<C> {
  private final ComponentKind<C> kind;
  private final Reading reading;
  private final Map<ComponentId, Defined<C>> defined = new LinkedHashMap<>();
  private final Set<ComponentId> used = new HashSet<>();

  /**
   * False if the section could not be read, so that a component missing from it is no further
   * problem.
   */
  private final boolean complete;

  private Components(ComponentKind<C> kind, Reading reading, boolean complete) {
    this.kind = kind;
    this.reading = reading;
    this.complete = complete;
  }

  /** Reads the section of a kind. */
  static <C> Components<C> read(ComponentKind<C> kind, Section top, Reading reading) {
    boolean misspelt = top.hasMisspelt(kind.section());
    return top.section(
        kind.section(),
        section -> {
          Components<C> components =
              new Components<>(kind, reading, section.isMapping() && !misspelt);
          for (YamlNode.Entry entry : section.takeAll()) {
            components.define(entry);
          }
          return components;
        });
  }

  private void define(YamlNode.Entry entry) {
    Position at = entry.key().at();
    ComponentId id = ComponentId.parse(entry.name());
    if (id == null) {
      reading.problems().add(at, () -> notAnId(Shown.quoted(entry.name())));
      return;
    }
    defined.put(id, new Defined<>(at, config(id, entry)));
  }

  private Optional<C> config(ComponentId id, YamlNode.Entry entry) {
    ComponentKind.Type<? extends C> type = kind.type(id.type());
    if (type == null) {
      reading
          .problems()
          .add(
              entry.key().at(),
              () -> Shown.unknown(kind.name() + " type", id.type(), kind.typeNames()));
      return Optional.empty();
    }
    C config =
        Section.read(
            reading, kind.shown(id), entry.name(), entry.key().at(), entry.value(), type.reader());
    return Optional.of(config);
  }

  /** The components that a pipeline lists under the key of the kind's section, each once. */
  List<ComponentId> references(String pipeline, Section section) {
    YamlNode.Entry entry = section.take(kind.section());
    if (entry == null || entry.isEmpty()) {
      if (section.isMapping() && !section.hasMisspelt(kind.section())) {
        reading
            .problems()
            .add(
                entry == null ? section.at() : entry.valueAt(),
                () -> pipeline + " has no " + kind.section() + "; list at least one");
      }
      return List.of();
    }
    if (entry.value() instanceof YamlNode.Sequence sequence) {
      return references(pipeline, sequence);
    }
    reading.problems().add(entry.valueAt(), () -> notAList(entry.value().found()));
    return List.of();
  }

  private List<ComponentId> references(String pipeline, YamlNode.Sequence sequence) {
    Set<ComponentId> ids = new LinkedHashSet<>();
    for (YamlNode item : sequence.items()) {
      Value value = reading.value(item, kind.section(), expectedId());
      ComponentId id = value == null ? null : reference(value);
      if (value != null && id != null && !ids.add(id)) {
        reading
            .problems()
            .add(value.at(), () -> pipeline + " lists " + shown(value) + " twice; list it once");
      }
    }
    return new ArrayList<>(ids);
  }

  /** The component that a value names; null if there is none and a problem was added. */
  private @Nullable ComponentId reference(Value value) {
    ComponentId id = ComponentId.parse(value.text());
    if (id == null) {
      reading.problems().add(value.at(), () -> notAnId(value.shown()));
      return null;
    }
    if (!defined.containsKey(id)) {
      if (complete) {
        reading.problems().add(value.at(), () -> notDefined(value));
      }
      return null;
    }
    used.add(id);
    return id;
  }

  private String expectedId() {
    String type = kind.typeNames().get(0);
    return "type or type/name, such as " + type + " or " + type + "/2";
  }

  private String notAnId(String found) {
    return kind.section() + ": expected " + expectedId() + ", found " + found;
  }

  private String notAList(String found) {
    return kind.section()
        + ": expected a list such as ["
        + kind.typeNames().get(0)
        + "], found "
        + found;
  }

  private String notDefined(Value value) {
    List<String> names = new ArrayList<>();
    for (ComponentId id : defined.keySet()) {
      names.add(id.toString());
    }
    if (names.isEmpty()) {
      return shown(value) + " is not defined; define it under \"" + kind.section() + "\"";
    }
    // A suggestion would come close to saying what the variable holds.
    String suggestion = value.substituted() ? "" : Nearest.suggestion(value.text(), names);
    return shown(value)
        + " is not defined under \""
        + kind.section()
        + "\"; "
        + Shown.expected(names)
        + suggestion;
  }

  private String shown(Value value) {
    return kind.name() + " " + Shown.quoted(value.written());
  }

  /** The names of the used components, for messages. */
  Set<String> usedNames() {
    Set<String> names = new HashSet<>();
    for (ComponentId id : used) {
      names.add(kind.shown(id));
    }
    return names;
  }

  /** The configurations of the used components; all of them if there was no problem. */
  Map<ComponentId, C> usedConfigs() {
    Map<ComponentId, C> configs = new LinkedHashMap<>();
    defined.forEach(
        (id, definition) -> {
          if (used.contains(id)) {
            definition.config().ifPresent(config -> configs.put(id, config));
          }
        });
    return configs;
  }

  void warnOfUnused(List<String> warnings) {
    String file = Shown.clean(reading.problems().fileName(), Integer.MAX_VALUE);
    defined.forEach(
        (id, definition) -> {
          if (!used.contains(id)) {
            warnings.add(
                file
                    + ":"
                    + definition.at().line()
                    + ":"
                    + definition.at().column()
                    + ": "
                    + kind.shown(id)
                    + " is in no pipeline and is not started");
          }
        });
  }

  /** A component; its configuration is empty if its type is unknown. */
  private record Defined<C>(Position at, Optional<C> config) {}
}
