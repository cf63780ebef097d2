package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One exporter's formats for a test: encodes to strings, and shows the problems that it met. */
public final class Expositions {
  private final ChunkPool pool;
  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0L, log::add);
  private final PrometheusFormats formats;
  private final MetricEncoder text;
  private final MetricEncoder openMetrics;
  private final MetricEncoder protobuf;

  /**
   * An exporter.
   *
   * @param pool where chunks come from; all are given back
   */
  public Expositions(ChunkPool pool, PrometheusOptions options) {
    this(pool, options, EscapingScheme.UNDERSCORES);
  }

  /** An exporter whose scraper wants names escaped in some way. */
  public Expositions(ChunkPool pool, PrometheusOptions options, EscapingScheme escaping) {
    this.pool = pool;
    formats = new PrometheusFormats(options, problems);
    text = formats.encoder(PrometheusFormat.TEXT_0_0_4, escaping);
    openMetrics = formats.encoder(PrometheusFormat.OPEN_METRICS_1_0_0, escaping);
    protobuf = formats.encoder(PrometheusFormat.PROTOBUF, escaping);
  }

  PrometheusFormats formats() {
    return formats;
  }

  /** What the encoder of the text format writes. */
  public String text(MetricSource source) {
    return new String(encode(text, source), UTF_8);
  }

  /** What the encoder of the text format writes. */
  public String text(FakeMetric... metrics) {
    return text(new FakeMetrics(metrics));
  }

  /** What the encoder of OpenMetrics writes. */
  public String openMetrics(MetricSource source) {
    return new String(encode(openMetrics, source), UTF_8);
  }

  /** What the encoder of OpenMetrics writes. */
  public String openMetrics(FakeMetric... metrics) {
    return openMetrics(new FakeMetrics(metrics));
  }

  /** What the protobuf encoder writes. */
  public byte[] protobuf(MetricSource source) {
    return encode(protobuf, source);
  }

  byte[] protobuf(FakeMetric... metrics) {
    return protobuf(new FakeMetrics(metrics));
  }

  byte[] encode(MetricEncoder encoder, MetricSource source) {
    try (MetricCursor cursor = source.open();
        ChunkWriter out = new ChunkWriter(pool)) {
      encoder.encode(cursor, out);
      try (Payload payload = out.finish()) {
        return payload.toByteArray();
      }
    }
  }

  /** How often each kind of problem occurred, without the kinds that did not. */
  public Map<String, Long> problems() {
    Map<String, Long> counts = new TreeMap<>();
    for (Problem problem : problems.kinds()) {
      if (problem.count() > 0) {
        counts.put(problem.name(), problem.count());
      }
    }
    return counts;
  }

  /** The lines that were logged. */
  List<String> log() {
    return log;
  }
}
