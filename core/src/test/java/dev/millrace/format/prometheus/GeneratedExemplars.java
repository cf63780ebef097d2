package dev.millrace.format.prometheus;

import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import java.util.SplittableRandom;

/**
 * Exemplars of every sort: with and without ids, times and attributes, several for a bucket, and
 * attributes whose length lies around what is allowed.
 */
final class GeneratedExemplars {
  private static final double[] REALS = {
    -2.5, -0.0, 1e-5, 0.005, 0.3, 1, 7, 1e6, 1e21, Double.NaN, Double.POSITIVE_INFINITY
  };
  private static final String[] KEYS = {
    "a.b", "a_b", "user.id", "", "trace_id", "trace.id", "span-id", "2xx", "é", "le", "..."
  };
  private static final String[] PIECES = {"a", "é", "請", "\uD83D\uDE80", "\"", "\\", "\n"};

  private final SplittableRandom random;

  GeneratedExemplars(SplittableRandom random) {
    this.random = random;
  }

  /** The exemplars of one point; mostly none. */
  FakePoint.Exemplar[] next() {
    int count = random.nextInt(3) > 0 ? 0 : random.nextInt(1, 9);
    FakePoint.Exemplar[] exemplars = new FakePoint.Exemplar[count];
    for (int i = 0; i < count; i++) {
      boolean hasTrace = random.nextInt(4) > 0;
      exemplars[i] =
          new FakePoint.Exemplar(
              random.nextInt(3) == 0
                  ? new FakePoint.Whole(random.nextInt(-3, 20))
                  : new FakePoint.Real(REALS[random.nextInt(REALS.length)]),
              time(),
              hasTrace && random.nextBoolean() ? random.nextLong() : 0,
              hasTrace ? random.nextLong() : 0,
              random.nextInt(4) > 0 ? random.nextLong() >>> random.nextInt(64) : 0,
              labels());
    }
    return exemplars;
  }

  private long time() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> 1_700_000_000_000_000_000L;
      case 2 -> 1_700_000_000_000_000_000L + random.nextInt(4) * 250_000_000L;
      default -> 1_700_000_000_000_000_000L + random.nextInt(1_000_000_000);
    };
  }

  private Labels labels() {
    Labels.Builder labels = new Labels.Builder();
    for (int i = random.nextInt(4); i > 0; i--) {
      String key = KEYS[random.nextInt(KEYS.length)];
      switch (random.nextInt(5)) {
        case 0 -> labels.put(key, random.nextInt(100));
        case 1 -> labels.put(key, true);
        default -> {
          int most = random.nextInt(5) == 0 ? 700 : random.nextBoolean() ? 70 : 8;
          labels.put(key, PIECES[random.nextInt(PIECES.length)].repeat(random.nextInt(most)));
        }
      }
    }
    if (random.nextInt(20) == 0) {
      for (int i = 0; i < 140; i++) {
        labels.put("k" + i, "");
      }
    }
    return labels.build();
  }
}
