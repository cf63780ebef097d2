package dev.millrace.store.file;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The cells of one series, for its writer: where they are, and the atomic operations on them. All
 * methods are thread-safe and lock-free, allocate nothing and never fail.
 */
public final class Cells {
  private static final VarHandle LONGS = FileLayout.LONGS;

  private final ByteBuffer segment;
  private final int start;
  private final int exemplars;
  private final int exemplarSlots;

  /**
   * Cells in a segment.
   *
   * @param start offset of the first cell in the segment, a multiple of 8
   * @param cells how many cells there are before the exemplar slots
   * @param exemplarSlots how many slots follow
   */
  Cells(ByteBuffer segment, int start, int cells, int exemplarSlots) {
    this.segment = segment;
    this.start = start;
    this.exemplars = start + cells * Long.BYTES;
    this.exemplarSlots = exemplarSlots;
  }

  /** Adds to a long. */
  public void addLong(int cell, long amount) {
    // The result type is part of what a VarHandle compiles to; without it the call is a slow one.
    long unused = (long) LONGS.getAndAdd(segment, start + cell * Long.BYTES, amount);
  }

  /** Adds to a double. */
  public void addDouble(int cell, double amount) {
    int at = start + cell * Long.BYTES;
    long seen = (long) LONGS.getOpaque(segment, at);
    while (true) {
      long next = Double.doubleToRawLongBits(Double.longBitsToDouble(seen) + amount);
      long found = (long) LONGS.compareAndExchange(segment, at, seen, next);
      if (found == seen) {
        return;
      }
      seen = found;
    }
  }

  /** Reads a cell. */
  public long get(int cell) {
    return (long) LONGS.getAcquire(segment, start + cell * Long.BYTES);
  }

  /** Sets a cell. */
  public void set(int cell, long bits) {
    LONGS.setRelease(segment, start + cell * Long.BYTES, bits);
  }

  /** Sets a cell if it holds what is expected. */
  public boolean compareAndSet(int cell, long expected, long bits) {
    return LONGS.compareAndSet(segment, start + cell * Long.BYTES, expected, bits);
  }

  /** How many exemplar slots there are. */
  public int exemplarSlots() {
    return exemplarSlots;
  }

  /**
   * Puts an exemplar into a slot. Where another thread is writing the slot at this moment, its
   * exemplar stays and this one is dropped.
   *
   * @param value bits of a double
   */
  public void putExemplar(
      int slot, long value, long timeMillis, long traceHigh, long traceLow, long spanId) {
    int at = exemplars + slot * CellLayout.EXEMPLAR_CELLS * Long.BYTES;
    long turn = (long) LONGS.getAcquire(segment, at);
    if ((turn & 1) != 0 || !LONGS.compareAndSet(segment, at, turn, turn + 1)) {
      return;
    }
    VarHandle.releaseFence();
    long next = turn + 2;
    put(at, CellLayout.EXEMPLAR_VALUE, value);
    put(at, CellLayout.EXEMPLAR_TIME, timeMillis);
    put(at, CellLayout.TRACE_HIGH, traceHigh);
    put(at, CellLayout.TRACE_LOW, traceLow);
    put(at, CellLayout.SPAN, spanId);
    put(
        at,
        CellLayout.CHECK,
        CellLayout.check(next, value, timeMillis, traceHigh, traceLow, spanId));
    LONGS.setRelease(segment, at, next);
  }

  private void put(int at, int field, long value) {
    LONGS.setOpaque(segment, at + field * Long.BYTES, value);
  }
}
