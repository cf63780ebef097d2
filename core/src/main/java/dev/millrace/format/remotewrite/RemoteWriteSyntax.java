package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.format.translation.Syntax;
import java.util.List;

/**
 * The families of remote write: those of the text format, or where histograms are native those of
 * the protobuf format. Nothing is written of a family itself.
 */
final class RemoteWriteSyntax extends Syntax {
  private static final byte[] NOTHING = {};

  private final boolean nativeHistograms;
  private final boolean customBuckets;

  /**
   * A syntax.
   *
   * @param nativeHistograms whether exponential histograms are native ones
   * @param customBuckets whether histograms with explicit bounds are
   */
  RemoteWriteSyntax(boolean nativeHistograms, boolean customBuckets) {
    this.nativeHistograms = nativeHistograms;
    this.customBuckets = customBuckets;
  }

  /** Whether a histogram of that type is one series, as native histograms are. */
  boolean isNative(FamilyType type) {
    return switch (type) {
      case HISTOGRAM -> customBuckets;
      case EXPONENTIAL_HISTOGRAM -> nativeHistograms;
      case COUNTER, GAUGE, UNKNOWN, INFO, STATESET, SUMMARY -> false;
    };
  }

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
    return isNative(type) ? List.of(name.base()) : sampleNames(name, type);
  }

  @Override
  public String word(FamilyType type) {
    return switch (type) {
      case COUNTER -> "counter";
      case GAUGE, INFO, STATESET -> "gauge";
      case UNKNOWN -> "untyped";
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> isNative(type) ? "native histogram" : "histogram";
      case SUMMARY -> "summary";
    };
  }

  @Override
  public void appendHeader(
      ByteArray out, String familyName, FamilyType type, String unit, String help) {}

  @Override
  public boolean hasNativeHistograms() {
    return nativeHistograms;
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
    return NOTHING;
  }
}
