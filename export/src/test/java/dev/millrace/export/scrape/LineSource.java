package dev.millrace.export.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A source that counts its collections, and encoders whose lines name their format, their escaping
 * and the collection: whatever is spliced shows.
 */
final class LineSource implements MetricSource {
  final AtomicInteger collections = new AtomicInteger();
  final AtomicInteger openCursors = new AtomicInteger();
  final AtomicInteger encodersMade = new AtomicInteger();

  /** How many lines each encoder writes. */
  volatile int lines = 3;

  /** What {@link #open} waits for. */
  volatile @Nullable CountDownLatch openGate;

  /** What {@link #open} throws. */
  volatile @Nullable RuntimeException openFailure;

  /** What encoders throw at the end, those of {@link #failingFormat} alone if it is given. */
  volatile @Nullable RuntimeException failure;

  volatile @Nullable PrometheusFormat failingFormat;

  @Override
  public MetricCursor open() {
    await(openGate);
    RuntimeException thrown = openFailure;
    if (thrown != null) {
      throw thrown;
    }
    assertThat(openCursors.get()).as("cursors open at once").isZero();
    collections.incrementAndGet();
    return EmptyCursor.open(openCursors);
  }

  private static void await(@Nullable CountDownLatch gate) {
    if (gate == null) {
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        gate.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  MetricEncoder encoder(PrometheusFormat format, EscapingScheme escaping) {
    encodersMade.incrementAndGet();
    return new LineEncoder(format, escaping);
  }

  /** What a reply of a collection has to be. */
  String expected(ScrapeKey key, int collection) {
    String prefix =
        new String(prefix(key.format(), key.escaping(), collection), StandardCharsets.US_ASCII);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(prefix);
      for (int place = 100_000; place > 0; place /= 10) {
        text.append((char) ('0' + i / place % 10));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** The collection that a reply begins with. */
  static int collection(String text) {
    int from = text.indexOf(' ', text.indexOf(' ') + 1) + 1;
    return Integer.parseInt(text, from, text.indexOf(' ', from), 10);
  }

  private static byte[] prefix(PrometheusFormat format, EscapingScheme escaping, int collection) {
    return (format + " " + escaping + " " + collection + " ").getBytes(StandardCharsets.US_ASCII);
  }

  /** At most one thread may be in it. */
  private final class LineEncoder implements MetricEncoder {
    private final PrometheusFormat format;
    private final EscapingScheme escaping;
    private final AtomicInteger inside = new AtomicInteger();

    LineEncoder(PrometheusFormat format, EscapingScheme escaping) {
      this.format = format;
      this.escaping = escaping;
    }

    @Override
    public String contentType() {
      return "test/" + format + "+" + escaping;
    }

    @Override
    public void encode(MetricCursor cursor, ChunkWriter out) {
      assertThat(inside.incrementAndGet()).as("threads in one encoder").isEqualTo(1);
      assertThat(openCursors.get()).isEqualTo(1);
      try {
        byte[] prefix = prefix(format, escaping, collections.get());
        for (int i = 0; i < lines; i++) {
          out.write(prefix);
          for (int place = 100_000; place > 0; place /= 10) {
            out.writeByte('0' + i / place % 10);
          }
          out.writeByte('\n');
        }
        RuntimeException thrown = failure;
        if (thrown != null && (failingFormat == null || failingFormat == format)) {
          throw thrown;
        }
      } finally {
        inside.decrementAndGet();
      }
    }
  }
}
