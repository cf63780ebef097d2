package dev.millrace.format.translation;

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
 * <p>The first key that became a name is its <em>primary</em> key. As long as a metric's series
 * have primary keys only, different keys have different names.
 *
 * <p>Thread-safe and lock-free; shared by the encoders that share encoded labels. Looking up a key
 * that is known allocates nothing.
 */
public final class LabelNames {
  /**
   * How many keys are remembered. An application has tens; more than thousands are data in the
   * place of keys, which must not fill the memory.
   */
  public static final int MAX_KEYS = 4096;

  /** A power of two; with all keys in, four or so share a bucket. */
  private static final int BUCKETS = 1024;

  /** What all labels of scopes begin with, by all strategies and escaping schemes. */
  private static final byte[][] SCOPE_PREFIXES = {
    ascii("otel_scope_"), ascii("\"otel_scope_"), ascii("otel__scope__"), ascii("U__otel__scope__")
  };

  private static final byte[] JOB = ascii("job");
  private static final byte[] INSTANCE = ascii("instance");

  private final AtomicReferenceArray<@Nullable Name> byKey = new AtomicReferenceArray<>(BUCKETS);
  private final AtomicReferenceArray<@Nullable Claim> claims = new AtomicReferenceArray<>(BUCKETS);
  private final AtomicInteger count = new AtomicInteger();
  private final Naming naming;
  private final TranslationOptions options;
  private final Object protobufEncoding = new Object();

  public LabelNames(Naming naming, TranslationOptions options) {
    this.naming = naming;
    this.options = options;
  }

  /** The key that series keep their labels under in protobuf; in text it is this object. */
  public Object protobufEncoding() {
    return protobufEncoding;
  }

  /** The name of one key. Immutable, but for the type that is claimed once. */
  public static final class Name {
    private final byte[] key;
    private final byte[] bytes;
    private final boolean exclusive;
    private final boolean safe;
    private final @Nullable Name next;
    private final AtomicReference<@Nullable LabelType> type = new AtomicReference<>();

    Name(byte[] key, byte[] bytes, boolean exclusive, boolean safe, @Nullable Name next) {
      this.key = key;
      this.bytes = bytes;
      this.exclusive = exclusive;
      this.safe = safe;
      this.next = next;
    }

    /** The name, in quotes where it needs them; nobody may change it. */
    public byte[] bytes() {
      return bytes;
    }

    /** Whether the key is the name's primary key and no label of the exporter's own has it. */
    public boolean isExclusive() {
      return exclusive;
    }

    /**
     * Whether a value of that type under this name can only come from this key with this type: the
     * key is the name's primary key, no label of the exporter's own and no promoted resource
     * attribute has the name, and all values so far had the type.
     */
    public boolean isUnambiguous(LabelType valueType) {
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

  /** How the names are made. */
  public Naming naming() {
    return naming;
  }

  /** The name of the key that lies in {@code bytes} between two offsets. */
  public Name of(byte[] bytes, int from, int to) {
    int bucket = bucket(bytes, from, to);
    Name head = byKey.get(bucket);
    Name known = find(head, bytes, from, to);
    return known != null ? known : make(bucket, Arrays.copyOfRange(bytes, from, to));
  }

  private Name make(int bucket, byte[] key) {
    byte[] name = NameText.label(naming.label(key));
    if (count.get() >= MAX_KEYS) {
      return new Name(key, name, false, false, null);
    }
    boolean exclusive = isPrimary(name, key) && !isOwn(name) && !Escaping.hasReplacement(key);
    boolean safe = exclusive && !isPromoted(key);
    while (true) {
      Name head = byKey.get(bucket);
      Name known = find(head, key, 0, key.length);
      if (known != null) {
        return known;
      }
      Name made = new Name(key, name, exclusive, safe, head);
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

  /** Whether the exporter itself may write a label of that name. */
  private boolean isOwn(byte[] name) {
    boolean target = Arrays.equals(name, JOB) || Arrays.equals(name, INSTANCE);
    boolean scope = false;
    for (byte[] prefix : SCOPE_PREFIXES) {
      int length = prefix.length;
      scope |= name.length >= length && Arrays.equals(name, 0, length, prefix, 0, length);
    }
    return (target && options.targetLabels()) || (scope && options.scopeLabels());
  }

  private boolean isPromoted(byte[] key) {
    return options.promotesResourceAttribute(new String(key, StandardCharsets.UTF_8));
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

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
