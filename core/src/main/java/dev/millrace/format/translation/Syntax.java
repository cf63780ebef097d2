package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** What one format has that the others have not. Stateless. */
public abstract class Syntax {
  /**
   * The type of a family whose metrics have a type and a name: another where the format has rules
   * for names that the metric's own name does not keep.
   */
  public abstract FamilyType familyType(FamilyType type, MetricName name);

  /** The name that a family's comments have. */
  public abstract String familyName(MetricName name);

  /** The word for a type. Metrics whose types have one word can stand in one family. */
  public abstract String word(FamilyType type);

  /**
   * All names that a family of that type takes, whether it has such samples or not: no other family
   * may take one of them.
   */
  public abstract List<String> takenNames(MetricName name, FamilyType type);

  /** Appends the comments before a family's samples. Empty texts are left out. */
  public abstract void appendHeader(
      ByteArray out, String familyName, FamilyType type, String unit, String help);

  /** Appends what stands after a family's samples. */
  public void appendTrailer(ByteArray out, String familyName, FamilyType type, String unit) {}

  /**
   * Appends a family whose samples are all 1.
   *
   * @param blocks the labels of each, as {@link LabelEncoder} makes them
   */
  public void appendInfo(ByteArray out, MetricName name, String help, Collection<byte[]> blocks) {
    appendHeader(out, familyName(name), FamilyType.INFO, "", help);
    for (byte[] block : blocks) {
      out.appendUtf8(name.sample());
      out.append(block);
      out.append('1');
      out.append('\n');
    }
  }

  /** Whether exponential histograms can be written as such. */
  public boolean hasNativeHistograms() {
    return false;
  }

  /**
   * Whether values are bound by OpenMetrics' rules for each type; the text format takes any number.
   */
  public abstract boolean isStrict();

  /** Whether counters and buckets can have exemplars. */
  public abstract boolean hasExemplars();

  /** What stands at the end. */
  public abstract byte[] footer();

  /** The value sample's name and what belongs to a histogram or a summary of that base name. */
  public static List<String> sampleNames(MetricName name, FamilyType type) {
    String base = name.base();
    return switch (type) {
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM ->
          List.of(base, base + "_bucket", base + "_count", base + "_sum");
      case SUMMARY -> List.of(base, base + "_count", base + "_sum");
      case COUNTER, GAUGE, UNKNOWN, INFO, STATESET -> List.of(name.sample());
    };
  }

  public static void appendComment(ByteArray out, String keyword, String familyName, String text) {
    out.append('#');
    out.append(' ');
    out.appendUtf8(keyword);
    out.append(' ');
    NameText.appendMetric(out, familyName);
    out.append(' ');
    out.appendUtf8(text);
    out.append('\n');
  }

  public static void appendHelp(ByteArray out, String familyName, String help, boolean quotes) {
    if (!help.isEmpty()) {
      out.append("# HELP ".getBytes(StandardCharsets.US_ASCII));
      NameText.appendMetric(out, familyName);
      out.append(' ');
      Escaping.appendHelp(out, help, quotes);
      out.append('\n');
    }
  }
}
