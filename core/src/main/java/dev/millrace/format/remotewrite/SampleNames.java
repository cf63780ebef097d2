package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names of a family's samples as they are written, and what is known of the family. Belongs to
 * one encoder, whose metrics of that family share it.
 */
final class SampleNames {
  /** Which sample of a family: that of a value, a quantile, or a native histogram. */
  static final int VALUE = 0;

  static final int BUCKET = 1;
  static final int SUM = 2;
  static final int COUNT = 3;

  private static final int HELP = 4;
  private static final int UNIT = 5;
  private static final int TEXTS = 6;

  /** Tags, lengths and references of the name and an extra label, and the names of both labels. */
  private static final int OVERHEAD_BYTES = 64;

  /** The metadata was not sent yet, whatever the time. */
  static final long NEVER = Long.MIN_VALUE;

  final byte[] familyName;

  /** The number that metadata gives the type. */
  final int type;

  /** When the metadata of the family has to be sent again, or {@link #NEVER} sent. */
  long metadataDueUnixMillis = NEVER;

  /** How many metrics use this. */
  int users;

  private final byte[][] texts;
  private final byte[][] pairs = new byte[COUNT + 1][];
  private final int[] maxBytes = new int[COUNT + 1];
  private final Symbol[] @Nullable [] symbols;

  /**
   * Names.
   *
   * @param familyName as metadata has it
   * @param shards how many shards there are
   */
  SampleNames(MetricName name, String familyName, FamilyType type, String help, int shards) {
    this.familyName = utf8(familyName);
    this.type = number(type);
    String base = name.base();
    texts =
        new byte[][] {
          utf8(name.sample()),
          utf8(base + "_bucket"),
          utf8(base + "_sum"),
          utf8(base + "_count"),
          utf8(help),
          utf8(name.unit())
        };
    for (int i = 0; i <= COUNT; i++) {
      ByteArray pair = new ByteArray();
      byte[] label = LabelList.METRIC_NAME;
      LabelList.appendPair(pair, label, 0, label.length, texts[i], 0, texts[i].length);
      pairs[i] = pair.toByteArray();
      // Twice the name, because a 1.0 request may have to say what family it belongs to.
      maxBytes[i] = 2 * texts[i].length + help().length + unit().length + OVERHEAD_BYTES;
    }
    symbols = new Symbol[shards] @Nullable [];
  }

  private static int number(FamilyType type) {
    return switch (type) {
      case COUNTER -> WriteSchema.TYPE_COUNTER;
      case GAUGE -> WriteSchema.TYPE_GAUGE;
      case UNKNOWN -> WriteSchema.TYPE_UNKNOWN;
      case INFO -> WriteSchema.TYPE_INFO;
      case STATESET -> WriteSchema.TYPE_STATESET;
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM -> WriteSchema.TYPE_HISTOGRAM;
      case SUMMARY -> WriteSchema.TYPE_SUMMARY;
    };
  }

  /**
   * The most bytes that a sample's name takes in a request, with the metadata, the tags and lengths
   * of all that, and the name of a label that tells the series of a point apart.
   */
  int maxBytes(int part) {
    return maxBytes[part];
  }

  /** The name of a sample; nobody may change it. */
  byte[] text(int part) {
    return texts[part];
  }

  /** The label with the name of a sample as a field of a 1.0 {@code TimeSeries}. */
  byte[] pair(int part) {
    return pairs[part];
  }

  byte[] help() {
    return texts[HELP];
  }

  byte[] unit() {
    return texts[UNIT];
  }

  /** The name of a sample in the open request of a shard. */
  int ref(int part, int shard, SymbolTable table) {
    return table.ref(symbols(shard, table)[part]);
  }

  /** The name of a sample as a string of a shard's requests. */
  Symbol symbol(int part, int shard, SymbolTable table) {
    return symbols(shard, table)[part];
  }

  int helpRef(int shard, SymbolTable table) {
    return texts[HELP].length == 0 ? 0 : table.ref(symbols(shard, table)[HELP]);
  }

  int unitRef(int shard, SymbolTable table) {
    return texts[UNIT].length == 0 ? 0 : table.ref(symbols(shard, table)[UNIT]);
  }

  /** Forgets what is kept for 2.0 requests. */
  void releaseSymbols(SymbolTable[] tables) {
    for (int shard = 0; shard < symbols.length; shard++) {
      Symbol[] ofShard = symbols[shard];
      symbols[shard] = null;
      for (int i = 0; ofShard != null && i < ofShard.length; i++) {
        tables[shard].release(ofShard[i]);
      }
    }
  }

  /** Whether these are the same names with the same metadata. */
  boolean isLike(SampleNames other) {
    return type == other.type
        && Arrays.equals(familyName, other.familyName)
        && Arrays.deepEquals(texts, other.texts);
  }

  private Symbol[] symbols(int shard, SymbolTable table) {
    Symbol[] known = symbols[shard];
    if (known == null) {
      known = new Symbol[TEXTS];
      for (int i = 0; i < TEXTS; i++) {
        known[i] = table.acquire(texts[i], 0, texts[i].length);
      }
      symbols[shard] = known;
    }
    return known;
  }

  private static byte[] utf8(String text) {
    ByteArray bytes = new ByteArray();
    bytes.appendUtf8(text);
    return bytes.toByteArray();
  }
}
