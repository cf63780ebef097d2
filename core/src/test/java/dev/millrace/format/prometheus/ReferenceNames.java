package dev.millrace.format.prometheus;

import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names as the specification's sentences have them, one regular expression after another. Shares no
 * code with the encoders.
 */
final class ReferenceNames {
  private static final Map<String, String> UNITS =
      Map.of(
          "",
          "",
          "s",
          "seconds",
          "By",
          "bytes",
          "1",
          "",
          "{request}",
          "",
          "By/s",
          "bytes_per_second");
  private static final Set<String> OTHER_UNITS = Set.of("odd unit%", "µs/d");

  private final boolean underscores;
  private final boolean suffixes;
  private final EscapingScheme escaping;

  ReferenceNames(TranslationStrategy strategy, EscapingScheme escaping) {
    underscores = strategy.name().startsWith("UNDERSCORE");
    suffixes = strategy.name().endsWith("WITH_SUFFIXES");
    this.escaping = escaping;
  }

  /** A metric's name with the suffixes of its unit and its type; empty where it has none. */
  String metric(MetricDescriptor metric, String type) {
    String name =
        underscores
            ? metric.name().replaceAll("[^a-zA-Z0-9:]+", "_").replaceAll("^_|_$", "")
            : wellFormed(metric.name());
    if (name.isEmpty()) {
      return "";
    }
    if (suffixes) {
      String word = type.equals("counter") ? "total" : type.equals("info") ? "info" : "";
      // Whatever separates words: in a name of underscores nothing else is left that does.
      String between = "[^\\p{L}\\p{Nd}:]";
      if (!word.isEmpty()) {
        name = name.replaceFirst("(?s)" + between + word + "\\z", "");
      }
      String unit = unit(metric, type);
      String inUnit = "(?s)(.*" + between + ")?" + Pattern.quote(unit);
      if (!unit.isEmpty() && !name.matches(inUnit)) {
        name += "_" + unit;
      }
      name += word.isEmpty() ? "" : "_" + word;
    }
    return escaped(underscores ? name.replaceFirst("^(?=[0-9])", "_") : name, ":");
  }

  /** A metric's unit in words. */
  String unit(MetricDescriptor metric, String type) {
    if (Set.of("info", "stateset").contains(type)) {
      return "";
    }
    String word = UNITS.get(metric.unit());
    if (word != null) {
      return word;
    }
    if (!OTHER_UNITS.contains(metric.unit())) {
      throw new AssertionError("no word for unit " + metric.unit());
    }
    String words = metric.unit().replace("/d", "_per_day");
    return underscores ? words.replaceAll("[^a-zA-Z0-9:]+", "_").replaceAll("^_|_$", "") : words;
  }

  /** A label's name. */
  String label(String key) {
    if (underscores) {
      String name = key.replaceAll("[^a-zA-Z0-9]+", "_");
      if (name.matches("[0-9].*")) {
        name = "key_" + name;
      } else if (name.matches("_?") || key.startsWith("__")) {
        name = "key" + name;
      }
      return escaped(name, "");
    }
    String name = key.isEmpty() ? "key" : escaped(wellFormed(key), "");
    return name.equals("__name__") ? "key__name__" : name;
  }

  /** A name that is translated already. */
  String escaped(String name, String alsoPlain) {
    boolean plain = name.matches("[a-zA-Z_" + alsoPlain + "][a-zA-Z0-9_" + alsoPlain + "]*");
    // In each scheme a digit at the start is like a character that is not known.
    Matcher characters =
        Pattern.compile("^[0-9]|[^a-zA-Z0-9_" + alsoPlain + "]", Pattern.DOTALL).matcher(name);
    return switch (escaping) {
      case ALLOW_UTF_8 -> name;
      case UNDERSCORES -> plain ? name : characters.replaceAll("_");
      case DOTS ->
          name.codePoints()
              .mapToObj(Character::toString)
              .map(c -> c.equals(".") ? "_dot_" : c.equals("_") ? "__" : c)
              .map(c -> c.length() > 1 && c.startsWith("_") ? c : escapedTo("__", c, alsoPlain))
              .collect(Collectors.joining())
              .replaceFirst("^[0-9]", "__");
      case VALUES ->
          plain
              ? name
              : "U__"
                  + Pattern.compile("^[0-9]|[^a-zA-Z0-9" + alsoPlain + "]", Pattern.DOTALL)
                      .matcher(name)
                      .replaceAll(
                          found ->
                              found.group().equals("_")
                                  ? "__"
                                  : String.format("_%x_", found.group().codePointAt(0)));
    };
  }

  /** The value of an attribute as text. */
  static String value(Labels labels, int i) {
    return switch (labels.type(i)) {
      case STRING -> labels.text(i);
      case BOOLEAN -> Boolean.toString(labels.booleanValue(i));
      case LONG -> Long.toString(labels.longValue(i));
      case DOUBLE -> Double.toString(labels.doubleValue(i));
      case BYTES ->
          Base64.getEncoder()
              .encodeToString(
                  Arrays.copyOfRange(labels.bytes(), labels.valueStart(i), labels.valueEnd(i)));
      case EMPTY -> "";
      case ARRAY, MAP -> throw new AssertionError("not generated: " + LabelType.ARRAY);
    };
  }

  private static String escapedTo(String replacement, String character, String alsoPlain) {
    return character.matches("[a-zA-Z0-9_" + alsoPlain + "]") ? character : replacement;
  }

  private static String wellFormed(String text) {
    return text.replaceAll("\\p{Cs}", "\uFFFD");
  }
}
