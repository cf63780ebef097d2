package dev.millrace.store.foreign;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of the two clients that write JSON.
 *
 * <pre>
 *   client_python           ["metric", "sample", {"label": "value"}, "help"]
 *   prometheus-client-mmap  ["metric", "sample", ["label"], ["value"]]
 * </pre>
 *
 * <p>One thread at a time.
 */
final class JsonKeys {
  /** What prometheus-client-mmap's own exporter gives for a help, which its files do not have. */
  private static final String MMAP_HELP = "Multiprocess metric";

  private static final byte[] LE = {'l', 'e'};
  private static final byte[] PID = {'p', 'i', 'd'};
  private static final int MAX_LABELS = 1024;

  private final JsonReader json = new JsonReader();
  private final Labels.Builder labels = new Labels.Builder();
  private final ByteArray metric = new ByteArray();
  private final ByteArray sample = new ByteArray();
  private final ByteArray text = new ByteArray();
  private final ByteArray names = new ByteArray();
  private int[] nameEnds = new int[8];
  private @Nullable String bound;

  /** The client that wrote a key; {@code null} where it is no key of either. */
  @Nullable ForeignClient clientOf(byte[] key, int lengthBytes) {
    try {
      beginLabels(key, lengthBytes);
      return switch (json.peek()) {
        case '{' -> ForeignClient.CLIENT_PYTHON;
        case '[' -> ForeignClient.PROMETHEUS_CLIENT_MMAP;
        default -> null;
      };
    } catch (JsonSyntaxException e) {
      return null;
    }
  }

  /** Reads a key of a file with that meaning. */
  SampleKey.Outcome read(byte[] key, int lengthBytes, Meaning meaning, SampleKey to) {
    try {
      beginLabels(key, lengthBytes);
      bound = null;
      labels.clear();
      if (meaning.client() == ForeignClient.CLIENT_PYTHON) {
        labelsOfPython(meaning);
        json.expect(',');
        text.clear();
        json.scalar(text);
        to.help = text(text);
      } else {
        labelsOfMmap(meaning);
        to.help = MMAP_HELP;
      }
      json.expect(']');
      json.expectEnd();
    } catch (JsonSyntaxException e) {
      return SampleKey.Outcome.DAMAGED;
    }
    String pid = meaning.pid();
    if (pid != null) {
      labels.put("pid", pid);
    }
    to.labels = labels.build();
    return part(meaning.type(), to);
  }

  private void beginLabels(byte[] key, int lengthBytes) throws JsonSyntaxException {
    json.begin(key, lengthBytes);
    json.expect('[');
    metric.clear();
    json.string(metric);
    json.expect(',');
    sample.clear();
    json.string(sample);
    json.expect(',');
  }

  private void labelsOfPython(Meaning meaning) throws JsonSyntaxException {
    json.expect('{');
    for (boolean more = !json.accept('}'); more; more = json.accept(',') || json.closed('}')) {
      names.clear();
      json.string(names);
      json.expect(':');
      label(names.bytes(), 0, names.lengthBytes(), meaning);
    }
  }

  private void labelsOfMmap(Meaning meaning) throws JsonSyntaxException {
    names.clear();
    int count = 0;
    json.expect('[');
    for (boolean more = !json.accept(']'); more; more = json.accept(',') || json.closed(']')) {
      if (count == MAX_LABELS) {
        throw new JsonSyntaxException("expected at most " + MAX_LABELS + " labels");
      }
      if (count == nameEnds.length) {
        nameEnds = Arrays.copyOf(nameEnds, 2 * count);
      }
      json.scalar(names);
      nameEnds[count++] = names.lengthBytes();
    }
    json.expect(',');
    json.expect('[');
    int found = 0;
    for (boolean more = !json.accept(']'); more; more = json.accept(',') || json.closed(']')) {
      if (found == count) {
        throw new JsonSyntaxException("expected as many values as labels, found more");
      }
      int start = found == 0 ? 0 : nameEnds[found - 1];
      label(names.bytes(), start, nameEnds[found] - start, meaning);
      found++;
    }
    if (found < count) {
      throw new JsonSyntaxException("expected as many values as labels, found fewer");
    }
  }

  /** Reads a label's value. */
  private void label(byte[] name, int offset, int lengthBytes, Meaning meaning)
      throws JsonSyntaxException {
    text.clear();
    json.scalar(text);
    if (meaning.type() == ForeignType.HISTOGRAM && is(LE, name, offset, lengthBytes)) {
      bound = text(text);
      return;
    }
    // client_python leaves the label out wherever it does not put the process there itself.
    if (meaning.client() == ForeignClient.CLIENT_PYTHON
        && meaning.type() == ForeignType.GAUGE
        && is(PID, name, offset, lengthBytes)) {
      return;
    }
    labels.beginValue(name, offset, lengthBytes).append(text.bytes(), 0, text.lengthBytes());
    labels.endValue(LabelType.STRING);
  }

  private static boolean is(byte[] wanted, byte[] name, int offset, int lengthBytes) {
    return Arrays.equals(wanted, 0, wanted.length, name, offset, offset + lengthBytes);
  }

  private static String text(ByteArray from) {
    return new String(from.bytes(), 0, from.lengthBytes(), StandardCharsets.UTF_8);
  }

  private SampleKey.Outcome part(ForeignType type, SampleKey to) {
    to.part = SampleKey.VALUE;
    if (type == ForeignType.COUNTER || type == ForeignType.GAUGE) {
      // The name of a counter's sample has the suffix _total, that of client_python's metric not.
      to.metric = text(sample);
      return SampleKey.Outcome.SAMPLE;
    }
    to.metric = text(metric);
    if (bound != null && hasSuffix("_bucket")) {
      to.part = SampleKey.BUCKET;
      to.bound = Bound.parse(bound);
      return Double.isNaN(to.bound) ? SampleKey.Outcome.MISFIT : SampleKey.Outcome.SAMPLE;
    }
    if (hasSuffix("_count")) {
      to.part = SampleKey.COUNT;
      return SampleKey.Outcome.SAMPLE;
    }
    return hasSuffix("_sum") ? SampleKey.Outcome.SAMPLE : SampleKey.Outcome.MISFIT;
  }

  /** Whether the sample's name is the metric's with a suffix. */
  private boolean hasSuffix(String suffix) {
    int start = metric.lengthBytes();
    if (sample.lengthBytes() != start + suffix.length()
        || !Arrays.equals(metric.bytes(), 0, start, sample.bytes(), 0, start)) {
      return false;
    }
    for (int i = 0; i < suffix.length(); i++) {
      if (sample.bytes()[start + i] != suffix.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
