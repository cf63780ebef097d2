package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufWriter;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes items as an OTLP request, grouped by resource and then by scope, each in the order in
 * which it first came. Spans and log records lie in messages of the same shape:
 *
 * <pre>
 *   Request        1: repeated ResourceItems
 *   ResourceItems  1: Resource              2: repeated ScopeItems   3: string schema_url
 *   ScopeItems     1: InstrumentationScope  2: repeated item         3: string schema_url
 *   Resource       1: repeated KeyValue attributes
 *   InstrumentationScope
 *                  1: string name   2: string version   3: repeated KeyValue attributes
 * </pre>
 *
 * <p>Fields with default values are left out and the others stand in the order of their numbers, so
 * that protobuf's own libraries would write the same bytes.
 *
 * <p><b>Memory.</b> Resources and scopes are encoded once and kept in the encoder, as are the keys
 * of attributes, within fixed bounds. Nothing of an item is kept after {@link #encode}. In steady
 * state nothing is allocated but the payload object and an iterator.
 *
 * <p>Not thread-safe.
 *
 * @param <T> the kind of item
 */
abstract class ItemEncoder<T> implements AutoCloseable {
  static final int ITEM_FIELD = 2;

  /** What an item's {@code flags} have of the context's trace flags. */
  static final int TRACE_FLAGS_MASK = 0xff;

  private static final int IDS_BYTES = 2 + HexIds.TRACE_ID_BYTES + 2 + HexIds.SPAN_ID_BYTES;

  /**
   * How many scopes are kept between exports. An application has one for each instrumented library;
   * who has more than this encodes them again in each export.
   */
  static final int MAX_KEPT_SCOPES = 1024;

  /** Bounds what kept resources and scopes take, whatever attributes they have. */
  static final int MAX_KEPT_BYTES = 1 << 20;

  /** Items that the arrays of an encoder have room for between exports: 192 KiB of references. */
  static final int MAX_KEPT_ITEMS = 16_384;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int FIRST_ITEMS = 512;
  private static final int NONE = -1;

  private static final int RESOURCE_ITEMS_FIELD = 1;
  private static final int SCOPE_ITEMS_FIELD = 2;
  private static final int RESOURCE_FIELD = 1;
  private static final int SCOPE_FIELD = 1;
  private static final int SCHEMA_URL_FIELD = 3;
  private static final int RESOURCE_ATTRIBUTES_FIELD = 1;
  private static final int SCOPE_NAME_FIELD = 1;
  private static final int SCOPE_VERSION_FIELD = 2;
  private static final int SCOPE_ATTRIBUTES_FIELD = 3;

  final ProtobufWriter out;
  final AttributeWriter attributes;
  final HexIds hexIds = new HexIds();

  private final GroupTable<Resource, ResourceGroup> resources;
  private @Nullable Object[] items = new @Nullable Object[FIRST_ITEMS];
  private int[] next = new int[FIRST_ITEMS];
  private int itemCount;

  /** Whether the numbers below are the ids of the item before. */
  private boolean idsKnown;

  private long traceIdHigh;
  private long traceIdLow;
  private long spanIdBits;

  private int keptScopes;
  private int keptBytes;

  /** The items of a resource, by scopes. */
  private static final class ResourceGroup extends GroupTable.Group {
    final byte[] head;
    final byte[] tail;
    final GroupTable<InstrumentationScopeInfo, ScopeGroup> scopes;

    ResourceGroup(
        byte[] head, byte[] tail, GroupTable<InstrumentationScopeInfo, ScopeGroup> scopes) {
      this.head = head;
      this.tail = tail;
      this.scopes = scopes;
    }
  }

  /** The items of a scope, as a list through {@link #next}. */
  private static final class ScopeGroup extends GroupTable.Group {
    final byte[] head;
    final byte[] tail;
    int first = NONE;
    int last = NONE;

    ScopeGroup(byte[] head, byte[] tail) {
      this.head = head;
      this.tail = tail;
    }
  }

  ItemEncoder(ChunkPool pool) {
    out = new ProtobufWriter(pool);
    attributes = new AttributeWriter(out);
    resources = new GroupTable<>(this::resourceGroup);
  }

  /**
   * Encodes items.
   *
   * @return the request; the caller owns it
   */
  final Payload encode(Collection<? extends T> batch) {
    boolean encoded = false;
    try {
      group(batch);
      List<ResourceGroup> inUse = resources.inUse();
      for (int i = 0; i < inUse.size(); i++) {
        write(inUse.get(i));
      }
      encoded = true;
    } finally {
      release();
      if (!encoded) {
        out.close();
      }
    }
    return out.finish();
  }

  /** Lets go of all that is kept. The encoder can still be used. */
  @Override
  public final void close() {
    out.close();
    forgetGroups();
    attributes.clear();
    items = new @Nullable Object[FIRST_ITEMS];
    next = new int[FIRST_ITEMS];
  }

  abstract Resource resource(T item);

  abstract InstrumentationScopeInfo scope(T item);

  /**
   * Writes the content of an item's message.
   *
   * @param before the item written before, {@code null} where there is none
   */
  abstract void write(T item, @Nullable T before);

  /**
   * Writes both ids of an item's context, unless one is not valid; fields from 1 to 15.
   *
   * <p>Items of one trace, or of one span, often come one after the other, and the SDK hands the
   * text of an id on. So an id whose text is the same object as before is not read again. The text
   * of before is asked for again, as a context never changes, and not referred to from here:
   * storing references costs more than reading ids, and would keep them.
   *
   * @param before the context of the item before, {@code null} where there is none
   */
  @SuppressWarnings("ReferenceEquality") // An equal text that is another object is read again.
  final void ids(
      int traceIdField, int spanIdField, SpanContext context, @Nullable SpanContext before) {
    boolean known = idsKnown;
    idsKnown = false;
    String traceId = context.getTraceId();
    String spanId = context.getSpanId();
    if (!areIds(context, traceId, spanId)) {
      return;
    }
    if (before == null || !known || before.getTraceId() != traceId) {
      traceIdHigh = hexIds.read(traceId, 0);
      traceIdLow = hexIds.read(traceId, HexIds.DIGITS);
    }
    if (before == null || !known || before.getSpanId() != spanId) {
      spanIdBits = hexIds.read(spanId, 0);
    }
    idsKnown = true;
    ids(traceIdField, spanIdField, traceIdHigh, traceIdLow, spanIdBits);
  }

  /** Writes both ids of another context, unless one is not valid; fields from 1 to 15. */
  final void otherIds(int traceIdField, int spanIdField, SpanContext context) {
    String traceId = context.getTraceId();
    String spanId = context.getSpanId();
    if (areIds(context, traceId, spanId)) {
      long high = hexIds.read(traceId, 0);
      long low = hexIds.read(traceId, HexIds.DIGITS);
      ids(traceIdField, spanIdField, high, low, hexIds.read(spanId, 0));
    }
  }

  private static boolean areIds(SpanContext context, String traceId, String spanId) {
    return context.isValid() && HexIds.isTraceId(traceId) && HexIds.isSpanId(spanId);
  }

  private void ids(int traceIdField, int spanIdField, long high, long low, long spanId) {
    int at = out.reserve(IDS_BYTES);
    byte[] bytes = out.reservedBytes();
    bytes[at] = (byte) (traceIdField << 3 | 2);
    bytes[at + 1] = HexIds.TRACE_ID_BYTES;
    LONGS.set(bytes, at + 2, high);
    LONGS.set(bytes, at + 2 + Long.BYTES, low);
    out.advanceTo(spanId(spanIdField, spanId, bytes, at + 2 + HexIds.TRACE_ID_BYTES));
  }

  /** Puts the field of a span id, and gives the index after it. */
  static int spanId(int field, long spanId, byte[] bytes, int at) {
    bytes[at] = (byte) (field << 3 | 2);
    bytes[at + 1] = HexIds.SPAN_ID_BYTES;
    LONGS.set(bytes, at + 2, spanId);
    return at + 2 + HexIds.SPAN_ID_BYTES;
  }

  /** Writes how many of something were dropped, if any were. */
  final void dropped(int field, int count) {
    if (count > 0) {
      out.writeVarint(field, count);
    }
  }

  /** How many scopes are kept. */
  final int keptScopes() {
    return keptScopes;
  }

  private void group(Collection<? extends T> batch) {
    Resource lastResource = null;
    InstrumentationScopeInfo lastScope = null;
    ResourceGroup resourceGroup = null;
    ScopeGroup group = null;
    for (T item : batch) {
      Resource resource = resource(item);
      InstrumentationScopeInfo scope = scope(item);
      if (resourceGroup == null || resource != lastResource) {
        resourceGroup = resources.use(resource);
        lastResource = resource;
        group = null;
      }
      if (group == null || scope != lastScope) {
        group = resourceGroup.scopes.use(scope);
        lastScope = scope;
      }
      add(group, item);
    }
  }

  private void add(ScopeGroup group, T item) {
    int index = itemCount++;
    if (index == items.length) {
      items = Arrays.copyOf(items, 2 * index);
      next = Arrays.copyOf(next, 2 * index);
    }
    items[index] = item;
    next[index] = NONE;
    if (group.first == NONE) {
      group.first = index;
    } else {
      next[group.last] = index;
    }
    group.last = index;
  }

  private void write(ResourceGroup group) {
    out.begin(RESOURCE_ITEMS_FIELD);
    out.writeRaw(group.head, 0, group.head.length);
    List<ScopeGroup> inUse = group.scopes.inUse();
    for (int i = 0; i < inUse.size(); i++) {
      write(inUse.get(i));
    }
    out.writeRaw(group.tail, 0, group.tail.length);
    out.end();
  }

  @SuppressWarnings("unchecked") // Only items are stored.
  private void write(ScopeGroup group) {
    out.begin(SCOPE_ITEMS_FIELD);
    out.writeRaw(group.head, 0, group.head.length);
    T before = null;
    for (int index = group.first; index != NONE; index = next[index]) {
      T item = (T) items[index];
      out.begin(ITEM_FIELD);
      write(item, before);
      out.end();
      before = item;
    }
    out.writeRaw(group.tail, 0, group.tail.length);
    out.end();
  }

  private void release() {
    attributes.forgetValues();
    List<ResourceGroup> inUse = resources.inUse();
    for (int i = 0; i < inUse.size(); i++) {
      GroupTable<InstrumentationScopeInfo, ScopeGroup> scopes = inUse.get(i).scopes;
      for (int j = 0; j < scopes.inUse().size(); j++) {
        ScopeGroup group = scopes.inUse().get(j);
        group.first = NONE;
        group.last = NONE;
      }
      scopes.release();
    }
    resources.release();
    if (keptScopes > MAX_KEPT_SCOPES || keptBytes > MAX_KEPT_BYTES) {
      forgetGroups();
    }
    if (items.length > MAX_KEPT_ITEMS) {
      items = new @Nullable Object[FIRST_ITEMS];
      next = new int[FIRST_ITEMS];
    } else {
      Arrays.fill(items, 0, itemCount, null);
    }
    itemCount = 0;
  }

  private void forgetGroups() {
    resources.clear();
    keptScopes = 0;
    keptBytes = 0;
  }

  /** Made while items are grouped, when nothing of a request has been written. */
  private ResourceGroup resourceGroup(Resource resource) {
    out.begin(RESOURCE_FIELD);
    attributes.write(RESOURCE_ATTRIBUTES_FIELD, resource.getAttributes());
    out.end();
    byte[] head = bytes();
    keptScopes++;
    return new ResourceGroup(
        head, schemaUrl(resource.getSchemaUrl()), new GroupTable<>(this::scopeGroup));
  }

  private ScopeGroup scopeGroup(InstrumentationScopeInfo scope) {
    out.begin(SCOPE_FIELD);
    if (!scope.getName().isEmpty()) {
      out.writeUtf8(SCOPE_NAME_FIELD, scope.getName());
    }
    String version = scope.getVersion();
    if (version != null && !version.isEmpty()) {
      out.writeUtf8(SCOPE_VERSION_FIELD, version);
    }
    attributes.write(SCOPE_ATTRIBUTES_FIELD, scope.getAttributes());
    out.end();
    byte[] head = bytes();
    keptScopes++;
    return new ScopeGroup(head, schemaUrl(scope.getSchemaUrl()));
  }

  private byte[] schemaUrl(@Nullable String schemaUrl) {
    if (schemaUrl != null && !schemaUrl.isEmpty()) {
      out.writeUtf8(SCHEMA_URL_FIELD, schemaUrl);
    }
    return bytes();
  }

  private byte[] bytes() {
    try (Payload payload = out.finish()) {
      byte[] bytes = payload.toByteArray();
      keptBytes += bytes.length;
      return bytes;
    }
  }
}
