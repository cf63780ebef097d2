package dev.millrace.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of component and the types of it that this build has.
 *
 * @param <C> what all configurations of the kind have in common
 * @param name what one of the kind is called, such as receiver
 * @param section the key of the kind's section, such as receivers
 * @param types the types, in the order in which messages list them
 */
record ComponentKind<C>(String name, String section, List<Type<? extends C>> types) {
  static final ComponentKind<ReceiverConfig> RECEIVER =
      new ComponentKind<>(
          "receiver",
          "receivers",
          List.of(
              new Type<>("otlp", OtlpReceiverConfig::read),
              new Type<>("millrace_store", MillraceStoreReceiverConfig::read),
              new Type<>("multiprocess", MultiprocessReceiverConfig::read)));

  static final ComponentKind<ExporterConfig> EXPORTER =
      new ComponentKind<>(
          "exporter",
          "exporters",
          List.of(
              new Type<>("prometheus", PrometheusExporterConfig::read),
              new Type<>("prometheusremotewrite", RemoteWriteExporterConfig::read)));

  /** The type of that name; null if there is none. */
  @Nullable Type<? extends C> type(String typeName) {
    for (Type<? extends C> type : types) {
      if (type.name().equals(typeName)) {
        return type;
      }
    }
    return null;
  }

  List<String> typeNames() {
    List<String> names = new ArrayList<>(types.size());
    for (Type<? extends C> type : types) {
      names.add(type.name());
    }
    return names;
  }

  /** The component as messages name it, {@code exporter "prometheus/2"}; no two have one name. */
  String shown(ComponentId id) {
    return name + " \"" + id + '"';
  }

  /**
   * One type of component.
   *
   * @param <C> its configuration
   * @param name the type's name, the first part of a component's id
   * @param reader reads a component's section
   */
  record Type<C>(String name, Function<Section, C> reader) {}
}
