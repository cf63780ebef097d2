package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.format.translation.Syntax;
import java.util.Collection;
import java.util.List;

/**
 * The delimited protobuf format (Prometheus documentation, "Exposition formats"). Families have the
 * name of their samples, and infos and state sets are gauges, as in the text format. Native
 * histograms and histograms with explicit bounds cannot stand in one family: a server looks at its
 * first point to know which it has.
 */
final class ProtobufSyntax extends Syntax {
  private static final byte[] NO_FOOTER = {};
  private static final String COUNTER_SUFFIX = "_total";

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
    return type == FamilyType.EXPONENTIAL_HISTOGRAM
        ? List.of(name.base())
        : sampleNames(name, type);
  }

  @Override
  public String word(FamilyType type) {
    return switch (type) {
      case COUNTER -> "counter";
      case GAUGE, INFO, STATESET -> "gauge";
      case UNKNOWN -> "untyped";
      case HISTOGRAM -> "histogram";
      case EXPONENTIAL_HISTOGRAM -> "native histogram";
      case SUMMARY -> "summary";
    };
  }

  private static int number(FamilyType type) {
    return switch (type) {
      case COUNTER -> ProtobufSchema.TYPE_COUNTER;
      case GAUGE, INFO, STATESET -> ProtobufSchema.TYPE_GAUGE;
      case UNKNOWN -> ProtobufSchema.TYPE_UNTYPED;
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> ProtobufSchema.TYPE_HISTOGRAM;
      case SUMMARY -> ProtobufSchema.TYPE_SUMMARY;
    };
  }

  /** Appends the fields that stand before a family's metrics. */
  @Override
  public void appendHeader(
      ByteArray out, String familyName, FamilyType type, String unit, String help) {
    ProtobufBuffer fields = new ProtobufBuffer();
    appendText(fields, ProtobufSchema.FAMILY_NAME, familyName);
    if (!help.isEmpty()) {
      appendText(fields, ProtobufSchema.FAMILY_HELP, help);
    }
    fields.writeVarint(ProtobufSchema.FAMILY_TYPE, number(type));
    out.append(fields.bytes(), 0, fields.lengthBytes());
  }

  /**
   * Appends the field that stands after a family's metrics. A server refuses a whole scrape for one
   * unit that the family's name, as it is written, does not end in.
   */
  @Override
  public void appendTrailer(ByteArray out, String familyName, FamilyType type, String unit) {
    boolean total = type == FamilyType.COUNTER && familyName.endsWith(COUNTER_SUFFIX);
    String named =
        total ? familyName.substring(0, familyName.length() - COUNTER_SUFFIX.length()) : familyName;
    if (!unit.isEmpty() && named.endsWith("_" + unit)) {
      ProtobufBuffer fields = new ProtobufBuffer();
      appendText(fields, ProtobufSchema.FAMILY_UNIT, unit);
      out.append(fields.bytes(), 0, fields.lengthBytes());
    }
  }

  @Override
  public boolean hasNativeHistograms() {
    return true;
  }

  @Override
  public boolean hasExemplars() {
    return true;
  }

  @Override
  public boolean isStrict() {
    return false;
  }

  @Override
  public byte[] footer() {
    return NO_FOOTER;
  }

  @Override
  public void appendInfo(ByteArray out, MetricName name, String help, Collection<byte[]> blocks) {
    ByteArray header = new ByteArray();
    appendHeader(header, familyName(name), FamilyType.INFO, "", help);
    ProtobufBuffer value = new ProtobufBuffer();
    int gauge = value.begin(ProtobufSchema.METRIC_GAUGE);
    value.writeDouble(ProtobufSchema.NUMBER_VALUE, 1);
    value.end(gauge);
    ProtobufBuffer family = new ProtobufBuffer();
    family.append(header.bytes(), 0, header.lengthBytes());
    ProtobufLabels labels = new ProtobufLabels();
    for (byte[] block : blocks) {
      labels.encode(block, block.length);
      ProtobufBuffer pairs = labels.pairs();
      int metric = family.begin(ProtobufSchema.FAMILY_METRIC);
      family.append(pairs.bytes(), 0, pairs.lengthBytes());
      family.append(value.bytes(), 0, value.lengthBytes());
      family.end(metric);
    }
    ProtobufBuffer delimited = new ProtobufBuffer();
    delimited.appendVarint(family.lengthBytes());
    delimited.append(family.bytes(), 0, family.lengthBytes());
    out.append(delimited.bytes(), 0, delimited.lengthBytes());
  }

  private static void appendText(ProtobufBuffer out, int tag, String text) {
    ByteArray utf8 = new ByteArray();
    utf8.appendUtf8(text);
    out.writeBytes(tag, utf8.bytes(), 0, utf8.lengthBytes());
  }
}
