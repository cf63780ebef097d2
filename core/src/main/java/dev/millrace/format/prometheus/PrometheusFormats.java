package dev.millrace.format.prometheus;

import dev.millrace.format.MetricEncoder;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.format.translation.NameEscaping;
import dev.millrace.format.translation.Naming;
import dev.millrace.format.translation.NamingStrategy;
import dev.millrace.model.Problems;
import java.util.EnumMap;
import java.util.Map;

/**
 * Makes the encoders of one exporter. All of them that name labels alike share the labels that
 * series keep, so a series that is scraped in text and in OpenMetrics keeps its labels once, and
 * once more for protobuf; and they report what is wrong with metrics under the same kinds of
 * problem, whose names begin with {@code prometheus_}.
 *
 * <p>Thread-safe. The encoders are not: one serves one thread at a time.
 *
 * <pre>{@code
 * PrometheusFormats formats = new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems());
 * MetricEncoder encoder =
 *     formats.encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);
 * try (MetricCursor cursor = source.open(); ChunkWriter out = new ChunkWriter(pool)) {
 *   encoder.encode(cursor, out);
 *   assert encoder.contentType().endsWith("; escaping=underscores");
 * }
 * }</pre>
 */
public final class PrometheusFormats {
  private final PrometheusOptions options;
  private final Problems problems;
  private final Map<EscapingScheme, LabelNames> labelNames = new EnumMap<>(EscapingScheme.class);
  private final Map<EscapingScheme, LabelNames> exemplarNames = new EnumMap<>(EscapingScheme.class);

  /**
   * Formats for one exporter.
   *
   * @param problems takes what is wrong with metrics
   */
  public PrometheusFormats(PrometheusOptions options, Problems problems) {
    this.options = options;
    this.problems = problems;
  }

  /**
   * A new encoder.
   *
   * @param escaping what becomes of characters in names that not every scraper reads
   */
  public MetricEncoder encoder(PrometheusFormat format, EscapingScheme escaping) {
    String contentType = format.contentType(escaping);
    LabelNames names = names(labelNames, escaping);
    LabelNames ofExemplars = names(exemplarNames, escaping);
    return switch (format) {
      case TEXT_0_0_4, TEXT_1_0_0 ->
          new ExpositionEncoder(
              new TextSyntax(), contentType, options, names, ofExemplars, problems);
      case OPEN_METRICS_0_0_1, OPEN_METRICS_1_0_0 ->
          new ExpositionEncoder(
              new OpenMetricsSyntax(), contentType, options, names, ofExemplars, problems);
      case PROTOBUF -> new ProtobufEncoder(contentType, options, names, ofExemplars, problems);
    };
  }

  /** The names of labels, one object for all schemes by which they are the same. */
  private synchronized LabelNames names(
      Map<EscapingScheme, LabelNames> names, EscapingScheme escaping) {
    TranslationStrategy strategy = options.translationStrategy();
    // What has become underscores before gives the other schemes nothing to escape.
    boolean same = strategy.escapesToUnderscores() && escaping != EscapingScheme.DOTS;
    return names.computeIfAbsent(
        same ? EscapingScheme.ALLOW_UTF_8 : escaping,
        scheme -> new LabelNames(naming(strategy, scheme), options.translation()));
  }

  /** The names by one strategy and one escaping scheme. */
  static Naming naming(TranslationStrategy strategy, EscapingScheme escaping) {
    return new Naming(
        new NamingStrategy(strategy.escapesToUnderscores(), strategy.addsSuffixes()),
        switch (escaping) {
          case ALLOW_UTF_8 -> NameEscaping.Scheme.ALLOW_UTF_8;
          case UNDERSCORES -> NameEscaping.Scheme.UNDERSCORES;
          case DOTS -> NameEscaping.Scheme.DOTS;
          case VALUES -> NameEscaping.Scheme.VALUES;
        });
  }
}
