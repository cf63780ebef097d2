package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
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

/** An encoder for a test: what it writes is read at once, and its problems are shown. */
final class Written implements AutoCloseable {
  /** A time for collections: one day in 2023. */
  static final long NOW = 1_700_000_100_000L;

  final Problems problems = new Problems(() -> 0L, line -> {});
  final RemoteWriteEncoder encoder;

  /** The requests since they were taken last. */
  private final List<DecodedRequest> requests = new ArrayList<>();

  private final List<RequestContent> contents = new ArrayList<>();
  private final List<Integer> shards = new ArrayList<>();

  Written(ChunkPool pool, RemoteWriteEncodingOptions options) {
    encoder = new RemoteWriteEncoder(options, pool, problems);
  }

  /** Takes a request for the encoder. */
  void accept(int shard, Payload request, RequestContent content) {
    try (request) {
      requests.add(DecodedRequest.of(request));
      contents.add(content);
      shards.add(shard);
    }
  }

  /** Encodes a complete collection, and gives what it wrote. */
  List<DecodedRequest.TimeSeries> write(long now, FakeMetric... metrics) {
    return write(now, new FakeMetrics(metrics));
  }

  /** Encodes a complete collection, and gives what it wrote. */
  List<DecodedRequest.TimeSeries> write(long now, MetricSource source) {
    return write(now, source, true);
  }

  List<DecodedRequest.TimeSeries> write(long now, MetricSource source, boolean complete) {
    encode(now, source, complete);
    encoder.flush(this::accept);
    return takeSeries();
  }

  void encode(long now, MetricSource source, boolean complete) {
    try (MetricCursor cursor = source.open()) {
      encoder.encode(cursor, now, complete, this::accept);
    }
  }

  List<DecodedRequest.TimeSeries> endAll(long now) {
    encoder.endAll(now, this::accept);
    encoder.flush(this::accept);
    return takeSeries();
  }

  List<DecodedRequest.TimeSeries> takeSeries() {
    List<DecodedRequest.TimeSeries> all = new ArrayList<>();
    for (DecodedRequest request : takeRequests()) {
      all.addAll(request.series());
    }
    return all;
  }

  List<DecodedRequest> takeRequests() {
    List<DecodedRequest> taken = List.copyOf(requests);
    requests.clear();
    contents.clear();
    shards.clear();
    return taken;
  }

  List<DecodedRequest> requests() {
    return requests;
  }

  List<RequestContent> contents() {
    return contents;
  }

  List<Integer> shards() {
    return shards;
  }

  /** How often each kind of problem occurred, without the kinds that did not. */
  Map<String, Long> problems() {
    Map<String, Long> counts = new TreeMap<>();
    for (Problem problem : problems.kinds()) {
      if (problem.count() > 0) {
        counts.put(problem.name(), problem.count());
      }
    }
    return counts;
  }

  @Override
  public void close() {
    encoder.close();
  }
}
