package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import java.util.List;

/**
 * The Prometheus text format, versions 0.0.4 and 1.0.0, which differ in name only (Prometheus
 * documentation, "Exposition formats"). Families have the name of their samples; there are no
 * units, and info and state sets are gauges.
 */
final class TextSyntax extends Syntax {
  private static final byte[] NO_FOOTER = {};

  @Override
  FamilyType familyType(FamilyType type, MetricName name) {
    return type;
  }

  @Override
  String familyName(MetricName name) {
    return name.sample();
  }

  @Override
  List<String> takenNames(MetricName name, FamilyType type) {
    return sampleNames(name, type);
  }

  @Override
  void appendHeader(ByteArray out, String familyName, FamilyType type, String unit, String help) {
    appendHelp(out, familyName, help, false);
    appendComment(out, "TYPE", familyName, word(type));
  }

  @Override
  String word(FamilyType type) {
    return switch (type) {
      case COUNTER -> "counter";
      case GAUGE, INFO, STATESET -> "gauge";
      case UNKNOWN -> "untyped";
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> "histogram";
      case SUMMARY -> "summary";
    };
  }

  @Override
  boolean isStrict() {
    return false;
  }

  @Override
  boolean hasExemplars() {
    return false;
  }

  @Override
  byte[] footer() {
    return NO_FOOTER;
  }
}
