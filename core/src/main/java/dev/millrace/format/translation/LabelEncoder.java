package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.AttributeText;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.util.Arrays;

/**
 * Makes the block of labels of a series: <code>{a="b",c="d"} </code> with the space that follows,
 * or that space alone where there are no labels. Labels are sorted by name, so equal sets of labels
 * give equal bytes. Attributes and constant labels that come to one name become one label, their
 * values joined with {@code ;} in the order of their keys (OpenTelemetry specification, Prometheus
 * compatibility, "Metric Attributes"); promoted resource attributes give way to an attribute of the
 * point.
 *
 * <p>Not thread-safe; it keeps its memory between calls.
 */
public final class LabelEncoder {
  private static final byte[] NAME_END = {'=', '"'};

  private final LabelNames names;
  private final ByteArray block = new ByteArray();
  private final ByteArray text = new ByteArray();

  /** One entry for each label: constant labels first, attributes after them. */
  private byte[][] entryNames = new byte[16][];

  private int[] order = new int[16];
  private Labels labels = Labels.EMPTY;
  private ConstantLabels constants = ConstantLabels.NONE;
  private boolean ambiguous;
  private int reservedLabels;

  public LabelEncoder(LabelNames names) {
    this.names = names;
  }

  /**
   * Makes a block.
   *
   * @param reserved names that the format gives labels of its own on these lines; attributes of
   *     that name are left out
   */
  public void encode(Labels labels, ConstantLabels constants, byte[][] reserved) {
    this.labels = labels;
    this.constants = constants;
    ambiguous = false;
    reservedLabels = 0;
    block.clear();
    int entries = collect(reserved);
    sort(entries);
    if (constants.hasPromoted()) {
      entries = withoutReplaced(entries);
    }
    write(entries);
  }

  /** The block that was made; overwritten by the next. */
  public ByteArray block() {
    return block;
  }

  /**
   * Whether other attributes might give the same block, so that it has to be compared with those of
   * the metric's other series. Blocks of one metric for which this is false are different.
   */
  public boolean isAmbiguous() {
    return ambiguous;
  }

  /** How many attributes were left out because the format needs their names. */
  public int reservedLabels() {
    return reservedLabels;
  }

  private int collect(byte[][] reserved) {
    int constantCount = constants.size();
    int most = constantCount + labels.size();
    if (most > order.length) {
      order = new int[Math.max(most, 2 * order.length)];
      entryNames = new byte[order.length][];
    }
    int entries = 0;
    for (int i = 0; i < constantCount; i++) {
      entryNames[i] = constants.name(i);
      if (constants.isPromoted(i) && isReserved(entryNames[i], reserved)) {
        reservedLabels++;
      } else {
        order[entries++] = i;
      }
    }
    for (int i = 0; i < labels.size(); i++) {
      LabelNames.Name name = names.of(labels.bytes(), labels.keyStart(i), labels.keyEnd(i));
      if (isReserved(name.bytes(), reserved)) {
        reservedLabels++;
        ambiguous = true;
        continue;
      }
      ambiguous |= isAmbiguous(name, i);
      entryNames[constantCount + i] = name.bytes();
      order[entries++] = constantCount + i;
    }
    return entries;
  }

  private static boolean isReserved(byte[] name, byte[][] reserved) {
    for (byte[] other : reserved) {
      if (Arrays.equals(name, other)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAmbiguous(LabelNames.Name name, int label) {
    LabelType type = labels.type(label);
    if (!name.isUnambiguous(type)) {
      return true;
    }
    return switch (type) {
      case STRING, BYTES -> labels.valueStart(label) == labels.valueEnd(label);
      case BOOLEAN, LONG -> false;
      case DOUBLE -> Double.isNaN(labels.doubleValue(label));
      // Different messages may say the same, and an empty value is the same as no label.
      case ARRAY, MAP, EMPTY -> true;
    };
  }

  /** Shell's sort: no memory, quick on what is nearly sorted, and never quadratic in practice. */
  private void sort(int entries) {
    int gap = 1;
    while (gap < entries / 3) {
      gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
      for (int i = gap; i < entries; i++) {
        int entry = order[i];
        int at = i;
        while (at >= gap && compare(order[at - gap], entry) > 0) {
          order[at] = order[at - gap];
          at -= gap;
        }
        order[at] = entry;
      }
    }
  }

  private int compare(int a, int b) {
    int byName = Arrays.compareUnsigned(entryNames[a], entryNames[b]);
    if (byName != 0) {
      return byName;
    }
    int byKey =
        Arrays.compareUnsigned(
            keyBytes(a), keyStart(a), keyEnd(a), keyBytes(b), keyStart(b), keyEnd(b));
    return byKey != 0 ? byKey : Integer.compare(a, b);
  }

  private byte[] keyBytes(int entry) {
    return entry < constants.size() ? constants.key(entry) : labels.bytes();
  }

  private int keyStart(int entry) {
    return entry < constants.size() ? 0 : labels.keyStart(entry - constants.size());
  }

  private int keyEnd(int entry) {
    return entry < constants.size()
        ? constants.key(entry).length
        : labels.keyEnd(entry - constants.size());
  }

  /** Takes promoted attributes out whose names attributes of the point have. */
  private int withoutReplaced(int entries) {
    int kept = 0;
    int start = 0;
    while (start < entries) {
      byte[] name = entryNames[order[start]];
      int end = start;
      boolean replaced = false;
      while (end < entries && Arrays.equals(name, entryNames[order[end]])) {
        replaced |= order[end] >= constants.size();
        end++;
      }
      for (int i = start; i < end; i++) {
        int entry = order[i];
        boolean promoted = entry < constants.size() && constants.isPromoted(entry);
        if (!(promoted && replaced)) {
          order[kept++] = entry;
        }
      }
      start = end;
    }
    return kept;
  }

  private void write(int entries) {
    for (int i = 0; i < entries; i++) {
      byte[] name = entryNames[order[i]];
      if (i == 0 || !Arrays.equals(name, entryNames[order[i - 1]])) {
        if (i > 0) {
          block.append('"');
        }
        block.append(i == 0 ? '{' : ',');
        block.append(name);
        block.append(NAME_END);
      } else {
        ambiguous = true;
        if (!isEmptyConstant(order[i - 1])) {
          block.append(';');
        }
      }
      appendValue(order[i]);
    }
    if (entries > 0) {
      block.append('"');
      block.append('}');
    }
    block.append(' ');
  }

  /** Whether a label stands there only because the specification wants it to be there, empty. */
  private boolean isEmptyConstant(int entry) {
    return entry < constants.size() && constants.value(entry).length == 0;
  }

  private void appendValue(int entry) {
    if (entry < constants.size()) {
      byte[] value = constants.value(entry);
      // Constant labels are the same for all series of a metric; what they hold is not ambiguous.
      Escaping.appendLabelValue(block, value, 0, value.length);
      return;
    }
    int label = entry - constants.size();
    byte[] bytes = labels.bytes();
    int from = labels.valueStart(label);
    int to = labels.valueEnd(label);
    if (labels.type(label) != LabelType.STRING) {
      text.clear();
      AttributeText.append(labels, label, text);
      bytes = text.bytes();
      from = 0;
      to = text.lengthBytes();
    }
    ambiguous |= Escaping.appendLabelValue(block, bytes, from, to);
  }
}
