package dev.millrace.store.foreign;

import dev.millrace.store.file.MergeMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One file of another client: where its values are, and what they were when they were read last.
 *
 * <pre>
 *   0   used      int    bytes in use, the header included
 *   4   nothing   int
 *   8   entries, each:
 *       length    int    of the key; client_ruby counts the padding, too
 *       key
 *       padding          spaces, up to a multiple of 8 from the entry's begin; 1 to 8 of them
 *       value     double
 *       time      double client_ruby, and client_python from 0.18 on
 * </pre>
 *
 * <p>Entries are only ever appended, and {@code used} is written after them. So a key is read once,
 * and from then on its value only; what lies past {@code used} is never looked at. A file that has
 * another first key than before, or fewer bytes in use, is another one, and read from its begin.
 *
 * <p>Nothing in a client_python file tells whether it has times. The place of the second entry
 * does: a key of theirs begins with {@code ["}, which neither a time nor what stands after 4 bytes
 * of key can pass for. A file with one entry is as long as it says. As long as neither is so, the
 * only value is read, which stands in the same place both ways.
 *
 * <p>One thread at a time.
 */
final class ForeignFile {
  static final int HEADER_BYTES = 8;
  private static final int FINGERPRINT_LONGS = 8;

  /** How keys in JSON begin, as the low bytes of an int. */
  private static final int KEY_BEGIN = '[' | '"' << 8;

  /**
   * The bits of four bytes that tell a key from the upper half of a time: the third byte of a key
   * is ASCII, and that of a time in seconds is not, from 1978 on.
   */
  private static final int NOT_OF_A_TIME = 0x0080_FFFF;

  /** Shorter than any key in JSON, {@code ["",""]}. */
  private static final int LEAST_JSON_KEY_BYTES = 7;

  private final String name;
  private final Object fileKey;
  private final FileChannel channel;
  private final ForeignBounds bounds;
  private final Meaning named;
  private final long[] fingerprint = new long[FINGERPRINT_LONGS];
  private Meaning meaning;
  private int slot = -1;
  private int fingerprintLongs;
  private int[] positions = new int[16];
  private double[] values = new double[16];
  private double[] times = {};
  private int count;
  private int end = HEADER_BYTES;
  private int valueBytes;
  private @Nullable Damage damage;
  private int lastUsed;
  private boolean told;
  private boolean toldOverBound;
  private boolean leftOut;

  /** What a read came to. */
  enum Result {
    /** The values are those of now. */
    READ,
    /** The file is another one than before: forget its parts, {@link #clear}, and read again. */
    CHANGED
  }

  /** What an entry joins. */
  interface Sink {
    /** Takes an entry's key. */
    Joined join(ForeignFile file, byte[] key, int lengthBytes, int entry);

    /** Counts an entry that is left out for its key's length. */
    void keyTooLong(ForeignFile file, int lengthBytes);

    /** Memory for a key. */
    byte[] keyBytes(int lengthBytes);

    /** The client that wrote a key, where only the key tells. */
    @Nullable ForeignClient clientOf(byte[] key, int lengthBytes);
  }

  /** What became of an entry. */
  enum Joined {
    /** It has a part in a series; its value is read from now on. */
    YES,
    /** It is left out. */
    LEFT_OUT,
    /** The file is damaged here. */
    DAMAGED
  }

  /**
   * A file.
   *
   * @param fileKey tells it from another file of the same name
   * @param channel open for reading; owned from here on
   * @param meaning what the name tells
   */
  ForeignFile(
      String name, Object fileKey, FileChannel channel, Meaning meaning, ForeignBounds bounds) {
    this.name = name;
    this.fileKey = fileKey;
    this.channel = channel;
    this.named = meaning;
    this.meaning = meaning;
    this.bounds = bounds;
    beginValues();
  }

  String name() {
    return name;
  }

  Object fileKey() {
    return fileKey;
  }

  Meaning meaning() {
    return meaning;
  }

  int slot() {
    return slot;
  }

  void setSlot(int slot) {
    this.slot = slot;
  }

  double value(int entry) {
    return values[entry];
  }

  /** When a value was set, on the writer's clock; only where the metrics are merged by it. */
  double time(int entry) {
    return times.length == 0 ? 0 : times[entry];
  }

  /** What is wrong; {@code null} where nothing is. */
  @Nullable Damage damage() {
    return damage;
  }

  /** Where the damage begins. */
  int damagedAt() {
    return end;
  }

  /** Whether a sample was left out that may find its place once others went. */
  boolean hasLeftOut() {
    return leftOut;
  }

  /** Tells once that the file has more bytes than are read. */
  boolean tellsOverBound() {
    boolean tells = lastUsed > bounds.maxFileBytes() && !toldOverBound;
    toldOverBound |= tells;
    return tells;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Tells once that the file is damaged. */
  boolean tellsDamage() {
    boolean tells = damage != null && !told;
    told |= tells;
    return tells;
  }

  /** Forgets all that was read. */
  void clear() {
    meaning = named;
    fingerprintLongs = 0;
    count = 0;
    end = HEADER_BYTES;
    damage = null;
    leftOut = false;
    beginValues();
  }

  private void beginValues() {
    boolean ruby = named.client() == ForeignClient.CLIENT_RUBY;
    boolean mmap = named.client() == ForeignClient.PROMETHEUS_CLIENT_MMAP;
    valueBytes = ruby || named.mode() == MergeMode.LATEST ? 16 : mmap ? 8 : 0;
  }

  /** Reads what is new, and the values. */
  Result read(Window window, Sink sink) throws IOException {
    window.reset();
    if (!window.has(channel, 0, HEADER_BYTES)) {
      return headerless(Damage.NO_HEADER);
    }
    int used = window.getInt(0);
    if (used < HEADER_BYTES) {
      return headerless(Damage.BAD_USED);
    }
    int limit = Math.min(used, bounds.maxFileBytes());
    boolean stuck = damage == Damage.NO_NEXT;
    if (limit < end || !isSameFile(window)) {
      return Result.CHANGED;
    }
    if (stuck && valueBytesAfter(end - Double.BYTES, limit, window) > 0) {
      return Result.CHANGED;
    }
    lastUsed = used;
    for (int i = 0; i < count; i++) {
      int at = positions[i];
      if (!window.has(channel, at, Math.max(valueBytes, Double.BYTES))) {
        return Result.CHANGED;
      }
      values[i] = window.getDouble(at);
      if (times.length > 0) {
        times[i] = window.getDouble((long) at + Double.BYTES);
      }
    }
    if (!stuck) {
      damage = parse(limit, window, sink);
      told &= damage != null;
    }
    return Result.READ;
  }

  private Result headerless(Damage found) {
    if (end > HEADER_BYTES) {
      return Result.CHANGED;
    }
    damage = found;
    return Result.READ;
  }

  private boolean isSameFile(Window window) throws IOException {
    if (fingerprintLongs == 0) {
      return true;
    }
    if (!window.has(channel, 0, HEADER_BYTES + fingerprintLongs * Long.BYTES)) {
      return false;
    }
    for (int i = 0; i < fingerprintLongs; i++) {
      if (window.getLong(HEADER_BYTES + (long) i * Long.BYTES) != fingerprint[i]) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Damage parse(int limit, Window window, Sink sink) throws IOException {
    while (end < limit) {
      Damage found = parseEntry(limit, window, sink);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable Damage parseEntry(int limit, Window window, Sink sink) throws IOException {
    int at = end;
    if (limit - at < Integer.BYTES || !window.has(channel, at, Integer.BYTES)) {
      return Damage.CUT;
    }
    int keyBytes = window.getInt(at);
    boolean ruby = meaning.client() == ForeignClient.CLIENT_RUBY;
    long padded = ruby ? keyBytes : padded(keyBytes);
    long least = padded + Integer.BYTES + Math.max(valueBytes, Double.BYTES);
    if (keyBytes <= 0
        || least > limit - at
        || (ruby && (keyBytes + Integer.BYTES) % Long.BYTES != 0)) {
      return Damage.BAD_LENGTH;
    }
    int valueAt = at + Integer.BYTES + (int) padded;
    if (padded > bounds.maxKeyBytes()) {
      leftOut = true;
      sink.keyTooLong(this, keyBytes);
      return pass(at, valueAt, limit, window);
    }
    byte[] key = sink.keyBytes((int) padded);
    if (!window.copy(channel, at + Integer.BYTES, key, (int) padded)) {
      return Damage.CUT;
    }
    if (!ruby && !isJsonKey(key, keyBytes, (int) padded)) {
      return Damage.BAD_KEY;
    }
    if (meaning.client() == ForeignClient.AUTO) {
      ForeignClient client = sink.clientOf(key, keyBytes);
      if (client == null) {
        return Damage.BAD_KEY;
      }
      meaning = meaning.of(client);
      valueBytes = client == ForeignClient.PROMETHEUS_CLIENT_MMAP ? 8 : valueBytes;
    }
    return take(key, keyBytes, at, valueAt, limit, window, sink);
  }

  private @Nullable Damage take(
      byte[] key, int keyBytes, int at, int valueAt, int limit, Window window, Sink sink)
      throws IOException {
    int width = valueBytes == 0 ? valueBytesAfter(valueAt, limit, window) : valueBytes;
    if (!window.has(channel, valueAt, Math.max(width, Double.BYTES))) {
      return Damage.CUT;
    }
    double value = window.getDouble(valueAt);
    boolean timed = meaning.mode() == MergeMode.LATEST && width == 16;
    double time = timed ? window.getDouble((long) valueAt + Double.BYTES) : 0;
    Joined joined = sink.join(this, key, keyBytes, count);
    if (joined == Joined.DAMAGED) {
      return Damage.BAD_KEY;
    }
    if (joined == Joined.YES) {
      add(valueAt, value, timed, time);
    }
    leftOut |= joined == Joined.LEFT_OUT;
    return pass(at, valueAt, limit, window);
  }

  /** Goes on behind an entry. */
  private @Nullable Damage pass(int at, int valueAt, int limit, Window window) throws IOException {
    if (at == HEADER_BYTES) {
      takeFingerprint(valueAt, window);
    }
    int width = valueBytes == 0 ? valueBytesAfter(valueAt, limit, window) : valueBytes;
    if (width == 0) {
      end = valueAt + Double.BYTES;
      return Damage.NO_NEXT;
    }
    valueBytes = width;
    end = valueAt + width;
    return null;
  }

  private static long padded(int keyBytes) {
    long keyEnd = (long) keyBytes + Integer.BYTES;
    return keyBytes + Long.BYTES - keyEnd % Long.BYTES;
  }

  private static boolean isJsonKey(byte[] key, int keyBytes, int padded) {
    if (keyBytes < LEAST_JSON_KEY_BYTES
        || key[0] != '['
        || key[1] != '"'
        || key[keyBytes - 1] != ']') {
      return false;
    }
    for (int i = keyBytes; i < padded; i++) {
      if (key[i] != ' ') {
        return false;
      }
    }
    return true;
  }

  /**
   * Finds out how many bytes a value of client_python has.
   *
   * @return 8, 16, or 0 where the file does not tell
   */
  private int valueBytesAfter(int valueAt, int limit, Window window) throws IOException {
    for (int width = 8; width <= 16; width += 8) {
      if (valueAt + width == limit || isEntry(valueAt + width, limit, window)) {
        return width;
      }
    }
    return 0;
  }

  private boolean isEntry(int at, int limit, Window window) throws IOException {
    if (limit - at < 3 * Long.BYTES || !window.has(channel, at, Long.BYTES)) {
      return false;
    }
    int keyBytes = window.getInt(at);
    if (keyBytes < LEAST_JSON_KEY_BYTES || padded(keyBytes) > limit - at - 12L) {
      return false;
    }
    int begin = window.getInt((long) at + Integer.BYTES);
    return (begin & NOT_OF_A_TIME) == KEY_BEGIN;
  }

  private void takeFingerprint(int valueAt, Window window) throws IOException {
    int longs = Math.min(FINGERPRINT_LONGS, (valueAt - HEADER_BYTES) / Long.BYTES);
    if (window.has(channel, HEADER_BYTES, longs * Long.BYTES)) {
      for (int i = 0; i < longs; i++) {
        fingerprint[i] = window.getLong(HEADER_BYTES + (long) i * Long.BYTES);
      }
      fingerprintLongs = longs;
    }
  }

  private void add(int position, double value, boolean timed, double time) {
    if (count == positions.length) {
      positions = Arrays.copyOf(positions, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    positions[count] = position;
    values[count] = value;
    if (timed) {
      if (times.length < values.length) {
        times = Arrays.copyOf(times, values.length);
      }
      times[count] = time;
    }
    count++;
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written, so nothing is lost.
    }
  }
}
