package dev.millrace.format.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.format.prometheus.GeneratedMetrics;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

/** What is done with finished requests. */
class RequestsTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Payload payload(byte[] bytes) {
    try (ChunkWriter out = new ChunkWriter(chunks.pool())) {
      out.write(bytes);
      return out.finish();
    }
  }

  private interface Check {
    void of(Payload request, RequestContent content) throws MalformedProtobufException;
  }

  /** Gives every request of generated metrics to a check. */
  private void requests(RemoteWriteEncodingOptions options, int seeds, Check check) {
    for (long seed = 0; seed < seeds; seed++) {
      long s = seed;
      RemoteWriteEncoder encoder =
          new RemoteWriteEncoder(
              options.withLimits(RemoteWriteLimits.DEFAULT.withMaxSamples((int) (1 + seed % 50))),
              chunks.pool(),
              new Problems(() -> 0L, line -> {}));
      RequestSink sink =
          (shard, request, content) -> {
            try (request) {
              check.of(request, content);
            } catch (MalformedProtobufException e) {
              throw new AssertionError("seed " + s, e);
            }
          };
      try (encoder;
          MetricCursor cursor = GeneratedMetrics.of(seed).open()) {
        encoder.encode(cursor, Written.NOW, true, sink);
        encoder.flush(sink);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theVersionAndTheContentAreReadBack(RemoteWriteVersion version) {
    int[] count = {0};
    requests(
        RemoteWriteEncodingOptions.DEFAULT.withVersion(version).withCustomBuckets(true),
        300,
        (request, content) -> {
          count[0]++;
          assertThat(RemoteWriteRequests.versionOf(request)).isEqualTo(version);
          assertThat(RemoteWriteRequests.content(request)).isEqualTo(content);
        });
    assertThat(count[0]).isGreaterThan(500);
  }

  @ParameterizedTest
  @EnumSource
  void halvesHoldAllSeriesInTheirOrder(RemoteWriteVersion version) {
    requests(
        RemoteWriteEncodingOptions.DEFAULT.withVersion(version).withCustomBuckets(true),
        300,
        (request, content) -> {
          DecodedRequest whole = DecodedRequest.of(request);
          List<Payload> halves = RemoteWriteRequests.split(request);
          if (whole.series().size() < 2) {
            assertThat(halves).isEmpty();
            return;
          }
          assertThat(halves).hasSize(2);
          List<DecodedRequest.TimeSeries> both = new ArrayList<>();
          List<DecodedRequest.Metadata> metadata = new ArrayList<>();
          for (Payload half : halves) {
            try (half) {
              DecodedRequest read = DecodedRequest.of(half);
              assertThat(ReferenceRequest.encode(read)).isEqualTo(read.message());
              assertThat(read.series().size())
                  .isBetween(whole.series().size() / 2, (whole.series().size() + 1) / 2);
              both.addAll(read.series());
              metadata.addAll(read.metadata());
            }
          }
          assertThat(both).isEqualTo(whole.series());
          assertThat(metadata).isEqualTo(whole.metadata());
        });
  }

  @Test
  void aDowngradedRequestHasTheSameSeries() {
    requests(
        RemoteWriteEncodingOptions.DEFAULT,
        300,
        (request, content) -> {
          DecodedRequest second = DecodedRequest.of(request);
          try (Payload downgraded = RemoteWriteRequests.toVersion1(request)) {
            assertThat(RemoteWriteRequests.versionOf(downgraded)).isEqualTo(RemoteWriteVersion.V1);
            DecodedRequest first = DecodedRequest.of(downgraded);
            assertThat(ReferenceRequest.encode(first)).isEqualTo(first.message());
            assertThat(first.series()).isEqualTo(withoutSecond(second.series()));
            RequestContent now = RemoteWriteRequests.content(downgraded);
            assertThat(now.samples()).isEqualTo(content.samples());
            assertThat(now.histograms()).isEqualTo(content.histograms());
            assertThat(now.exemplars()).isEqualTo(content.exemplars());
            assertThat(now.newestUnixMillis()).isEqualTo(content.newestUnixMillis());
          }
        });
  }

  private static List<DecodedRequest.TimeSeries> withoutSecond(
      List<DecodedRequest.TimeSeries> series) {
    List<DecodedRequest.TimeSeries> without = new ArrayList<>();
    for (DecodedRequest.TimeSeries each : series) {
      List<DecodedRequest.Sample> samples = new ArrayList<>();
      for (DecodedRequest.Sample s : each.samples()) {
        samples.add(new DecodedRequest.Sample(s.bits(), s.unixMillis(), 0));
      }
      List<DecodedRequest.Histogram> histograms = new ArrayList<>();
      for (DecodedRequest.Histogram h : each.histograms()) {
        histograms.add(
            new DecodedRequest.Histogram(
                h.count(),
                h.sumBits(),
                h.schema(),
                h.zeroThreshold(),
                h.zeroCount(),
                h.negativeSpans(),
                h.negativeDeltas(),
                h.positiveSpans(),
                h.positiveDeltas(),
                h.unixMillis(),
                h.customValues(),
                0));
      }
      without.add(
          new DecodedRequest.TimeSeries(
              each.labels(),
              samples,
              histograms,
              each.exemplars(),
              new DecodedRequest.Metadata(0, "", "", "")));
    }
    return without;
  }

  @Test
  void customBucketsBecomeTheClassicSeries() throws Exception {
    FakePoint point =
        FakePoint.histogram(
            Labels.of("a", "1", "zone", "z"),
            3.5,
            new double[] {0.5, 1, 2, 8, 16},
            1,
            0,
            0,
            0,
            2,
            3);
    FakeMetric metric = FakeMetric.histogram("h", "s", point).describedAs("Help.");
    List<DecodedRequest.TimeSeries> classic;
    RemoteWriteEncodingOptions options = RemoteWriteEncodingOptions.DEFAULT;
    try (Written written = new Written(chunks.pool(), options.withVersion(RemoteWriteVersion.V1))) {
      classic = written.write(Written.NOW, metric);
    }
    List<Payload> requests = new ArrayList<>();
    try (RemoteWriteEncoder encoder =
            new RemoteWriteEncoder(
                options.withCustomBuckets(true),
                chunks.pool(),
                new Problems(() -> 0L, line -> {}));
        MetricCursor cursor = new FakeMetrics(metric).open()) {
      RequestSink sink = (shard, request, content) -> requests.add(request);
      encoder.encode(cursor, Written.NOW, true, sink);
      encoder.flush(sink);
    }
    assertThat(requests).hasSize(1);
    try (Payload second = requests.get(0);
        Payload first = RemoteWriteRequests.toVersion1(second)) {
      DecodedRequest.TimeSeries one = DecodedRequest.of(second).series().get(0);
      assertThat(one.histograms().get(0).schema()).isEqualTo(-53);
      assertThat(one.histograms().get(0).customValues()).containsExactly(0.5, 1.0, 2.0, 8.0, 16.0);
      assertThat(DecodedRequest.of(first).series()).isEqualTo(classic);
      assertThat(DecodedRequest.of(first).metadata())
          .containsExactly(new DecodedRequest.Metadata(3, "h_seconds", "Help.", "seconds"));
    }
  }

  @Test
  void aFirstVersionIsNotDowngraded() {
    requests(
        RemoteWriteEncodingOptions.DEFAULT.withVersion(RemoteWriteVersion.V1),
        5,
        (request, content) ->
            assertThatThrownBy(() -> RemoteWriteRequests.toVersion1(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a request of version V2"));
  }

  @Test
  void whatIsNoRequestIsMalformed() throws Exception {
    byte[][] wrong = {
      {},
      {0},
      {5},
      {1, 1},
      {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f, 0, 10},
      // Says that it has 256 MiB.
      {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 1, 0, 10},
      Snappy.compress(new byte[] {8, 1}),
      Snappy.compress(new byte[] {10, 50, 1}),
      Snappy.compress(new byte[] {34, 0, 42, 3, 10, 1, 7, 42, 3, 10, 1, 7}),
    };
    for (byte[] bytes : wrong) {
      try (Payload request = payload(bytes)) {
        assertThatThrownBy(() -> RemoteWriteRequests.split(request))
            .as("%s", Arrays.toString(bytes))
            .isInstanceOf(MalformedProtobufException.class)
            .hasMessageContaining("expected");
      }
    }
  }

  @Test
  void whatIsDamagedIsMalformedOrSomeOtherRequest() {
    SplittableRandom random = new SplittableRandom(5);
    requests(
        RemoteWriteEncodingOptions.DEFAULT.withCustomBuckets(true),
        150,
        (request, content) -> {
          byte[] whole = request.toByteArray();
          byte[] message = SnappyReference.decompress(whole);
          for (int i = 0; i < 20; i++) {
            byte[] damaged = (i % 2 == 0 ? whole : message).clone();
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
              damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
              tryAll(i % 2 == 0 ? damaged : Snappy.compress(damaged));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private void tryAll(byte[] bytes) {
    try (Payload request = payload(bytes)) {
      try {
        RemoteWriteRequests.content(request);
        RemoteWriteRequests.split(request).forEach(Payload::close);
        if (RemoteWriteRequests.versionOf(request) == RemoteWriteVersion.V2) {
          RemoteWriteRequests.toVersion1(request).close();
        }
      } catch (MalformedProtobufException e) {
        assertThat(e).hasMessageContaining("expected");
      }
    }
  }

  @Test
  void aSmallRequestThatWouldBecomeAHugeOneIsMalformed() throws Exception {
    ByteString.Output out = ByteString.newOutput();
    CodedOutputStream message = CodedOutputStream.newInstance(out);
    message.writeString(4, "");
    message.writeString(4, "__name__");
    message.writeByteArray(4, "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < 1_000; i++) {
      message.writeByteArray(5, new byte[] {10, 2, 1, 2, 18, 2, 16, 1});
    }
    message.flush();
    try (Payload request = payload(Snappy.compress(out.toByteString().toByteArray()))) {
      assertThatThrownBy(() -> RemoteWriteRequests.toVersion1(request))
          .isInstanceOf(MalformedProtobufException.class)
          .hasMessageContaining("split it first");
    }
  }
}
