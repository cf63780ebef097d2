package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.format.translation.Syntax;
import java.util.ArrayList;
import java.util.List;

/**
 * OpenMetrics 1.0.0, which is also what its version 0.0.1 is taken for. Families have the name
 * without the suffix of their type, a family takes all names that its type might give samples
 * ("Suffixes"), and values are bound by their type.
 */
final class OpenMetricsSyntax extends Syntax {
  private static final byte[] FOOTER = {'#', ' ', 'E', 'O', 'F', '\n'};

  /**
   * A counter whose name does not end in {@code _total} is unknown, as Prometheus' own library has
   * it, and an info without {@code _info} is a gauge (OpenMetrics 1.0.0, "Suffixes").
   */
  @Override
  public FamilyType familyType(FamilyType type, MetricName name) {
    boolean named = name.suffix().equals(type.valueSuffix());
    return switch (type) {
      case COUNTER -> named ? type : FamilyType.UNKNOWN;
      case INFO -> named ? type : FamilyType.GAUGE;
      case GAUGE, UNKNOWN, STATESET, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> type;
    };
  }

  @Override
  public String familyName(MetricName name) {
    return name.base();
  }

  @Override
  public List<String> takenNames(MetricName name, FamilyType type) {
    List<String> names = new ArrayList<>(sampleNames(name, type));
    String base = name.base();
    if (!names.contains(base)) {
      names.add(base);
    }
    switch (type) {
      case COUNTER, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> names.add(base + "_created");
      case GAUGE, UNKNOWN, INFO, STATESET -> {}
    }
    return names;
  }

  @Override
  public void appendHeader(
      ByteArray out, String familyName, FamilyType type, String unit, String help) {
    appendComment(out, "TYPE", familyName, word(type));
    if (!unit.isEmpty()) {
      appendComment(out, "UNIT", familyName, unit);
    }
    appendHelp(out, familyName, help, true);
  }

  @Override
  public String word(FamilyType type) {
    return switch (type) {
      case COUNTER -> "counter";
      case GAUGE -> "gauge";
      case UNKNOWN -> "unknown";
      case INFO -> "info";
      case STATESET -> "stateset";
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> "histogram";
      case SUMMARY -> "summary";
    };
  }

  @Override
  public boolean isStrict() {
    return true;
  }

  @Override
  public boolean hasExemplars() {
    return true;
  }

  @Override
  public byte[] footer() {
    return FOOTER;
  }
}
