package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.format.translation.KeyedHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The strings of one shard's 2.0 requests. What series use stays here as long as one of them does,
 * so that the number which a string has in the open request is found without a look at its bytes;
 * what only the open request uses goes when it ends.
 *
 * <p>Numbers are given, and strings written, in the order of their first use in a request. Number 0
 * is the empty string ("Symbols"). Not thread-safe; it keeps its memory, of which it gives back
 * what it does not need for long.
 */
final class SymbolTable {
  private static final int FIRST_SLOTS = 256;

  /** An odd constant with about as many ones as zeros, as multiplicative hashes need it. */
  private static final long PATH_MULTIPLIER = 0x9e3779b97f4a7c15L;

  /** So many symbols that one request alone used wait to be used again: exemplars have such. */
  private static final int MAX_SPARE = 4096;

  /** A longer array is not kept for another string. */
  private static final int MAX_SPARE_BYTES = 256;

  private final ProtobufWriter out;
  private final KeyedHash hash = KeyedHash.withRandomKeys();
  private @Nullable Symbol[] slots = new @Nullable Symbol[FIRST_SLOTS];
  private int size;

  /** Symbols without users when they were looked at last; in no order. */
  private @Nullable Symbol[] pending = new @Nullable Symbol[16];

  private int pendingCount;
  private @Nullable Symbol[] spare = new @Nullable Symbol[16];
  private int spareCount;
  private int generation = 1;
  private long lastId;
  private long path;
  private int next;

  /**
   * An empty table.
   *
   * @param out takes the strings of the open request
   */
  SymbolTable(ProtobufWriter out) {
    this.out = out;
  }

  /** How many strings there are. */
  int size() {
    return size;
  }

  /** The string for one more user, who gives it back by {@link #release}. */
  Symbol acquire(byte[] bytes, int offset, int lengthBytes) {
    hash.of(bytes, offset, lengthBytes);
    int key = (int) hash.first();
    int slot = slot(key, bytes, offset, lengthBytes);
    Symbol known = slots[slot];
    if (known == null) {
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + lengthBytes);
      known = new Symbol(copy, lengthBytes, key, ++lastId);
      add(slot, known);
    }
    known.users++;
    return known;
  }

  /** Ends the use of a string. */
  void release(Symbol symbol) {
    symbol.users--;
    // It may be in the open request, where it must not stand a second time.
    if (symbol.users == 0) {
      await(symbol);
    }
  }

  /** The number of a string in the open request. */
  int ref(Symbol symbol) {
    return symbol.generation == generation ? symbol.ref : assign(symbol);
  }

  /** The number of a string that this request needs, and perhaps no other one. */
  int ref(byte[] bytes, int offset, int lengthBytes) {
    if (lengthBytes == 0) {
      return 0;
    }
    hash.of(bytes, offset, lengthBytes);
    int key = (int) hash.first();
    int slot = slot(key, bytes, offset, lengthBytes);
    Symbol known = slots[slot];
    if (known == null) {
      known = spareSymbol(bytes, offset, lengthBytes, key);
      add(slot, known);
      await(known);
    }
    return ref(known);
  }

  /**
   * Stands for all strings that have a number in the open request, in their order: where it is the
   * same, all of them have the same numbers, with overwhelming probability.
   */
  long path() {
    return path;
  }

  /** How many strings have a number in the open request, the empty one aside. */
  int assigned() {
    return Math.max(0, next - 1);
  }

  /** Ends the open request. */
  void endRequest() {
    generation++;
    next = 0;
    path = 0;
    for (int i = 0; i < pendingCount; i++) {
      Symbol symbol = pending[i];
      pending[i] = null;
      if (symbol != null) {
        symbol.pending = false;
        if (symbol.users == 0) {
          remove(symbol);
          keepSpare(symbol);
        }
      }
    }
    pendingCount = 0;
    if (slots.length > FIRST_SLOTS && size < slots.length / 8) {
      rehash(slots.length / 2);
    }
  }

  private int assign(Symbol symbol) {
    if (next == 0) {
      out.writeLength(WriteSchema.V2_SYMBOLS, 0);
      next = 1;
    }
    symbol.generation = generation;
    path = (path + symbol.id) * PATH_MULTIPLIER;
    path ^= path >>> 32;
    symbol.ref = symbol.lengthBytes == 0 ? 0 : next++;
    if (symbol.lengthBytes > 0) {
      out.writeBytes(WriteSchema.V2_SYMBOLS, symbol.bytes, 0, symbol.lengthBytes);
    }
    return symbol.ref;
  }

  private void await(Symbol symbol) {
    if (symbol.pending) {
      return;
    }
    symbol.pending = true;
    if (pendingCount == pending.length) {
      pending = Arrays.copyOf(pending, 2 * pending.length);
    }
    pending[pendingCount++] = symbol;
  }

  private Symbol spareSymbol(byte[] bytes, int offset, int lengthBytes, int key) {
    Symbol symbol = spareCount == 0 ? null : spare[--spareCount];
    if (symbol == null) {
      symbol = new Symbol(new byte[lengthBytes], 0, key, 0);
    } else if (symbol.bytes.length < lengthBytes) {
      symbol.bytes = new byte[lengthBytes];
    }
    System.arraycopy(bytes, offset, symbol.bytes, 0, lengthBytes);
    symbol.lengthBytes = lengthBytes;
    symbol.hash = key;
    symbol.generation = 0;
    symbol.id = ++lastId;
    return symbol;
  }

  private void keepSpare(Symbol symbol) {
    if (spareCount == MAX_SPARE || symbol.bytes.length > MAX_SPARE_BYTES) {
      return;
    }
    if (spareCount == spare.length) {
      spare = Arrays.copyOf(spare, 2 * spare.length);
    }
    spare[spareCount++] = symbol;
  }

  /** Where a string is, or where it would be put. */
  private int slot(int key, byte[] bytes, int offset, int lengthBytes) {
    int mask = slots.length - 1;
    int slot = key & mask;
    while (true) {
      Symbol symbol = slots[slot];
      if (symbol == null || (symbol.hash == key && symbol.is(bytes, offset, lengthBytes))) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  private void add(int slot, Symbol symbol) {
    slots[slot] = symbol;
    size++;
    if (2 * size > slots.length) {
      rehash(2 * slots.length);
    }
  }

  private void remove(Symbol symbol) {
    int mask = slots.length - 1;
    int slot = symbol.hash & mask;
    while (slots[slot] != symbol) {
      slot = (slot + 1) & mask;
    }
    int hole = slot;
    while (true) {
      slot = (slot + 1) & mask;
      Symbol follower = slots[slot];
      if (follower == null) {
        break;
      }
      // It may move back only if that does not take it before the slot that it belongs in.
      if (((slot - (follower.hash & mask)) & mask) >= ((slot - hole) & mask)) {
        slots[hole] = follower;
        hole = slot;
      }
    }
    slots[hole] = null;
    size--;
  }

  private void rehash(int length) {
    @Nullable Symbol[] old = slots;
    slots = new @Nullable Symbol[length];
    int mask = length - 1;
    for (Symbol symbol : old) {
      if (symbol != null) {
        int slot = symbol.hash & mask;
        while (slots[slot] != null) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = symbol;
      }
    }
  }
}
