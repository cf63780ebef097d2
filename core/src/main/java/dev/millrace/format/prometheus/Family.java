package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metric family as one exposition after another writes it: its comments and its samples' names as
 * bytes, and the metrics whose points it holds. Belongs to one encoder's plan.
 */
final class Family {
  /** One metric of a family. */
  static final class Member {
    /** The metric's index in the cursor. */
    final int index;

    /** The metric's type, which may be another than its family's if both have one word. */
    final FamilyType type;

    /** The labels that all of its points carry. */
    final ConstantLabels constants;

    /** The bounds of its last histogram point, which are mostly those of all. */
    @Nullable BoundLabels bounds;

    Member(int index, FamilyType type, ConstantLabels constants) {
      this.index = index;
      this.type = type;
      this.constants = constants;
    }
  }

  final String name;
  final FamilyType type;
  final byte[] header;

  /** What stands after its samples. */
  final byte[] trailer;

  /** The comments that make a gauge of it, for a state set that breaks the rules of state sets. */
  final byte[] gaugeHeader;

  final SampleName valueName;
  final SampleName bucketName;
  final SampleName countName;
  final SampleName sumName;
  final SampleName createdName;

  /** The name of the label that a state set has its states in. */
  final byte[] stateLabel;

  final List<Member> members;
  final Faults.Details details;

  /**
   * Whether series of the family may turn out equal, so that all of them are compared. Once true it
   * stays so until the next plan.
   */
  boolean compared;

  /** Whether a state set is written as a gauge. Once true it stays so until the next plan. */
  boolean writtenAsGauge;

  Family(
      Syntax syntax,
      MetricName metricName,
      FamilyType type,
      String help,
      List<Member> members,
      boolean compared) {
    this.name = syntax.familyName(metricName);
    this.type = type;
    this.header = header(syntax, name, type, metricName.unit(), help);
    this.gaugeHeader = header(syntax, name, FamilyType.GAUGE, "", help);
    ByteArray after = new ByteArray();
    syntax.appendTrailer(after, name, type, metricName.unit());
    this.trailer = after.toByteArray();
    String base = metricName.base();
    this.valueName = new SampleName(metricName.sample());
    this.bucketName = new SampleName(base + "_bucket");
    this.countName = new SampleName(base + "_count");
    this.sumName = new SampleName(base + "_sum");
    this.createdName = new SampleName(base + "_created");
    this.stateLabel = NameText.label(base);
    this.members = List.copyOf(members);
    this.compared = compared;
    this.details = new Faults.Details("family " + name);
  }

  static byte[] header(Syntax syntax, String name, FamilyType type, String unit, String help) {
    ByteArray header = new ByteArray();
    syntax.appendHeader(header, name, type, unit, help);
    return header.toByteArray();
  }
}
