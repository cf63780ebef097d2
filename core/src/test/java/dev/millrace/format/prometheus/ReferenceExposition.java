package dev.millrace.format.prometheus;

import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakePoint;
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
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
  record Sample(
      String name,
      SortedMap<String, String> labels,
      Number value,
      ReferenceExemplars.@Nullable Exemplar exemplar) {
    Sample(String name, SortedMap<String, String> labels, Number value) {
      this(name, labels, value, null);
    }
  }

  /** A family whose samples can still come. */
  static final class Family {
    final String name;
    final String base;
    final String suffix;
    final String type;
    String unit = "";
    String help = "";
    final List<List<Sample>> points = new ArrayList<>();
    final List<Sample> states = new ArrayList<>();
    final Set<Map<String, String>> series = new HashSet<>();

    Family(String name, String base, String suffix, String type) {
      this.name = name;
      this.base = base;
      this.suffix = suffix;
      this.type = type;
    }
  }

  /**
   * A label before those of one name are one.
   *
   * @param key by which those of one name are sorted
   * @param kind of those of one key the lower comes first
   */
  private record Entry(String key, String name, String value, int kind) {
    static final int OWN = 0;
    static final int PROMOTED = 1;
    static final int ATTRIBUTE = 2;
  }

  private final PrometheusOptions options;
  private final ReferenceNames names;
  private final ReferenceExemplars references =
      new ReferenceExemplars((labels, left) -> joined(labels, Set.of(), left, List.of()));
  private final boolean om;
  private final boolean protobuf;
  private final Map<String, Family> families = new TreeMap<>();
  private final Set<String> taken = new HashSet<>();
  private final @Nullable Family target;

  ReferenceExposition(
      List<FakeMetric> metrics, PrometheusOptions options, EscapingScheme escaping, boolean om) {
    this(metrics, options, escaping, om, false);
  }

  private ReferenceExposition(
      List<FakeMetric> metrics,
      PrometheusOptions options,
      EscapingScheme escaping,
      boolean om,
      boolean protobuf) {
    this.options = options;
    names = new ReferenceNames(options.translationStrategy(), escaping);
    this.om = om;
    this.protobuf = protobuf;
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

  /**
   * What an exposition in protobuf has to hold: the samples that a server makes of it. A native
   * histogram is a sample for each bucket that holds something, and for all that it says besides.
   */
  static ReferenceExposition ofProtobuf(
      List<FakeMetric> metrics, PrometheusOptions options, EscapingScheme escaping) {
    return new ReferenceExposition(metrics, options, escaping, false, true);
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
    String sample = names.escaped("target_info", "");
    String base = sample.replaceFirst("_info$", "");
    Family family = new Family(om ? base : sample, base, "_info", om ? "info" : "gauge");
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
      SortedMap<String, String> labels = joined(attributes, left, identity.keySet(), List.of());
      labels.putAll(identity);
      family.points.add(List.of(new Sample(sample, labels, 1L)));
    }
    if (family.points.isEmpty()) {
      return null;
    }
    taken.addAll(om ? List.of(base, sample) : List.of(sample));
    return family;
  }

  private static void target(Resource resource, Map<String, String> labels) {
    Labels attributes = resource.attributes();
    int name = attributes.indexOf("service.name");
    int namespace = attributes.indexOf("service.namespace");
    int instance = attributes.indexOf("service.instance.id");
    if (name >= 0) {
      String prefix = namespace < 0 ? "" : attributes.text(namespace);
      String job = (prefix.isEmpty() ? "" : prefix + "/") + attributes.text(name);
      if (!job.isEmpty()) {
        labels.put("job", job);
      }
    }
    labels.put("instance", instance < 0 ? "" : attributes.text(instance));
  }

  private @Nullable Family place(FakeMetric metric) {
    MetricDescriptor d = metric.descriptor();
    String type = type(d);
    boolean accumulates = d.kind() != MetricKind.GAUGE && d.kind() != MetricKind.SUMMARY;
    boolean omitted =
        type.equals("exponential")
            && !protobuf
            && options.exponentialHistograms() == ExponentialHistograms.OMITTED;
    String sample = omitted ? "" : names.metric(d, type);
    if (sample.isEmpty() || (accumulates && d.temporality() != Temporality.CUMULATIVE)) {
      return null;
    }
    String suffix = type.equals("counter") ? "_total" : type.equals("info") ? "_info" : "";
    String unit = names.unit(d, type);
    if (!sample.endsWith(suffix) || sample.equals(suffix)) {
      suffix = "";
      type = !om ? type : type.equals("counter") ? "unknown" : "gauge";
    }
    String base = sample.substring(0, sample.length() - suffix.length());
    String word = word(type);
    String name = om ? base : sample;
    Family family = families.get(name);
    if (family == null) {
      List<String> names = names(base, suffix, type);
      if (names.stream().anyMatch(taken::contains)) {
        return null;
      }
      taken.addAll(names);
      family = new Family(name, base, suffix, type);
      families.put(name, family);
    } else if (!word(family.type).equals(word)) {
      return null;
    }
    family.help = family.help.isEmpty() ? d.description() : family.help;
    if (family.unit.isEmpty() && base.endsWith("_" + unit) && unit.matches("[a-zA-Z0-9_:]*")) {
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
      case EXPONENTIAL_HISTOGRAM -> "exponential";
    };
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
      case "exponential" -> protobuf ? type : "histogram";
      default -> type;
    };
  }

  private List<String> names(String base, String suffix, String type) {
    List<String> suffixes =
        new ArrayList<>(
            switch (protobuf && type.equals("exponential") ? "" : type) {
              case "histogram", "exponential" -> List.of("", "_bucket", "_count", "_sum");
              case "summary" -> List.of("", "_count", "_sum");
              default -> om ? List.of("", suffix) : List.of(suffix);
            });
    if (om && List.of("counter", "histogram", "exponential", "summary").contains(type)) {
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
        type.equals("histogram") || type.equals("exponential")
            ? Set.of("le")
            : type.equals("summary") ? Set.of("quantile") : Set.of();
    SortedMap<String, String> labels =
        joined(point.series().labels(), Set.of(), reserved, constants(metric, reserved));
    List<Sample> samples = samples(family, labels, point);
    family.states.add(samples.get(0));
    Map<String, String> identity = new TreeMap<>(labels);
    identity.values().removeIf(String::isEmpty);
    if (!family.series.add(identity)) {
      return;
    }
    boolean created =
        point.startTimeUnixNanos() > 0
            && List.of("counter", "histogram", "exponential", "summary").contains(family.type);
    if (created && protobuf) {
      samples.add(new Sample(family.name + " created", labels, point.startTimeUnixNanos()));
    } else if (created && om && options.createdTimestamps()) {
      samples.add(
          new Sample(
              family.base + "_created",
              labels,
              BigDecimal.valueOf(point.startTimeUnixNanos(), 9).doubleValue()));
    }
    family.points.add(samples);
  }

  private List<Entry> constants(FakeMetric metric, Set<String> reserved) {
    List<Entry> constants = new ArrayList<>();
    Scope scope = metric.scope();
    if (options.scopeLabels()) {
      Map<String, String> own = new TreeMap<>();
      own.put("otel_scope_name", scope.name());
      own.put("otel_scope_version", scope.version());
      own.put("otel_scope_schema_url", scope.schemaUrl());
      List<Entry> attributes =
          entries(scope.attributes(), "otel_scope_", key -> true, Entry.OWN).stream()
              .filter(e -> own.keySet().stream().map(names::label).noneMatch(e.name()::equals))
              .toList();
      constants.addAll(merged(attributes));
      own.forEach((k, v) -> constants.add(new Entry(k, names.label(k), v, Entry.OWN)));
      constants.removeIf(entry -> entry.value().isEmpty());
    }
    if (options.targetLabels()) {
      Map<String, String> target = new TreeMap<>();
      target(metric.resource(), target);
      target.forEach((name, value) -> constants.add(new Entry(name, name, value, Entry.OWN)));
    }
    Labels resource = metric.resource().attributes();
    merged(entries(resource, "", options::promotesResourceAttribute, Entry.PROMOTED)).stream()
        .filter(entry -> !entry.value().isEmpty() && !reserved.contains(entry.name()))
        .forEach(constants::add);
    return constants;
  }

  private List<Entry> entries(
      Labels attributes, String prefix, Predicate<String> filter, int kind) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < attributes.size(); i++) {
      String key = prefix + attributes.key(i);
      if (filter.test(attributes.key(i))) {
        entries.add(new Entry(key, names.label(key), ReferenceNames.value(attributes, i), kind));
      }
    }
    return entries;
  }

  /** Entries of one name as one, under the first of their keys. */
  private static List<Entry> merged(List<Entry> entries) {
    Map<String, Entry> merged = new LinkedHashMap<>();
    for (Entry entry : entries) {
      merged.merge(
          entry.name(),
          entry,
          (a, b) -> new Entry(a.key(), a.name(), a.value() + ";" + b.value(), a.kind()));
    }
    return List.copyOf(merged.values());
  }

  /** Attributes as labels, joined with constant labels where they come to the same name. */
  private SortedMap<String, String> joined(
      Labels attributes, Set<String> leftKeys, Set<String> leftNames, List<Entry> constants) {
    List<Entry> all = entries(attributes, "", key -> !leftKeys.contains(key), Entry.ATTRIBUTE);
    all.removeIf(entry -> leftNames.contains(entry.name()));
    Set<String> replaced = all.stream().map(Entry::name).collect(Collectors.toSet());
    for (Entry constant : constants) {
      if (constant.kind() == Entry.OWN || !replaced.contains(constant.name())) {
        all.add(constant);
      }
    }
    all.sort(Comparator.comparing(Entry::key).thenComparing(Entry::kind));
    SortedMap<String, String> labels = new TreeMap<>();
    for (Entry entry : all) {
      boolean filler = entry.name().equals("instance") && "".equals(labels.get("instance"));
      labels.merge(entry.name(), entry.value(), (a, b) -> filler ? b : a + ";" + b);
    }
    return labels;
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
    if (value instanceof FakePoint.Exponential e) {
      return ReferenceExponential.isAllowed(e, protobuf);
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

  private List<Sample> samples(Family family, SortedMap<String, String> labels, FakePoint point) {
    FakePoint.Value value = point.value();
    List<FakePoint.Exemplar> exemplars = om || protobuf ? point.exemplars() : List.of();
    List<Sample> samples = new ArrayList<>();
    String base = family.base;
    if (value instanceof FakePoint.Histogram h) {
      long cumulative = 0;
      double above = Double.NaN;
      for (int i = 0; i < h.bounds().length; i++) {
        cumulative += h.buckets()[i];
        double upTo = h.bounds()[i];
        samples.add(
            new Sample(
                base + "_bucket",
                and(labels, "le", upTo),
                cumulative,
                references.newest(exemplars, above, upTo)));
        above = upTo;
      }
      SortedMap<String, String> last = new TreeMap<>(labels);
      last.put("le", "+Inf");
      samples.add(
          new Sample(
              base + "_bucket",
              last,
              h.count(),
              references.newest(exemplars, above, Double.POSITIVE_INFINITY)));
      boolean negative = (h.bounds().length > 0 && h.bounds()[0] < 0) || h.min() < 0;
      boolean sum = h.hasSum() && (!om || (!negative && h.sum() >= 0));
      if (sum) {
        samples.add(new Sample(base + "_sum", labels, h.sum()));
      }
      if (sum || !om) {
        samples.add(new Sample(base + "_count", labels, h.count()));
      }
    } else if (value instanceof FakePoint.Exponential e) {
      samples.addAll(
          protobuf
              ? ReferenceExponential.natives(base, labels, e, exemplars, references)
              : ReferenceExponential.countAndSum(base, labels, e, exemplars, references, om));
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
      samples.add(
          new Sample(
              base + family.suffix,
              labels,
              value instanceof FakePoint.Whole whole
                  ? (Number) whole.value()
                  : (Number) ((FakePoint.Real) value).value(),
              family.type.equals("counter") ? references.newest(exemplars) : null));
    }
    return samples;
  }

  static SortedMap<String, String> with(
      SortedMap<String, String> labels, String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(labels);
    more.put(name, value);
    return more;
  }

  private static SortedMap<String, String> and(
      SortedMap<String, String> labels, String name, double value) {
    for (int i = 0; i < GeneratedMetrics.BOUNDS.length; i++) {
      if (GeneratedMetrics.BOUNDS[i] == value) {
        return with(labels, name, GeneratedMetrics.BOUND_TEXTS[i]);
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
      if (labels.remove(family.base) == null || (value != 0 && value != 1)) {
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
