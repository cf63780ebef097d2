package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.api.incubator.config.DeclarativeConfigException;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings that stand in a declarative configuration file. The names are those of the schema's own
 * Prometheus exporter where the meaning is the same, in their newest form and in those of earlier
 * versions of the schema.
 *
 * <p>The SDK itself only logs a value of a wrong type and goes on as if it were not there; here it
 * is an error, and so is a name that means nothing.
 */
final class DeclarativeSettings extends Settings {
  /** Marks a name that means the opposite of the newest one. */
  private static final String OPPOSITE = "!";

  /** What settings are called in files, where that is not their name here alone. */
  private static final Map<String, List<String>> NAMES_IN_FILES =
      Map.of(
          "scope_info_enabled",
          List.of("scope_info_enabled", "!without_scope_info"),
          "target_info_enabled",
          List.of(
              "target_info_enabled/development",
              "target_info_enabled",
              "!without_target_info/development",
              "!without_target_info"),
          "resource_constant_labels",
          List.of("resource_constant_labels", "with_resource_constant_labels"));

  private final String path;
  private final DeclarativeConfigProperties properties;

  /**
   * Settings in a file.
   *
   * @param path of the mapping in the file, for error messages
   */
  DeclarativeSettings(String path, DeclarativeConfigProperties properties) {
    this.path = path;
    this.properties = properties;
  }

  /** Where in the file a setting stands. */
  private record Place(DeclarativeConfigProperties in, String key, boolean opposite, String path) {}

  /** Refuses names that are not among those of the settings, which {@code names} are. */
  void requireKnown(Set<String> names) {
    Map<String, Set<String>> groups = new LinkedHashMap<>();
    for (String name : names) {
      int dot = name.indexOf('.');
      Set<String> within =
          groups.computeIfAbsent(dot < 0 ? name : name.substring(0, dot), key -> new TreeSet<>());
      if (dot >= 0) {
        within.add(name.substring(dot + 1));
      }
    }
    requireKnown(path, properties, groups.keySet());
    groups.forEach(
        (group, within) -> {
          Place place = within.isEmpty() ? null : find(path, properties, group);
          DeclarativeConfigProperties inner =
              place == null ? null : place.in.getStructured(place.key);
          if (place != null && inner != null) {
            requireKnown(place.path, inner, within);
          }
        });
  }

  @Override
  @Nullable String text(String name) {
    Place place = find(name);
    return place == null ? null : present(place, "text", place.in.getString(place.key));
  }

  @Override
  @Nullable Boolean flag(String name) {
    Place place = find(name);
    if (place == null) {
      return null;
    }
    Boolean flag = present(place, "true or false", place.in.getBoolean(place.key));
    return flag == null ? null : flag != place.opposite;
  }

  @Override
  @Nullable Long wholeNumber(String name) {
    Place place = find(name);
    return place == null ? null : present(place, "a whole number", place.in.getLong(place.key));
  }

  /** In milliseconds, as everywhere in the schema. */
  @Override
  @Nullable Duration duration(String name) {
    Long millis = wholeNumber(name, 0, Long.MAX_VALUE);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  @Override
  @Nullable List<String> texts(String name) {
    Place place = find(name);
    if (place == null) {
      return null;
    }
    List<String> texts =
        present(place, "a list of texts", place.in.getScalarList(place.key, String.class));
    if (texts != null && texts.isEmpty()) {
      throw invalidAt(place.path, "a list with something in it, or no list", "an empty one");
    }
    return texts;
  }

  /**
   * Headers as the schema has them, a list of names and values; they win over {@code headers_list}.
   *
   * @return {@code null} where there is no such list
   */
  @Nullable Map<String, String> headers() {
    List<DeclarativeConfigProperties> list = properties.getStructuredList("headers");
    if (list == null) {
      return null;
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (DeclarativeConfigProperties header : list) {
      String name = header.getString("name");
      String value = header.getString("value");
      if (name == null || name.isBlank()) {
        throw invalid("headers", "entries with a name and a value", "one without a name");
      }
      if (value != null) {
        HeaderSettings.requireSendable(this, "headers", name, value);
        headers.put(name, value);
      }
    }
    return headers;
  }

  @Override
  RuntimeException invalid(String name, String expected, String found) {
    Place place = find(name);
    return invalidAt(place == null ? path + "." + name : place.path, expected, found);
  }

  @Override
  RuntimeException unusable(RuntimeException cause) {
    return new DeclarativeConfigException(
        path + " cannot be used as configured: " + cause.getMessage(), cause);
  }

  private @Nullable Place find(String name) {
    int dot = name.indexOf('.');
    if (dot < 0) {
      return find(path, properties, name);
    }
    Place group = find(path, properties, name.substring(0, dot));
    if (group == null) {
      return null;
    }
    DeclarativeConfigProperties inner =
        present(group, "a mapping", group.in.getStructured(group.key));
    return inner == null ? null : find(group.path, inner, name.substring(dot + 1));
  }

  private static @Nullable Place find(String path, DeclarativeConfigProperties in, String name) {
    Place found = null;
    for (String nameInFile : NAMES_IN_FILES.getOrDefault(name, List.of(name))) {
      boolean opposite = nameInFile.startsWith(OPPOSITE);
      String key = opposite ? nameInFile.substring(OPPOSITE.length()) : nameInFile;
      if (in.getPropertyKeys().contains(key)) {
        if (found != null) {
          throw invalidAt(path, "one of " + found.key + " and " + key, "both");
        }
        found = new Place(in, key, opposite, path + "." + key);
      }
    }
    return found;
  }

  /**
   * Tells what is empty in the file, which is as if it were not there, from what is of a wrong
   * type.
   */
  private static <T> @Nullable T present(Place place, String expected, @Nullable T value) {
    Object other = value != null ? null : valueOfAnyType(place.in, place.key);
    if (other != null) {
      throw invalidAt(place.path, expected, other.toString());
    }
    return value;
  }

  private static @Nullable Object valueOfAnyType(DeclarativeConfigProperties in, String key) {
    return Stream.<Supplier<@Nullable Object>>of(
            () -> in.getString(key),
            () -> in.getBoolean(key),
            () -> in.getLong(key),
            () -> in.getDouble(key),
            () -> in.getScalarList(key, String.class),
            () -> in.getScalarList(key, Long.class),
            () -> in.getScalarList(key, Boolean.class),
            () -> in.getScalarList(key, Double.class),
            () -> in.getStructured(key),
            () -> in.getStructuredList(key))
        .map(Supplier::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static void requireKnown(String path, DeclarativeConfigProperties in, Set<String> names) {
    Set<String> known =
        names.stream()
            .flatMap(name -> NAMES_IN_FILES.getOrDefault(name, List.of(name)).stream())
            .map(name -> name.startsWith(OPPOSITE) ? name.substring(OPPOSITE.length()) : name)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String key : in.getPropertyKeys()) {
      if (!known.contains(key)) {
        throw invalidAt(path, "one of " + String.join(", ", known), key);
      }
    }
  }

  private static DeclarativeConfigException invalidAt(String place, String expected, String found) {
    return new DeclarativeConfigException(place + ": expected " + expected + ", found " + found);
  }
}
