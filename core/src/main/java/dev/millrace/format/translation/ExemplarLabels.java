package dev.millrace.format.translation;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.AttributeText;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The labels of one exemplar at a time: {@code trace_id} and {@code span_id} where the exemplar has
 * them, then its filtered attributes, sorted by name.
 *
 * <p>Attributes are named and joined as those of series are; one that is called like an id which
 * the exemplar has is left out. Where names and values together would have more than {@value
 * #MAX_CHARACTERS} characters, all attributes are left out, and never a part of them: which ones
 * would fit says nothing of which ones matter. Both ids alone have 63 characters. (OpenMetrics
 * 1.0.0, "Exemplars"; OpenTelemetry specification, Prometheus compatibility, "Exemplar
 * Conversion".)
 *
 * <p>Not thread-safe; it keeps its memory between exemplars.
 */
public final class ExemplarLabels {
  /** What OpenMetrics allows names and values together, in Unicode code points. */
  public static final int MAX_CHARACTERS = 128;

  /** The most bytes of UTF-8 that a code point has; more bytes are certainly too many. */
  private static final int MAX_BYTES = 4 * MAX_CHARACTERS;

  private static final byte[] TRACE_ID = "trace_id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SPAN_ID = "span_id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /**
   * Each label has a character at least, and so has each attribute that is joined to another's. Two
   * more than that are the ids.
   */
  private static final int MAX_LABELS = MAX_CHARACTERS + 2;

  private final LabelNames attributeNames;

  private final byte[][] names = new byte[MAX_LABELS][];
  private final int[] ends = new int[MAX_LABELS];
  private final ByteArray values = new ByteArray();
  private int size;
  private boolean attributesLeftOut;

  /** The attributes that become labels, by their names: a number in the exemplar's labels each. */
  private final int[] order = new int[MAX_CHARACTERS];

  private final byte[][] orderNames = new byte[MAX_CHARACTERS][];
  private int ordered;

  /**
   * Labels.
   *
   * @param attributeNames names the attributes; not that of the series, because the keys of
   *     exemplars must not make those of series ambiguous or crowd them out
   */
  public ExemplarLabels(LabelNames attributeNames) {
    this.attributeNames = attributeNames;
  }

  /** Goes to the labels of an exemplar of the point on which the cursor stands. */
  public void load(MetricCursor cursor, int exemplar) {
    size = 0;
    values.clear();
    attributesLeftOut = false;
    long high = cursor.exemplarTraceIdHigh(exemplar);
    long low = cursor.exemplarTraceIdLow(exemplar);
    boolean hasTrace = (high | low) != 0;
    if (hasTrace) {
      appendHex(high);
      appendHex(low);
      endLabel(TRACE_ID);
    }
    long span = cursor.exemplarSpanId(exemplar);
    if (span != 0) {
      appendHex(span);
      endLabel(SPAN_ID);
    }
    Labels attributes = cursor.exemplarLabels(exemplar);
    if (attributes.size() > 0) {
      loadAttributes(attributes, hasTrace, span != 0);
    }
  }

  /** How many labels there are. */
  public int size() {
    return size;
  }

  /** The name of a label, in quotes where it needs them; nobody may change it. */
  public byte[] name(int label) {
    return names[label];
  }

  /** Holds the value of a label between two offsets: text, not escaped, and perhaps not UTF-8. */
  public byte[] valueBytes() {
    return values.bytes();
  }

  /** Where the value of a label begins. */
  public int valueStart(int label) {
    return label == 0 ? 0 : ends[label - 1];
  }

  /** Where the value of a label ends. */
  public int valueEnd(int label) {
    return ends[label];
  }

  /** Whether the exemplar has attributes that are left out because they are too long. */
  public boolean attributesLeftOut() {
    return attributesLeftOut;
  }

  private void loadAttributes(Labels attributes, boolean hasTrace, boolean hasSpan) {
    int ids = size;
    int idBytes = values.lengthBytes();
    if (!order(attributes, hasTrace, hasSpan) || !appendAttributes(attributes)) {
      size = ids;
      values.truncate(idBytes);
      attributesLeftOut = true;
    }
  }

  /** Finds the names and sorts the attributes by them; {@code false} where there are too many. */
  private boolean order(Labels attributes, boolean hasTrace, boolean hasSpan) {
    ordered = 0;
    for (int i = 0; i < attributes.size(); i++) {
      byte[] name =
          attributeNames
              .of(attributes.bytes(), attributes.keyStart(i), attributes.keyEnd(i))
              .bytes();
      if ((hasTrace && Arrays.equals(name, TRACE_ID))
          || (hasSpan && Arrays.equals(name, SPAN_ID))) {
        continue;
      }
      if (ordered == MAX_CHARACTERS) {
        return false;
      }
      // Attributes come in the order of their keys, which equal names keep.
      int at = ordered++;
      while (at > 0 && Arrays.compareUnsigned(orderNames[at - 1], name) > 0) {
        orderNames[at] = orderNames[at - 1];
        order[at] = order[at - 1];
        at--;
      }
      orderNames[at] = name;
      order[at] = i;
    }
    return true;
  }

  private boolean appendAttributes(Labels attributes) {
    int left = MAX_CHARACTERS;
    for (int i = 0; i < size; i++) {
      left -= names[i].length + valueEnd(i) - valueStart(i);
    }
    for (int i = 0; i < ordered; i++) {
      byte[] name = orderNames[i];
      int start = values.lengthBytes();
      boolean joined = i > 0 && Arrays.equals(name, orderNames[i - 1]);
      if (joined) {
        values.append(';');
      } else {
        left -= characters(name);
      }
      if (!appendValue(attributes, order[i])) {
        return false;
      }
      left -= Escaping.codePoints(values.bytes(), start, values.lengthBytes());
      if (left < 0) {
        return false;
      }
      if (joined) {
        ends[size - 1] = values.lengthBytes();
      } else {
        endLabel(name);
      }
    }
    return true;
  }

  /** How long a name is, without the quotes and escapes that it may be written with. */
  private static int characters(byte[] name) {
    int count = Escaping.codePoints(name, 0, name.length);
    if (name[0] == '"') {
      count -= 2;
      for (int i = 1; i < name.length - 1; i++) {
        if (name[i] == '\\') {
          count--;
          i++;
        }
      }
    }
    return count;
  }

  /** Appends the text of an attribute; {@code false} where it is certainly too long. */
  private boolean appendValue(Labels attributes, int attribute) {
    LabelType type = attributes.type(attribute);
    int length = attributes.valueEnd(attribute) - attributes.valueStart(attribute);
    if (length > MAX_BYTES && (type == LabelType.STRING || type == LabelType.BYTES)) {
      return false;
    }
    AttributeText.append(attributes, attribute, values);
    return true;
  }

  private void endLabel(byte[] name) {
    names[size] = name;
    ends[size++] = values.lengthBytes();
  }

  private void appendHex(long bits) {
    values.reserve(Long.BYTES * 2);
    byte[] target = values.bytes();
    int at = values.lengthBytes();
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      target[at++] = HEX[(int) (bits >>> shift) & 0xf];
    }
    values.advanceTo(at);
  }
}
