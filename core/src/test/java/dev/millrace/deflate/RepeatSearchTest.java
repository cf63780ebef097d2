package dev.millrace.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.ExpositionText;
import dev.millrace.testkit.GeneratedBytes;
import dev.millrace.testkit.GivenBack;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepeatSearchTest {
  private static final int BYTES = 60_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(4), ChunkPool::outstandingChunks);

  private final byte[] window = Window.allocate();
  private final Pieces pieces = new Pieces(BYTES);
  private final BitOutput out = new BitOutput(2 * BYTES);
  private final RepeatSearch search = new RepeatSearch(window, pieces, out);
  private final CodeTable codes = new CodeTable();

  /** A stream of more than 4 GiB: the sum of base and position begins again at zero. */
  @Test
  void positionsMayOverflow() throws DataFormatException {
    byte[] text = ExpositionText.generate(1_000, ExpositionText.Style.SORTED, 1);
    assertThat(text.length).isGreaterThan(BYTES);
    codes.loadFixed();
    for (int before = 0; before < BYTES; before += 977) {
      RepeatSearch fresh = new RepeatSearch(window, pieces, out);
      // The first base is 65,536; so zero comes after `before` bytes of the text.
      fresh.slide(-65_536 - Window.START - before);
      run(fresh, text, codes);
      assertThat(writeFixedBlock(text)).as("%d bytes before", before).isLessThan(BYTES / 4);
    }
  }

  /** What one stream saw, the next one must not find, not even 4 GiB later to the byte. */
  @Test
  void streamsDoNotSeeEachOther() throws DataFormatException {
    byte[] text = ExpositionText.generate(1_000, ExpositionText.Style.SORTED, 1);
    codes.loadFixed();
    for (int before = 0; before < 100_000; before += 7_919) {
      run(text, codes);
      for (int i = 0; i < 4; i++) {
        search.slide(1 << 30);
      }
      search.slide(-before);
      run(text, codes);
      writeFixedBlock(text);
    }
  }

  /** Symbols that get their codes later make the very pieces that codes at once make. */
  @ParameterizedTest
  @EnumSource
  void codesForSymbolsAreTheSameAsCodesAtOnce(GeneratedBytes kind) throws DataFormatException {
    byte[] bytes = kind.generate(BYTES, 7);
    run(bytes, CodeTable.ofSymbols());
    SymbolPieces symbols = new SymbolPieces();
    symbols.count(pieces);
    FittedCodes fitted = new FittedCodes(symbols, new CodeLengths());
    fitted.fit();
    out.clear();
    fitted.writeHeader(out, true);
    fitted.load(codes);
    SymbolPieces.encode(pieces, codes);
    long[] later = Arrays.copyOf(pieces.all, pieces.count);

    run(bytes, codes);
    assertThat(Arrays.copyOf(pieces.all, pieces.count)).isEqualTo(later);
    codes.loadFixed();
    run(bytes, codes);
    writeFixedBlock(bytes);
  }

  @Test
  void whatIsCountedIsWhatIsWritten() {
    byte[] text = ExpositionText.generate(1_000, ExpositionText.Style.SHUFFLED, 1);
    run(text, CodeTable.ofSymbols());
    SymbolPieces symbols = new SymbolPieces();
    symbols.count(pieces);
    FittedCodes fitted = new FittedCodes(symbols, new CodeLengths());
    long expected = fitted.fit();
    out.clear();
    out.mark();
    fitted.writeHeader(out, true);
    fitted.load(codes);
    SymbolPieces.encode(pieces, codes);
    out.put(pieces);
    putEndOfBlock();
    assertThat(out.bitsSinceMark()).isEqualTo(expected);
  }

  private void run(byte[] bytes, CodeTable table) {
    search.clear();
    run(search, bytes, table);
  }

  private void run(RepeatSearch search, byte[] bytes, CodeTable table) {
    System.arraycopy(bytes, 0, window, Window.START, BYTES);
    int end = search.collect(Window.START, Window.START + BYTES, true, table.entries());
    assertThat(end).isEqualTo(Window.START + BYTES);
  }

  /** Writes the pieces as one fixed block, checks it, and returns its length in bytes. */
  private long writeFixedBlock(byte[] bytes) throws DataFormatException {
    out.clear();
    out.put(1, 1);
    out.put(Rfc1951.FIXED, 2);
    out.mark();
    out.put(pieces);
    long lengthBytes = out.bitsSinceMark() / 8;
    putEndOfBlock();
    out.alignToByte();
    assertThat(Deflated.inflate(out, chunks.pool(), BYTES + 1))
        .isEqualTo(Arrays.copyOf(bytes, BYTES));
    return lengthBytes;
  }

  private void putEndOfBlock() {
    out.put(
        codes.literalLengthCode(Rfc1951.END_OF_BLOCK),
        codes.literalLengthBits()[Rfc1951.END_OF_BLOCK]);
  }
}
