package dev.millrace.format.prometheus;

import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an exposition has to hold, found the slow and obvious way: strings, maps, and every series
 * compared with every other. Shares no code with the encoders.
 */
final class ReferenceExposition {
  /**
   * A sample.
   *
   * @param value a {@code Long} or a {@code Double}
   */
  record Sample(String name, SortedMap<String, String> labels, Number value) {}

  /** A family whose samples can still come. */
  static final class Family {
    final String name;
    final String base;
    final String type;
    String unit = "";
    String help = "";
    final List<List<Sample>> points = new ArrayList<>();
    final List<Sample> states = new ArrayList<>();
    final Set<Map<String, String>> series = new HashSet<>();

    Family(String name, String base, String type) {
      this.name = name;
      this.base = base;
      this.type = type;
    }
  }

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
          "bytes_per_second",
          "odd unit%",
          "odd_unit");

  private final PrometheusOptions options;
  private final boolean om;
  private final Map<String, Family> families = new TreeMap<>();
  private final Set<String> taken = new HashSet<>();
  private final @Nullable Family target;

  ReferenceExposition(List<FakeMetric> metrics, PrometheusOptions options, boolean om) {
    this.options = options;
    this.om = om;
    target = options.targetInfo() ? targets(metrics) : null;
    for (FakeMetric metric : metrics) {
      Family family = place(metric);
      if (family != null) {
        for (FakePoint point : metric.points()) {
          add(family, metric, point);
        }
      }
    }
  }

  /** Families with at least one sample, in order. */
  List<Family> families() {
    List<Family> all = new ArrayList<>();
    if (target != null) {
      all.add(target);
    }
    all.addAll(families.values());
    all.removeIf(family -> family.points.isEmpty());
    return all;
  }

  private @Nullable Family targets(List<FakeMetric> metrics) {
    Family family = new Family(om ? "target" : "target_info", "target", om ? "info" : "gauge");
    family.help = "Target metadata";
    Set<Map<String, String>> identities = new HashSet<>();
    for (FakeMetric metric : metrics) {
      Labels attributes = metric.resource().attributes();
      Map<String, String> identity = new TreeMap<>();
      if (options.targetLabels()) {
        target(metric.resource(), identity);
      }
      boolean known = identity.values().stream().anyMatch(value -> !value.isEmpty());
      if (attributes.size() == 0
          || (options.targetLabels() && !known)
          || !identities.add(identity)) {
        continue;
      }
      Set<String> left =
          options.targetLabels()
              ? Set.of("service.name", "service.namespace", "service.instance.id")
              : Set.of();
      SortedMap<String, String> labels = joined(attributes, left, identity.keySet(), Map.of());
      labels.putAll(identity);
      family.points.add(List.of(new Sample("target_info", labels, 1L)));
    }
    if (family.points.isEmpty()) {
      return null;
    }
    taken.addAll(om ? List.of("target", "target_info") : List.of("target_info"));
    return family;
  }

  private static void target(Resource resource, Map<String, String> labels) {
    Labels attributes = resource.attributes();
    int name = attributes.indexOf("service.name");
    int namespace = attributes.indexOf("service.namespace");
    int instance = attributes.indexOf("service.instance.id");
    if (name >= 0) {
      String prefix = namespace < 0 ? "" : attributes.text(namespace);
      labels.put("job", (prefix.isEmpty() ? "" : prefix + "/") + attributes.text(name));
    }
    labels.put("instance", instance < 0 ? "" : attributes.text(instance));
  }

  private @Nullable Family place(FakeMetric metric) {
    MetricDescriptor d = metric.descriptor();
    String type = type(d);
    boolean accumulates = d.kind() == MetricKind.SUM || d.kind() == MetricKind.HISTOGRAM;
    String base = d.name().replaceAll("[^a-zA-Z0-9:]+", "_").replaceAll("^_|_$", "");
    if (type.isEmpty()
        || base.isEmpty()
        || (accumulates && d.temporality() != Temporality.CUMULATIVE)) {
      return null;
    }
    String suffix = type.equals("counter") ? "_total" : type.equals("info") ? "_info" : "";
    if (base.endsWith(suffix)) {
      base = base.substring(0, base.length() - suffix.length());
    }
    String unit = List.of("info", "stateset").contains(type) ? "" : unit(d.unit());
    if (!unit.isEmpty() && !base.matches("(.*_)?" + unit)) {
      base += "_" + unit;
    }
    if (Character.isDigit(base.charAt(0))) {
      base = "_" + base;
    }
    String word = word(type);
    String name = om ? base : base + suffix;
    Family family = families.get(name);
    if (family == null) {
      List<String> names = names(base, suffix, type);
      if (names.stream().anyMatch(taken::contains)) {
        return null;
      }
      taken.addAll(names);
      family = new Family(name, base, type);
      families.put(name, family);
    } else if (!word(family.type).equals(word)) {
      return null;
    }
    family.help = family.help.isEmpty() ? d.description() : family.help;
    if (family.unit.isEmpty() && base.endsWith("_" + unit)) {
      family.unit = unit;
    }
    return family;
  }

  private static String type(MetricDescriptor d) {
    String hinted =
        d.typeHint() == TypeHint.NONE ? "gauge" : d.typeHint().name().toLowerCase(Locale.ROOT);
    return switch (d.kind()) {
      case GAUGE -> hinted;
      case SUM -> d.monotonic() ? "counter" : hinted;
      case HISTOGRAM -> "histogram";
      case SUMMARY -> "summary";
      case EXPONENTIAL_HISTOGRAM -> "";
    };
  }

  private static String unit(String unit) {
    String word = UNITS.get(unit);
    if (word == null) {
      throw new AssertionError("no word for unit " + unit);
    }
    return word;
  }

  /** The word for a family's type in the format. */
  String word(Family family) {
    boolean broken = om && family.type.equals("stateset") && !isStateSet(family);
    return broken ? "gauge" : word(family.type);
  }

  private String word(String type) {
    return switch (type) {
      case "info", "stateset" -> om ? type : "gauge";
      case "unknown" -> om ? type : "untyped";
      default -> type;
    };
  }

  private List<String> names(String base, String suffix, String type) {
    List<String> suffixes =
        new ArrayList<>(
            switch (type) {
              case "histogram" -> List.of("", "_bucket", "_count", "_sum");
              case "summary" -> List.of("", "_count", "_sum");
              default -> om ? List.of("", suffix) : List.of(suffix);
            });
    if (om && List.of("counter", "histogram", "summary").contains(type)) {
      suffixes.add("_created");
    }
    return suffixes.stream().map(each -> base + each).toList();
  }

  private void add(Family family, FakeMetric metric, FakePoint point) {
    String type = type(metric.descriptor());
    if (point.noRecordedValue() || !isAllowed(family.type, point.value())) {
      return;
    }
    Set<String> reserved =
        type.equals("histogram")
            ? Set.of("le")
            : type.equals("summary") ? Set.of("quantile") : Set.of();
    SortedMap<String, String> labels =
        joined(point.series().labels(), Set.of(), reserved, constants(metric));
    List<Sample> samples = samples(family, labels, point.value());
    family.states.add(samples.get(0));
    Map<String, String> identity = new TreeMap<>(labels);
    identity.values().removeIf(String::isEmpty);
    if (!family.series.add(identity)) {
      return;
    }
    if (om
        && options.createdTimestamps()
        && point.startTimeUnixNanos() > 0
        && List.of("counter", "histogram", "summary").contains(family.type)) {
      samples.add(
          new Sample(
              family.base + "_created",
              labels,
              BigDecimal.valueOf(point.startTimeUnixNanos(), 9).doubleValue()));
    }
    family.points.add(samples);
  }

  private Map<String, String> constants(FakeMetric metric) {
    Map<String, String> constants = new TreeMap<>();
    Scope scope = metric.scope();
    if (options.scopeLabels()) {
      Labels.Builder prefixed = new Labels.Builder();
      for (int i = 0; i < scope.attributes().size(); i++) {
        prefixed.put("otel_scope_" + scope.attributes().key(i), scope.attributes().text(i));
      }
      Set<String> own = Set.of("otel_scope_name", "otel_scope_version", "otel_scope_schema_url");
      constants.putAll(joined(prefixed.build(), Set.of(), own, Map.of()));
      constants.put("otel_scope_name", scope.name());
      constants.put("otel_scope_version", scope.version());
      constants.put("otel_scope_schema_url", scope.schemaUrl());
      constants.values().removeIf(String::isEmpty);
    }
    if (options.targetLabels()) {
      target(metric.resource(), constants);
    }
    return constants;
  }

  /** Attributes as labels, joined with constant labels where they come to the same name. */
  private static SortedMap<String, String> joined(
      Labels attributes,
      Set<String> leftKeys,
      Set<String> leftNames,
      Map<String, String> constants) {
    // A key, and a name and a value; constant labels come first where keys are equal.
    List<String[]> all = new ArrayList<>();
    constants.forEach((name, value) -> all.add(new String[] {name, name, value}));
    for (int i = 0; i < attributes.size(); i++) {
      String name = labelName(attributes.key(i));
      if (!leftKeys.contains(attributes.key(i)) && !leftNames.contains(name)) {
        all.add(new String[] {attributes.key(i), name, value(attributes, i)});
      }
    }
    all.sort(Comparator.comparing(entry -> entry[0]));
    SortedMap<String, String> labels = new TreeMap<>();
    for (String[] entry : all) {
      boolean filler = entry[1].equals("instance") && "".equals(labels.get("instance"));
      labels.merge(entry[1], entry[2], (a, b) -> filler ? b : a + ";" + b);
    }
    return labels;
  }

  private static String labelName(String key) {
    String name = key.replaceAll("[^a-zA-Z0-9]+", "_");
    if (name.matches("[0-9].*")) {
      return "key_" + name;
    }
    return name.matches("_?") || key.startsWith("__") ? "key" + name : name;
  }

  private static String value(Labels labels, int i) {
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

  private boolean isAllowed(String type, FakePoint.Value value) {
    if (value instanceof FakePoint.Histogram h) {
      long total = Arrays.stream(h.buckets()).sum();
      for (int i = 0; i < h.bounds().length; i++) {
        if (Double.isNaN(h.bounds()[i]) || (i > 0 && h.bounds()[i] <= h.bounds()[i - 1])) {
          return false;
        }
      }
      return h.buckets().length == h.bounds().length + 1 && total <= h.count();
    }
    double number =
        value instanceof FakePoint.Whole whole
            ? whole.value()
            : value instanceof FakePoint.Real real ? real.value() : 0;
    return !om
        || switch (type) {
          case "counter" -> number >= 0;
          case "info" -> number == 1;
          default -> true;
        };
  }

  private List<Sample> samples(
      Family family, SortedMap<String, String> labels, FakePoint.Value value) {
    List<Sample> samples = new ArrayList<>();
    String base = family.base;
    if (value instanceof FakePoint.Histogram h) {
      long cumulative = 0;
      for (int i = 0; i < h.bounds().length; i++) {
        cumulative += h.buckets()[i];
        samples.add(new Sample(base + "_bucket", and(labels, "le", h.bounds()[i]), cumulative));
      }
      SortedMap<String, String> last = new TreeMap<>(labels);
      last.put("le", "+Inf");
      samples.add(new Sample(base + "_bucket", last, h.count()));
      boolean negative = (h.bounds().length > 0 && h.bounds()[0] < 0) || h.min() < 0;
      boolean sum = h.hasSum() && (!om || (!negative && h.sum() >= 0));
      if (sum) {
        samples.add(new Sample(base + "_sum", labels, h.sum()));
      }
      if (sum || !om) {
        samples.add(new Sample(base + "_count", labels, h.count()));
      }
    } else if (value instanceof FakePoint.Summary s) {
      Map<Double, Double> quantiles = new TreeMap<>();
      for (int i = 0; i < s.quantiles().length; i++) {
        double quantile = s.quantiles()[i];
        if (quantile >= 0 && quantile <= 1 && !(om && s.values()[i] < 0)) {
          quantiles.putIfAbsent(quantile, s.values()[i]);
        }
      }
      quantiles.forEach(
          (quantile, each) ->
              samples.add(new Sample(base, and(labels, "quantile", quantile), each)));
      if (!om || s.sum() >= 0) {
        samples.add(new Sample(base + "_sum", labels, s.sum()));
      }
      samples.add(new Sample(base + "_count", labels, s.count()));
    } else {
      String name =
          switch (family.type) {
            case "counter" -> base + "_total";
            case "info" -> base + "_info";
            default -> base;
          };
      samples.add(
          new Sample(
              name,
              labels,
              value instanceof FakePoint.Whole whole
                  ? (Number) whole.value()
                  : (Number) ((FakePoint.Real) value).value()));
    }
    return samples;
  }

  private static SortedMap<String, String> and(
      SortedMap<String, String> labels, String name, double value) {
    for (int i = 0; i < GeneratedMetrics.BOUNDS.length; i++) {
      if (GeneratedMetrics.BOUNDS[i] == value) {
        SortedMap<String, String> more = new TreeMap<>(labels);
        more.put(name, GeneratedMetrics.BOUND_TEXTS[i]);
        return more;
      }
    }
    throw new AssertionError("no text for " + value);
  }

  /** Whether a state set keeps OpenMetrics' rules; if not, it is a gauge. */
  private static boolean isStateSet(Family family) {
    Set<Map<String, String>> groups = new HashSet<>();
    Map<String, String> group = Map.of();
    for (Sample sample : family.states) {
      double value = sample.value().doubleValue();
      Map<String, String> labels = new TreeMap<>(sample.labels());
      if (labels.remove(family.name) == null || (value != 0 && value != 1)) {
        return false;
      }
      labels.values().removeIf(String::isEmpty);
      if (groups.add(labels)) {
        group = labels;
      } else if (!group.equals(labels)) {
        return false;
      }
    }
    return true;
  }
}
