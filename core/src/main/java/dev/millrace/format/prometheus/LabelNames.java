package dev.millrace.format.prometheus;

import dev.millrace.model.LabelType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The Prometheus names of attribute keys, each made once, and what is needed to know where two
 * different sets of attributes may have become one set of labels.
 *
 * <p>A name is valid whatever the key: what may not stand in it becomes {@code _}, runs of it
 * become one, and {@code key_} or {@code key} comes before a digit, before a key that begins with
 * {@code __} (such names mean something to Prometheus itself) and before a key with nothing usable.
 *
 * <p>The first key that became a name is its <em>primary</em> key. As long as a metric's series
 * have primary keys only, different keys have different names.
 *
 * <p>Thread-safe and lock-free; shared by the encoders that share encoded labels. Looking up a key
 * that is known allocates nothing.
 */
final class LabelNames {
  /**
   * How many keys are remembered. An application has tens; more than thousands are data in the
   * place of keys, which must not fill the memory.
   */
  static final int MAX_KEYS = 4096;

  /** A power of two; with all keys in, four or so share a bucket. */
  private static final int BUCKETS = 1024;

  private static final byte[] KEY = ascii("key");
  private static final byte[] SCOPE_PREFIX = ascii("otel_scope_");
  private static final byte[] JOB = ascii("job");
  private static final byte[] INSTANCE = ascii("instance");

  private final AtomicReferenceArray<@Nullable Name> byKey = new AtomicReferenceArray<>(BUCKETS);
  private final AtomicReferenceArray<@Nullable Claim> claims = new AtomicReferenceArray<>(BUCKETS);
  private final AtomicInteger count = new AtomicInteger();
  private final PrometheusOptions options;

  LabelNames(PrometheusOptions options) {
    this.options = options;
  }

  /** The name of one key. Immutable, but for the type that is claimed once. */
  static final class Name {
    private final byte[] key;
    private final byte[] bytes;
    private final boolean safe;
    private final @Nullable Name next;
    private final AtomicReference<@Nullable LabelType> type = new AtomicReference<>();

    Name(byte[] key, byte[] bytes, boolean safe, @Nullable Name next) {
      this.key = key;
      this.bytes = bytes;
      this.safe = safe;
      this.next = next;
    }

    /** The name; nobody may change it. */
    byte[] bytes() {
      return bytes;
    }

    /**
     * Whether a value of that type under this name can only come from this key with this type: the
     * key is the name's primary key, no label of the exporter's own has the name, and all values so
     * far had the type.
     */
    boolean isUnambiguous(LabelType valueType) {
      if (!safe) {
        return false;
      }
      LabelType first = type.get();
      return first == valueType
          || (first == null && (type.compareAndSet(null, valueType) || type.get() == valueType));
    }

    boolean isOf(byte[] bytes, int from, int to) {
      return Arrays.equals(key, 0, key.length, bytes, from, to);
    }
  }

  /** Says which key is the primary key of a name. */
  private static final class Claim {
    final byte[] name;
    final byte[] key;
    final @Nullable Claim next;

    Claim(byte[] name, byte[] key, @Nullable Claim next) {
      this.name = name;
      this.key = key;
      this.next = next;
    }
  }

  /** The name of the key that lies in {@code bytes} between two offsets. */
  Name of(byte[] bytes, int from, int to) {
    int bucket = bucket(bytes, from, to);
    Name head = byKey.get(bucket);
    Name known = find(head, bytes, from, to);
    return known != null ? known : make(bucket, Arrays.copyOfRange(bytes, from, to));
  }

  private Name make(int bucket, byte[] key) {
    byte[] name = translate(key);
    if (count.get() >= MAX_KEYS) {
      return new Name(key, name, false, null);
    }
    boolean safe = isPrimary(name, key) && !isOwn(name);
    while (true) {
      Name head = byKey.get(bucket);
      Name known = find(head, key, 0, key.length);
      if (known != null) {
        return known;
      }
      Name made = new Name(key, name, safe, head);
      if (byKey.compareAndSet(bucket, head, made)) {
        count.incrementAndGet();
        return made;
      }
    }
  }

  private boolean isPrimary(byte[] name, byte[] key) {
    int bucket = bucket(name, 0, name.length);
    while (true) {
      Claim head = claims.get(bucket);
      for (Claim claim = head; claim != null; claim = claim.next) {
        if (Arrays.equals(claim.name, name)) {
          return Arrays.equals(claim.key, key);
        }
      }
      if (claims.compareAndSet(bucket, head, new Claim(name, key, head))) {
        return true;
      }
    }
  }

  /** The name of a key given as bytes of UTF-8, valid or not. */
  static byte[] translate(byte[] key) {
    byte[] name = new byte[key.length + KEY.length + 1];
    // Room for a prefix, which is only known to be needed when the rest is there.
    int start = KEY.length + 1;
    int at = start;
    boolean usable = false;
    for (byte b : key) {
      if (isLetterOrDigit(b)) {
        name[at++] = b;
        usable = true;
      } else if (at == start || name[at - 1] != '_') {
        name[at++] = '_';
      }
    }
    if (at > start && isDigit(name[start])) {
      name[--start] = '_';
      start = prefix(name, start);
    } else if (!usable || (key[0] == '_' && key[1] == '_')) {
      start = prefix(name, start);
    }
    return Arrays.copyOfRange(name, start, at);
  }

  private static int prefix(byte[] name, int start) {
    System.arraycopy(KEY, 0, name, start - KEY.length, KEY.length);
    return start - KEY.length;
  }

  /** Whether the exporter itself may write a label of that name. */
  private boolean isOwn(byte[] name) {
    boolean target = Arrays.equals(name, JOB) || Arrays.equals(name, INSTANCE);
    int prefix = SCOPE_PREFIX.length;
    boolean scope =
        name.length >= prefix && Arrays.equals(name, 0, prefix, SCOPE_PREFIX, 0, prefix);
    return (target && options.targetLabels()) || (scope && options.scopeLabels());
  }

  private static @Nullable Name find(@Nullable Name head, byte[] bytes, int from, int to) {
    for (Name name = head; name != null; name = name.next) {
      if (name.isOf(bytes, from, to)) {
        return name;
      }
    }
    return null;
  }

  private static int bucket(byte[] bytes, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    return (hash ^ hash >>> 16) & (BUCKETS - 1);
  }

  private static boolean isLetterOrDigit(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || isDigit(b);
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
