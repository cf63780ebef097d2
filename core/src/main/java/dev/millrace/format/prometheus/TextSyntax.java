package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.format.translation.Syntax;
import java.util.List;

/**
 * The Prometheus text format, versions 0.0.4 and 1.0.0, which differ in name only (Prometheus
 * documentation, "Exposition formats"). Families have the name of their samples; there are no
 * units, and info and state sets are gauges.
 */
final class TextSyntax extends Syntax {
  private static final byte[] NO_FOOTER = {};

  @Override
  public FamilyType familyType(FamilyType type, MetricName name) {
    return type;
  }

  @Override
  public String familyName(MetricName name) {
    return name.sample();
  }

  @Override
  public List<String> takenNames(MetricName name, FamilyType type) {
    return sampleNames(name, type);
  }

  @Override
  public void appendHeader(
      ByteArray out, String familyName, FamilyType type, String unit, String help) {
    appendHelp(out, familyName, help, false);
    appendComment(out, "TYPE", familyName, word(type));
  }

  @Override
  public String word(FamilyType type) {
    return switch (type) {
      case COUNTER -> "counter";
      case GAUGE, INFO, STATESET -> "gauge";
      case UNKNOWN -> "untyped";
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> "histogram";
      case SUMMARY -> "summary";
    };
  }

  @Override
  public boolean isStrict() {
    return false;
  }

  @Override
  public boolean hasExemplars() {
    return false;
  }

  @Override
  public byte[] footer() {
    return NO_FOOTER;
  }
}
