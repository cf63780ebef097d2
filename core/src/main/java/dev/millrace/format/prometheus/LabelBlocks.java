package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.ConstantLabels;
import dev.millrace.format.translation.LabelEncoder;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.Series;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds or makes the block of labels of one series at a time.
 *
 * <p>What a series keeps is the block and a trailer, which says whether the block is ambiguous and
 * which constant labels it was made with: a block made with others, because a resource has become
 * another one, is not used.
 *
 * <pre>
 *   | block ... | 8 bytes: fingerprint of the constant labels, lowest bit: ambiguous |
 * </pre>
 *
 * <p>Not thread-safe. Blocks that series keep are shared by all encoders of text, and by all of
 * protobuf, with the same {@link LabelNames}, which has the keys that they are kept under.
 */
final class LabelBlocks {
  private static final VarHandle TRAILER =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Object encoding;
  private final LabelEncoder encoder;
  private final @Nullable ProtobufLabels pairs;
  private byte[] bytes = {};
  private int lengthBytes;
  private boolean ambiguous;
  private long reservedLabels;

  private LabelBlocks(Object encoding, LabelNames names, @Nullable ProtobufLabels pairs) {
    this.encoding = encoding;
    this.encoder = new LabelEncoder(names);
    this.pairs = pairs;
  }

  /** Blocks as {@link LabelEncoder} makes them, for the text formats. */
  static LabelBlocks ofText(LabelNames names) {
    return new LabelBlocks(names, names, null);
  }

  /** Blocks as {@link ProtobufLabels} makes them. */
  static LabelBlocks ofProtobuf(LabelNames names) {
    return new LabelBlocks(names.protobufEncoding(), names, new ProtobufLabels());
  }

  /** Goes to the block of a series; the parameters are those of {@link LabelEncoder#encode}. */
  void load(
      Series series, ConstantLabels constants, byte[][] reserved, EncodedLabelsBudget budget) {
    byte[] kept = series.encodedLabels(encoding);
    if (kept != null) {
      int length = kept.length - Long.BYTES;
      long trailer = (long) TRAILER.get(kept, length);
      if ((trailer & ~1L) == constants.fingerprint()) {
        bytes = kept;
        lengthBytes = length;
        ambiguous = (trailer & 1) != 0;
        return;
      }
    }
    encode(series.labels(), constants, reserved);
    if (kept == null && Series.hasRoom(lengthBytes + Long.BYTES, budget)) {
      series.keepEncodedLabels(encoding, withTrailer(constants), budget);
    }
  }

  /** Goes to the block of labels that no series keeps. */
  void encode(Labels labels, ConstantLabels constants, byte[][] reserved) {
    encoder.encode(labels, constants, reserved);
    ByteArray block = encoder.block();
    if (pairs == null) {
      bytes = block.bytes();
      lengthBytes = block.lengthBytes();
    } else {
      pairs.encode(block.bytes(), block.lengthBytes());
      bytes = pairs.pairs().bytes();
      lengthBytes = pairs.pairs().lengthBytes();
    }
    ambiguous = encoder.isAmbiguous();
    reservedLabels += encoder.reservedLabels();
  }

  /** Holds the block in its first {@link #lengthBytes()} bytes, until the next block. */
  byte[] bytes() {
    return bytes;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /** As {@link LabelEncoder#isAmbiguous} says. */
  boolean isAmbiguous() {
    return ambiguous;
  }

  /** How many attributes were left out of the blocks that were made since this was last asked. */
  long takeReservedLabels() {
    long taken = reservedLabels;
    reservedLabels = 0;
    return taken;
  }

  private byte[] withTrailer(ConstantLabels constants) {
    byte[] kept = Arrays.copyOf(bytes, lengthBytes + Long.BYTES);
    TRAILER.set(kept, lengthBytes, constants.fingerprint() | (ambiguous ? 1 : 0));
    return kept;
  }
}
