package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.Series;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds or makes the block of labels of one series at a time.
 *
 * <p>What a series keeps is the block and a trailer, which says whether the block is ambiguous and
 * which constant labels it was made with: a block made with others, because a resource has become
 * another one, is not used.
 *
 * <pre>
 *   | block ... and its space | 8 bytes: fingerprint of the constant labels, lowest bit: ambiguous |
 * </pre>
 *
 * <p>Not thread-safe. Blocks that series keep are shared by all encoders with the same {@link
 * LabelNames}, which is the key that they are kept under.
 */
final class LabelBlocks {
  private static final VarHandle TRAILER =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final LabelNames names;
  private final LabelEncoder encoder;
  private byte[] bytes = {};
  private int lengthBytes;
  private boolean ambiguous;
  private long reservedLabels;

  LabelBlocks(LabelNames names) {
    this.names = names;
    this.encoder = new LabelEncoder(names);
  }

  /** Goes to the block of a series; the parameters are those of {@link LabelEncoder#encode}. */
  void load(
      Series series, ConstantLabels constants, byte[][] reserved, EncodedLabelsBudget budget) {
    byte[] kept = series.encodedLabels(names);
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
      series.keepEncodedLabels(names, withTrailer(constants), budget);
    }
  }

  /** Goes to the block of labels that no series keeps. */
  void encode(Labels labels, ConstantLabels constants, byte[][] reserved) {
    encoder.encode(labels, constants, reserved);
    ByteArray block = encoder.block();
    bytes = block.bytes();
    lengthBytes = block.lengthBytes();
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
