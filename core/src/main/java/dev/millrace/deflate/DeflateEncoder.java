package dev.millrace.deflate;

import dev.millrace.bytes.ChunkWriter;

/**
 * Encodes a stream of bytes as deflate blocks, RFC 1951.
 *
 * <p>Input gathers in the window until it is full. Then it is encoded in parts, each with the codes
 * of the block that is open: they were made for an earlier part and fit as long as the text stays
 * alike, so that most parts cost neither counting nor a header. Now and then, and after a part that
 * came out poor, a part's symbols are counted before they are written. Then it is known what it
 * takes with the open block's codes, with the codes that fit it best, with the fixed ones and as it
 * is, and the cheapest is taken. A part that was written without counting and takes more than it
 * has is taken back and stored as it is. So no part grows by more than a few bytes, whatever it
 * holds.
 *
 * <p>Codes outlive their stream: the next one is most likely the next scrape of the same text. For
 * a small application this saves half of the work.
 *
 * <p>Owned by one thread; allocates nothing after construction.
 */
final class DeflateEncoder {
  /** How many bytes are encoded at most before it is decided whether they stay so. */
  private static final int PART_BYTES = 16 * 1024;

  /** Less than this waits for more input. */
  private static final int MIN_PART_BYTES = 4 * 1024;

  /** The header of a block, its end and that of the one before it: under 400 bytes. */
  private static final int BLOCK_OVERHEAD_BYTES = 1024;

  /** No byte takes more than {@link CodeTable#MAX_LITERAL_LENGTH_BITS}. */
  private static final int OUTPUT_BYTES = 2 * PART_BYTES + BLOCK_OVERHEAD_BYTES;

  /** Codes are looked at again after 1 part, after 4 more, after 16 more and so on up to this. */
  private static final int MAX_PARTS_BETWEEN_FITS = 64;

  private static final int PARTS_BETWEEN_FITS_FACTOR = 4;

  /**
   * The text has changed when a part takes a sixth more bits a byte than the one that was counted
   * last, or a third less.
   */
  private static final int MOST_PERCENT = 117;

  private static final int LEAST_PERCENT = 67;

  /** The open block goes on if new codes would save less than a hundredth. */
  private static final int KEEP_PERCENT = 101;

  /** More than anything takes, and so little that a hundred times it is still a number. */
  private static final long NEVER = Long.MAX_VALUE / 1_000;

  /** Three bits, up to seven to the next byte, and the length twice. */
  private static final int STORED_OVERHEAD_BITS = 3 + 7 + 32;

  private final byte[] window = Window.allocate();
  private final Pieces pieces = new Pieces(PART_BYTES);
  private final BitOutput out = new BitOutput(OUTPUT_BYTES);
  private final RepeatSearch search = new RepeatSearch(window, pieces, out);
  private final CodeTable symbolTable = CodeTable.ofSymbols();
  private final CodeTable codes = new CodeTable();
  private final SymbolPieces symbols = new SymbolPieces();
  private final CodeLengths builder = new CodeLengths();
  private FittedCodes current = new FittedCodes(symbols, builder);
  private FittedCodes candidate = new FittedCodes(symbols, builder);

  private int filled;
  private int done;

  /** Whether {@link #current} has codes. */
  private boolean hasCodes;

  /** Whether they are in the table. */
  private boolean currentLoaded;

  /** Whether a block is open; its codes are in the table. */
  private boolean open;

  /** Whether a block that is marked as the last one was begun. */
  private boolean finalBlock;

  private int partsBetweenFits = 1;

  /** How many parts are written before one is counted. */
  private int partsToNextFit;

  private long countedBits;
  private long countedBytes;

  /** Starts a new stream; whatever was begun is forgotten. */
  void clear() {
    out.clear();
    search.clear();
    filled = Window.START;
    done = Window.START;
    open = false;
    finalBlock = false;
  }

  /** Takes input; writes what became of it, or of earlier input. */
  void write(byte[] source, int offset, int lengthBytes, ChunkWriter to) {
    int from = offset;
    int left = lengthBytes;
    while (left > 0) {
      if (filled == Window.END) {
        encodeFilled(false, to);
        slide();
      }
      int step = Math.min(left, Window.END - filled);
      System.arraycopy(source, from, window, filled, step);
      filled += step;
      from += step;
      left -= step;
    }
  }

  /** Writes the rest, up to the last bit, which ends a byte. */
  void finish(ChunkWriter to) {
    encodeFilled(true, to);
    if (open) {
      closeBlock();
    }
    if (!finalBlock) {
      openFixed(true);
      closeBlock();
    }
    out.alignToByte();
    out.drainTo(to);
  }

  private void encodeFilled(boolean last, ChunkWriter to) {
    int least = last ? 1 : MIN_PART_BYTES;
    while (filled - done >= least) {
      int end = Math.min(filled, done + PART_BYTES);
      done = encodePart(done, end, last && end == filled);
      out.drainTo(to);
    }
  }

  private void slide() {
    int distanceBytes = done - Window.HISTORY_BYTES - Window.START;
    System.arraycopy(window, distanceBytes, window, 0, filled - distanceBytes);
    filled -= distanceBytes;
    done -= distanceBytes;
    search.slide(distanceBytes);
  }

  /** Encodes a part and returns where that ended: at its end, or some bytes before. */
  private int encodePart(int from, int to, boolean last) {
    if (partsToNextFit == 0 || !(open || hasCodes)) {
      int end = search.collect(from, to, last, symbolTable.entries());
      encodeCounted(from, end, last);
      return end;
    }
    out.mark();
    boolean wasOpen = open;
    if (!open) {
      openCurrent(last);
    }
    int end = search.write(from, to, last, codes.entries());
    long bits = out.bitsSinceMark();
    int bytes = end - from;
    partsToNextFit = isAsCounted(bits, bytes) ? partsToNextFit - 1 : 0;
    if (bits > storedBits(bytes)) {
      out.rollBack();
      open = wasOpen;
      putStored(from, end, last);
    }
    return end;
  }

  private boolean isAsCounted(long bits, int bytes) {
    long percent = 100 * bits * countedBytes;
    long counted = countedBits * bytes;
    return percent >= LEAST_PERCENT * counted && percent <= MOST_PERCENT * counted;
  }

  private void encodeCounted(int from, int end, boolean last) {
    symbols.count(pieces);
    long best = candidate.fit();
    long asOpen = open ? symbols.cost(codes.literalLengthBits(), codes.distanceBits()) : NEVER;
    long fixed = symbols.fixedCost();
    long stored = storedBits(end - from);
    if (100 * asOpen <= KEEP_PERCENT * Math.min(best, stored)) {
      putSymbols();
    } else if (stored <= Math.min(best, fixed)) {
      putStored(from, end, last);
    } else {
      if (open) {
        closeBlock();
      }
      if (fixed <= best) {
        openFixed(last);
      } else {
        FittedCodes before = current;
        current = candidate;
        candidate = before;
        hasCodes = true;
        currentLoaded = false;
        openCurrent(last);
      }
      putSymbols();
    }
    countedBits = best;
    countedBytes = (long) end - from;
    partsToNextFit = partsBetweenFits;
    partsBetweenFits =
        Math.min(PARTS_BETWEEN_FITS_FACTOR * partsBetweenFits, MAX_PARTS_BETWEEN_FITS);
  }

  private void putSymbols() {
    SymbolPieces.encode(pieces, codes);
    out.put(pieces);
  }

  private static long storedBits(int bytes) {
    return 8L * bytes + STORED_OVERHEAD_BITS;
  }

  private void closeBlock() {
    int symbol = Rfc1951.END_OF_BLOCK;
    out.put(codes.literalLengthCode(symbol), codes.literalLengthBits()[symbol]);
    open = false;
  }

  private void openFixed(boolean last) {
    putStart(Rfc1951.FIXED, last);
    codes.loadFixed();
    currentLoaded = false;
    open = true;
  }

  private void openCurrent(boolean last) {
    current.writeHeader(out, last);
    if (!currentLoaded) {
      current.load(codes);
      currentLoaded = true;
    }
    open = true;
    finalBlock = last;
  }

  private void putStored(int from, int to, boolean last) {
    if (open) {
      closeBlock();
    }
    putStart(Rfc1951.STORED, last);
    out.alignToByte();
    int lengthBytes = to - from;
    out.put(lengthBytes, 16);
    out.put(~lengthBytes & 0xffff, 16);
    out.putBytes(window, from, lengthBytes);
  }

  private void putStart(int type, boolean last) {
    out.put(last ? 1 : 0, 1);
    out.put(type, 2);
    finalBlock = last;
  }
}
