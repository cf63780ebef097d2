package dev.millrace.bytes;

/**
 * Finds the decimal that stands for a double: the shortest that reads back as the same double and,
 * of those equally short, the one closest to it.
 *
 * <p>This is the method of Raffaello Giulietti, "The Schubfach way to render doubles" (2020), in
 * the following terms.
 *
 * <p><b>The interval.</b> A positive double is v = c * 2<sup>q</sup> with integers c and q. Every
 * real number from half way to its lower neighbour up to half way to its upper one reads back as v:
 * readers round to the nearest double and, on the half-way points, to an even c, so the two ends
 * belong to the interval if c is even. The interval is 2<sup>q</sup> wide. Only where c is the
 * smallest significand of its binade, and so the lower neighbour twice as close, is it 3/4 *
 * 2<sup>q</sup> wide.
 *
 * <p><b>The grid.</b> Let k be the largest integer for which 10<sup>k</sup> is at most that width.
 * Then
 *
 * <ul>
 *   <li>at least one multiple of 10<sup>k</sup> lies in the interval, and the one next to v on its
 *       side of v does too, so two candidates are enough;
 *   <li>at most one multiple of 10<sup>k+1</sup> lies in the interval, since it is narrower than
 *       10<sup>k+1</sup>. (The pigeonhole principle, <i>Schubfachprinzip</i>, gave the method its
 *       name.)
 * </ul>
 *
 * A decimal shorter than the multiples of 10<sup>k</sup> near v is a multiple of 10<sup>k+1</sup>.
 * If there is one in the interval, it is therefore the shortest decimal, once its zeros are taken
 * off, and the only one of its length. (Where fewer than two digits are left of v on the grid, that
 * is for the two smallest subnormals, this argument has a gap; both are checked by tests.)
 * Otherwise all candidates are multiples of 10<sup>k</sup> with equally many digits, and the
 * closest one is next to v, below or above. So only four candidates need a look, however long the
 * digits are.
 *
 * <p><b>The arithmetic.</b> v and both ends are divided by 10<sup>k</sup>, with {@link PowersOfTen}
 * instead of a division, and compared with integers. The quotients are kept as integers in quarters
 * (four times the quotient), because the ends are then integers times a power of two; what is right
 * of the point is rounded to odd, that is: cut off, but leaving the last bit set if anything but
 * zeros was cut off. An even integer compares with a number rounded to odd as it does with the
 * number itself, and only even integers are compared with. See {@link #scale} for why 126 bits of
 * the power of ten suffice.
 *
 * <p>Stateless and safe for use by many threads; allocates nothing.
 */
final class Schubfach {
  /** The most digits that {@link #significand} can have. */
  static final int MAX_DIGITS = 17;

  private static final int SIGNIFICAND_BITS = 52;
  private static final long SIGNIFICAND_MASK = (1L << SIGNIFICAND_BITS) - 1;

  /**
   * The bit that normal doubles have and do not store; alone it is the smallest significand of a
   * binade.
   */
  private static final long HIDDEN_BIT = 1L << SIGNIFICAND_BITS;

  /** The q of a double with the exponent field 0 or 1. */
  private static final int MIN_Q = -1074;

  private Schubfach() {}

  /**
   * Finds the k of a double, the exponent of the grid that its {@link #significand} is in.
   *
   * @param bits those of a positive, finite double
   * @return -324 to 292
   */
  static int exponent(long bits) {
    int q = q(bits);
    return hasCloserLowerNeighbour(bits)
        ? floorLog10ThreeQuartersOfPowerOfTwo(q)
        : floorLog10OfPowerOfTwo(q);
  }

  /**
   * Finds the digits of a double: the decimal that stands for it is {@code significand *
   * 10^exponent}.
   *
   * @param bits those of a positive, finite double
   * @param exponent {@link #exponent exponent(bits)}
   * @return 1 to 10<sup>17</sup> - 1; may end in zeros
   */
  static long significand(long bits, int exponent) {
    int q = q(bits);
    long fraction = bits & SIGNIFICAND_MASK;
    long c = bits > SIGNIFICAND_MASK ? fraction | HIDDEN_BIT : fraction;

    // 1 if the ends do not belong to the interval: added to the smaller side of a comparison it
    // turns <= into <.
    long open = c & 1;
    long high = PowersOfTen.high(-exponent);
    long low = PowersOfTen.low(-exponent);
    int shift = q + floorLog2OfPowerOfTen(-exponent) + 2;
    long quarters = scale(high, low, (4 * c) << shift);
    long lowest =
        scale(high, low, (4 * c - (hasCloserLowerNeighbour(bits) ? 1 : 2)) << shift) + open;
    long highest = scale(high, low, (4 * c + 2) << shift) - open;

    long below = quarters >>> 2;
    long tensBelow = below / 10 * 10;
    long tensAbove = tensBelow + 10;
    boolean tensBelowReads = lowest <= 4 * tensBelow;
    boolean tensAboveReads = 4 * tensAbove <= highest;
    if (tensBelowReads || tensAboveReads) {
      return tensBelowReads ? tensBelow : tensAbove;
    }

    long above = below + 1;
    boolean belowReads = lowest <= 4 * below;
    boolean aboveReads = 4 * above <= highest;
    if (belowReads != aboveReads) {
      return belowReads ? below : above;
    }
    // Both read back: the closer one, the even one of two equally close.
    long middle = 4 * below + 2;
    return quarters < middle || (quarters == middle && (below & 1) == 0) ? below : above;
  }

  /**
   * Multiplies by a power of ten and rounds to odd: n * g(e) / 2<sup>127</sup>, where g(e) is in
   * {@link PowersOfTen}.
   *
   * <p>Let n = m * 2<sup>h</sup>, where m is the 4c, 4c - 1, 4c - 2 or 4c + 2 of the caller and h
   * its shift. The shift makes n * g(e) / 2<sup>127</sup> equal to x = m * 2<sup>q</sup> *
   * 10<sup>-k</sup> but for the rounding of g(e), and since 1 &lt;= 2<sup>q</sup> * 10<sup>-k</sup>
   * &lt; 40/3, h lies from 2 to 5. As m &lt;= 2<sup>55</sup> + 2, n is less than 2<sup>61</sup>.
   *
   * <p>As g(e) is too large by 1 at most, x comes out too large by d, 0 &lt; d &lt;= n /
   * 2<sup>127</sup> &lt; 2<sup>-66</sup>. The product is then cut to 64 bits right of the point, to
   * look at nothing but these. That gives the true x rounded to odd, for:
   *
   * <ul>
   *   <li>If x is an integer, d is cut off entirely, being less than 2<sup>-64</sup>.
   *   <li>If x is no integer and its integer part is odd, that is the result whether or not a
   *       fraction is seen, unless d carries x to the next even integer.
   *   <li>If x is no integer and its integer part is even, its fraction must be seen, and so be at
   *       least 2<sup>-64</sup>. Should d carry x to the next integer, then that is odd and the
   *       result all the same.
   * </ul>
   *
   * In short, the fractional part of x / 2 must be 0, or at least 2<sup>-65</sup> and less than 1 -
   * 2<sup>-67</sup>. For each of the 2046 values of q a test finds the least and the greatest
   * fractional part of x / 2 over all m up to 2<sup>55</sup> + 2, exactly, by the Euclidean
   * algorithm: no double is left to chance. (Of x itself this would be too much to ask for: with q
   * = 664 there is a fractional part of 2<sup>-65.4</sup>.)
   *
   * @param high upper half of g(e)
   * @param low lower half of g(e)
   * @param n 1 to 2<sup>61</sup> - 1
   */
  private static long scale(long high, long low, long n) {
    // n * g / 2^63 is n * high + floor(n * low / 2^63) and a fraction; the floor is the upper word
    // of 2n * low. The point is above the lower word of this sum, which carries if its top bit gets
    // lost, the floor having none.
    long product = n * high;
    long sum = product + Math.multiplyHigh(n << 1, low);
    long integer = Math.multiplyHigh(n, high) + ((product & ~sum) >>> 63);
    return integer | (sum | -sum) >>> 63;
  }

  private static int q(long bits) {
    return MIN_Q - 1 + Math.max(1, (int) (bits >>> SIGNIFICAND_BITS));
  }

  /** Not so in the lowest binade of normal doubles: below it are the subnormals, spaced alike. */
  private static boolean hasCloserLowerNeighbour(long bits) {
    return (bits & SIGNIFICAND_MASK) == 0 && bits > 2 * HIDDEN_BIT - 1;
  }

  // Logarithms by multiplication with a rounded constant. Each is exact for all arguments that
  // occur, which tests check one by one.

  /**
   * floor(log10(2<sup>q</sup>)) for -1074 &lt;= q &lt;= 971; the factor is 2<sup>22</sup> *
   * log10(2).
   */
  static int floorLog10OfPowerOfTwo(int q) {
    return (q * 1_262_611) >> 22;
  }

  /**
   * floor(log10(3/4 * 2<sup>q</sup>)) for -1074 &lt;= q &lt;= 971; the addend is 2<sup>22</sup> *
   * log10(3/4).
   */
  static int floorLog10ThreeQuartersOfPowerOfTwo(int q) {
    return (q * 1_262_611 - 524_031) >> 22;
  }

  /**
   * floor(log2(10<sup>e</sup>)) for -292 &lt;= e &lt;= 324; the factor is 2<sup>19</sup> *
   * log2(10).
   */
  static int floorLog2OfPowerOfTen(int e) {
    return (e * 1_741_647) >> 19;
  }
}
