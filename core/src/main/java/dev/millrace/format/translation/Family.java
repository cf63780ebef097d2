package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metric family as one exposition after another writes it: its comments and its samples' names as
 * bytes, and the metrics whose points it holds. Belongs to one encoder's plan.
 */
public final class Family {
  /** One metric of a family. */
  public static final class Member {
    /** The metric's index in the cursor. */
    public final int index;

    /** The metric's type, which may be another than its family's if both have one word. */
    public final FamilyType type;

    /** The labels that all of its points carry. */
    public final ConstantLabels constants;

    /** The bounds of its last histogram point, which are mostly those of all. */
    public @Nullable BoundLabels bounds;

    public Member(int index, FamilyType type, ConstantLabels constants) {
      this.index = index;
      this.type = type;
      this.constants = constants;
    }
  }

  public final String name;
  public final FamilyType type;

  /** The name in its parts. */
  public final MetricName metricName;

  /** May be empty. */
  public final String help;

  public final byte[] header;

  /** What stands after its samples. */
  public final byte[] trailer;

  /** The comments that make a gauge of it, for a state set that breaks the rules of state sets. */
  public final byte[] gaugeHeader;

  public final SampleName valueName;
  public final SampleName bucketName;
  public final SampleName countName;
  public final SampleName sumName;
  public final SampleName createdName;

  /** The name of the label that a state set has its states in. */
  public final byte[] stateLabel;

  public final List<Member> members;
  public final Faults.Details details;

  /**
   * Whether series of the family may turn out equal, so that all of them are compared. Once true it
   * stays so until the next plan.
   */
  public boolean compared;

  /** Whether a state set is written as a gauge. Once true it stays so until the next plan. */
  public boolean writtenAsGauge;

  public Family(
      Syntax syntax,
      MetricName metricName,
      FamilyType type,
      String help,
      List<Member> members,
      boolean compared) {
    this.name = syntax.familyName(metricName);
    this.type = type;
    this.metricName = metricName;
    this.help = help;
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

  private static byte[] header(
      Syntax syntax, String name, FamilyType type, String unit, String help) {
    ByteArray header = new ByteArray();
    syntax.appendHeader(header, name, type, unit, help);
    return header.toByteArray();
  }
}
