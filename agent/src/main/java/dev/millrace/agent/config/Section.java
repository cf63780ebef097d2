package dev.millrace.agent.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of the file, read key by key. A reader asks for each key that it knows once, with its
 * default and bounds; whatever is left over is then reported as unknown, with what was asked for as
 * the expected keys. A key that is absent or null has its default. A key with a wrong value adds a
 * problem and has its default too, so that reading goes on to the next problem.
 *
 * <p>Lives while its reader runs; for one thread.
 */
final class Section {
  private static final Map<String, Boolean> FLAGS =
      new TreeMap<>(Map.of("true", true, "false", false));

  private static final Path NO_PATH = Path.of("");

  private final Reading reading;
  private final String owner;
  private final String name;
  private final Position at;
  private final boolean mapping;
  private final Map<String, YamlNode.Entry> unread = new LinkedHashMap<>();
  private final List<String> known = new ArrayList<>();

  private Section(
      Reading reading, String owner, String name, Position at, @Nullable YamlNode node) {
    this.reading = reading;
    this.owner = owner;
    this.name = Shown.clean(name);
    this.at = at;
    boolean empty = node == null || (node instanceof YamlNode.Scalar scalar && scalar.isNull());
    this.mapping = empty || node instanceof YamlNode.Mapping;
    if (node instanceof YamlNode.Mapping entries) {
      for (YamlNode.Entry entry : entries.entries()) {
        unread.put(entry.name(), entry);
      }
    }
  }

  /**
   * Reads a node that should be a mapping.
   *
   * @param owner the component whose section this is, for messages; empty above the components
   * @param name the key of the section, for messages
   * @param at where the section begins, for problems with what it lacks
   * @param node the node; null or a null scalar is an empty mapping
   */
  static <T> T read(
      Reading reading,
      String owner,
      String name,
      Position at,
      @Nullable YamlNode node,
      Function<Section, ? extends T> reader) {
    Section section = new Section(reading, owner, name, at, node);
    if (!section.mapping && node != null) {
      reading
          .problems()
          .add(
              node.at(),
              () ->
                  Shown.clean(name)
                      + ": expected a mapping of keys to values, found "
                      + node.found());
    }
    T result = reader.apply(section);
    for (YamlNode.Entry entry : section.unread.values()) {
      reading
          .problems()
          .add(entry.key().at(), () -> Shown.unknown("key", entry.name(), section.known));
    }
    return result;
  }

  Position at() {
    return at;
  }

  /** False if the file has something else here, which is reported already. */
  boolean isMapping() {
    return mapping;
  }

  /**
   * True if the section has an unknown key that looks like this one, so that a further problem with
   * the lack of this one would be one problem told twice.
   */
  boolean hasMisspelt(String key) {
    List<String> wanted = List.of(key);
    for (String name : unread.keySet()) {
      if (!name.equals(key) && Nearest.of(name, wanted) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * A section within this one. Its reader runs, and finds nothing, if the file does not have it.
   */
  <T> T section(String key, Function<Section, ? extends T> reader) {
    YamlNode.Entry entry = take(key);
    return entry == null
        ? read(reading, owner, key, at, null, reader)
        : read(reading, owner, key, entry.key().at(), entry.value(), reader);
  }

  /** A section that may be missing: null where the file does not have it, or has it empty. */
  <T> @Nullable T optional(String key, Function<Section, @Nullable T> reader) {
    YamlNode.Entry entry = unread.get(key);
    if (entry == null || entry.isEmpty()) {
      take(key);
      return null;
    }
    return section(key, reader);
  }

  /** All that is left, for a section whose keys are names of the user's choice. */
  List<YamlNode.Entry> takeAll() {
    List<YamlNode.Entry> entries = new ArrayList<>(unread.values());
    unread.clear();
    return entries;
  }

  /** The entry of a key; null if the file does not have it. */
  YamlNode.@Nullable Entry take(String key) {
    known.add(key);
    return unread.remove(key);
  }

  /** An address to listen on; no other component may want the same one. */
  Endpoint listener(String key, Endpoint byDefault) {
    YamlNode.Entry entry = take(key);
    Endpoint endpoint =
        value(
            entry,
            key,
            byDefault,
            EndpointSyntax.EXPECTED,
            value -> EndpointSyntax.parse(value.text()));
    if (endpoint == null) {
      return byDefault;
    }
    String shown = endpoint.toString();
    if (entry != null
        && entry.value() instanceof YamlNode.Scalar scalar
        && scalar.text().indexOf('$') >= 0) {
      shown = Shown.clean(scalar.text());
    }
    Position listenerAt = entry == null ? at : entry.valueAt();
    reading.listeners().add(new Listeners.Listener(owner, endpoint, shown, listenerAt));
    return endpoint;
  }

  /**
   * The path of a directory, which has no default; the empty path where it is missing or wrong and
   * a problem was added.
   */
  Path directory(String key) {
    boolean misspelt = hasMisspelt(key);
    YamlNode.Entry entry = take(key);
    if (entry == null || entry.isEmpty()) {
      if (mapping && !misspelt) {
        Position where = entry == null ? at : entry.valueAt();
        reading
            .problems()
            .add(where, key + ": expected " + PathSyntax.DIRECTORY + ", found nothing; add it");
      }
      return NO_PATH;
    }
    Path path = value(entry, key, NO_PATH, PathSyntax.DIRECTORY, PathSyntax::parseDirectory);
    return path == null ? NO_PATH : path;
  }

  /** An address to send to, which has no default; null where a problem was added. */
  @Nullable URI requiredUrl(String key) {
    boolean misspelt = hasMisspelt(key);
    YamlNode.Entry entry = unread.get(key);
    if (entry == null || entry.isEmpty()) {
      take(key);
      if (mapping && !misspelt) {
        reading
            .problems()
            .add(
                entry == null ? at : entry.valueAt(),
                key + ": expected " + UrlSyntax.EXPECTED + ", found nothing; add it");
      }
      return null;
    }
    return url(key);
  }

  /** An address to send to; null if it is absent or none. */
  @Nullable URI url(String key) {
    YamlNode.Entry entry = take(key);
    Value value = entry == null ? null : reading.value(entry.value(), key, UrlSyntax.EXPECTED);
    if (value == null || value.isNull()) {
      return null;
    }
    Parsed<URI> parsed = UrlSyntax.parse(value.text());
    if (parsed.value() == null) {
      // An address may hold a password.
      String found = UrlSyntax.mayBeSecret(value.text()) ? "another text" : value.shown();
      reading
          .problems()
          .add(
              value.at(),
              () -> key + ": expected " + parsed.expected() + ", found " + found + parsed.hint());
    }
    return parsed.value();
  }

  /** Texts whose keys are names of the user's choice, in the order of the file. */
  Map<String, String> texts(String key) {
    return section(
        key,
        section -> {
          Map<String, String> texts = new LinkedHashMap<>();
          for (YamlNode.Entry entry : section.takeAll()) {
            Value value = reading.value(entry.value(), entry.name(), "a text");
            if (value != null) {
              texts.put(entry.name(), value.isNull() ? "" : value.text());
            }
          }
          return texts;
        });
  }

  /** A duration from {@code min} to {@code max}, both within it. */
  Duration duration(String key, Duration byDefault, Duration min, Duration max) {
    Duration duration =
        value(
            take(key),
            key,
            byDefault,
            DurationSyntax.EXPECTED,
            value -> DurationSyntax.parse(value.text(), min, max));
    return duration == null ? byDefault : duration;
  }

  /** A size in bytes from {@code minBytes} to {@code maxBytes}, both within it. */
  long sizeBytes(String key, long byDefaultBytes, long minBytes, long maxBytes) {
    Long sizeBytes =
        value(
            take(key),
            key,
            byDefaultBytes,
            SizeSyntax.EXPECTED,
            value -> SizeSyntax.parse(value.text(), minBytes, maxBytes));
    return sizeBytes == null ? byDefaultBytes : sizeBytes;
  }

  /** A whole number from {@code min} (0 or more) to {@code max}, both within it. */
  int wholeNumber(String key, int byDefault, int min, int max) {
    Integer number =
        value(
            take(key),
            key,
            byDefault,
            NumberSyntax.EXPECTED,
            value -> NumberSyntax.parse(value, min, max));
    return number == null ? byDefault : number;
  }

  /** A number from {@code min} to {@code max}, both within it. */
  double number(String key, double byDefault, double min, double max) {
    Double number =
        value(
            take(key),
            key,
            byDefault,
            NumberSyntax.DECIMAL,
            value -> NumberSyntax.parseDecimal(value, min, max));
    return number == null ? byDefault : number;
  }

  /** The path of a file; null if it is absent or none. */
  @Nullable Path file(String key) {
    return value(take(key), key, null, "the path of a file", PathSyntax::parse);
  }

  /** Text that is in no message; null if it is absent or none. */
  @Nullable String secret(String key) {
    return value(take(key), key, null, "text", value -> Parsed.of(value.text()));
  }

  /** One of some words, by what each stands for. */
  <T> T choice(String key, T byDefault, Map<String, T> choices) {
    T chosen =
        value(
            take(key),
            key,
            byDefault,
            ChoiceSyntax.expected(choices),
            value -> ChoiceSyntax.parse(value.text(), choices));
    return chosen == null ? byDefault : chosen;
  }

  /** Whether something is on. */
  boolean flag(String key, boolean byDefault) {
    return choice(key, byDefault, FLAGS);
  }

  /** Something that is wrong with the section as a whole, rather than with one of its values. */
  void problem(String message) {
    reading.problems().add(at, () -> name + ": " + message);
  }

  /** A key that a user may well expect, but that is not supported. */
  void refuse(String key, String why) {
    YamlNode.Entry entry = unread.remove(key);
    if (entry != null) {
      reading.problems().add(entry.key().at(), key + ": " + why);
    }
  }

  /** Like {@link #refuse}, but lets a key pass that asks for nothing. */
  void refuseUnlessEmpty(String key, String why) {
    YamlNode.Entry entry = unread.get(key);
    if (entry != null && entry.isEmpty()) {
      unread.remove(key);
    }
    refuse(key, why);
  }

  /**
   * The value of an entry, the default if it is absent or null; null if a problem was added
   * instead.
   */
  private <T> @Nullable T value(
      YamlNode.@Nullable Entry entry,
      String key,
      @Nullable T byDefault,
      String expected,
      Function<Value, Parsed<T>> parser) {
    if (entry == null) {
      return byDefault;
    }
    Value value = reading.value(entry.value(), key, expected);
    if (value == null) {
      return null;
    }
    if (value.isNull()) {
      return byDefault;
    }
    Parsed<T> parsed = parser.apply(value);
    if (parsed.value() == null) {
      reading.problems().add(value.at(), () -> wrong(key, value, parsed));
    }
    return parsed.value();
  }

  private static String wrong(String key, Value value, Parsed<?> parsed) {
    return key + ": expected " + parsed.expected() + ", found " + value.shown() + parsed.hint();
  }
}
