package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.translation.ExemplarLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.format.translation.Plan;
import dev.millrace.format.translation.Plans;
import dev.millrace.format.translation.Syntax;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Writes expositions in one of the text formats, family by family in the order of a plan that is
 * made again only when the list of metrics changes.
 */
final class ExpositionEncoder implements MetricEncoder {
  private final Syntax syntax;
  private final String contentType;
  private final Plans plans;
  private final Faults faults;
  private final FamilyPoints points;
  private final Map<FamilyType, PointWriter> writers = new EnumMap<>(FamilyType.class);

  /**
   * An encoder.
   *
   * @param labelNames of series; with the labels that series keep, it is shared by encoders
   * @param exemplarNames of exemplars' attributes; see {@link ExemplarLabels}
   */
  ExpositionEncoder(
      Syntax syntax,
      String contentType,
      PrometheusOptions options,
      LabelNames labelNames,
      LabelNames exemplarNames,
      Problems problems) {
    this.syntax = syntax;
    this.contentType = contentType;
    plans = new Plans(syntax, options.translation(), labelNames);
    faults = new Faults(problems);
    boolean strict = syntax.isStrict();
    ExemplarWriter exemplars =
        syntax.hasExemplars() ? new ExemplarWriter(exemplarNames, faults) : null;
    boolean created = strict && options.createdTimestamps();
    for (FamilyType type : FamilyType.values()) {
      writers.put(
          type,
          switch (type) {
            case COUNTER, GAUGE, UNKNOWN, INFO, STATESET ->
                new NumberWriter(type, strict, created, exemplars);
            case HISTOGRAM -> new HistogramWriter(strict, created, exemplars);
            case EXPONENTIAL_HISTOGRAM ->
                new ExponentialHistogramWriter(
                    strict,
                    created,
                    options.exponentialHistograms() == ExponentialHistograms.EXPLICIT_BUCKETS,
                    exemplars);
            case SUMMARY -> new SummaryWriter(strict, created, faults);
          });
    }
    points =
        new FamilyPoints(
            writers,
            strict,
            LabelBlocks.ofText(labelNames),
            SeenBlocks.ofText(options.targetLabels()),
            new StateSets(options.targetLabels()),
            faults);
  }

  @Override
  public String contentType() {
    return contentType;
  }

  @Override
  public void encode(MetricCursor cursor, ChunkWriter out) {
    Plan current = plans.of(cursor, faults);
    out.write(current.targetInfo());
    for (int i = 0; i < current.families().size(); i++) {
      encodeFamily(current.families().get(i), cursor, out);
    }
    out.write(syntax.footer());
    points.trim();
  }

  private void encodeFamily(Family family, MetricCursor cursor, ChunkWriter out) {
    LabelBlocks labels = points.labels();
    boolean begun = false;
    points.begin(family, cursor);
    while (points.next()) {
      if (!begun) {
        begun = true;
        out.write(family.writtenAsGauge ? family.gaugeHeader : family.header);
      }
      writerOf(points.type()).write(cursor, family, labels.bytes(), labels.lengthBytes(), out);
    }
    faults.count(Fault.RESERVED_LABEL, labels.takeReservedLabels());
    faults.report(family.details);
  }

  private PointWriter writerOf(FamilyType type) {
    return Objects.requireNonNull(writers.get(type));
  }
}
