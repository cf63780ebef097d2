package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MalformedRequestTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  private final OtlpMetricsReceiver receiver =
      new OtlpMetricsReceiver(table, chunks.pool(), problems);

  @Test
  void refusesEveryTruncationThatProtobufRefusesAndTakesNothingOver() {
    byte[] content = new RandomRequests(new SplittableRandom(4)).next().toByteArray();
    int refused = 0;
    for (int length = 0; length < content.length; length++) {
      refused += receiveAnything(Arrays.copyOf(content, length), "length " + length) ? 0 : 1;
    }
    assertThat(refused).isGreaterThan(content.length / 2);
  }

  @Test
  void neitherFailsNorTakesHalfARequestOverWhateverTheBytes() {
    int refused = 0;
    int rounds = 1_500;
    for (int seed = 0; seed < rounds; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] content = new Scrambler(random).scramble(new RandomRequests(random).next());
      for (int i = random.nextInt(5); i >= 0 && content.length > 0; i--) {
        int at = random.nextInt(content.length);
        content[at] =
            (byte) (random.nextBoolean() ? content[at] ^ 1 << random.nextInt(8) : random.nextInt());
      }
      refused += receiveAnything(content, "seed " + seed) ? 0 : 1;
    }
    assertThat(refused).isBetween(rounds / 10, rounds - rounds / 10);
  }

  /** Whether the request was taken; what is certain either way is asserted. */
  private boolean receiveAnything(byte[] content, String what) {
    SeriesTable fresh = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
    OtlpReply reply =
        new OtlpMetricsReceiver(fresh, chunks.pool(), problems)
            .receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), content));
    assertThat(reply.httpStatus()).as(what).isIn(200, 400);
    assertThat(reply.encoding()).isEqualTo(OtlpEncoding.PROTOBUF);
    boolean taken = reply.httpStatus() == 200;
    if (!taken) {
      assertThat(fresh.metricCount()).as(what).isZero();
      assertThat(fresh.seriesCount()).as(what).isZero();
      assertThat(RpcStatus.parse(reply.body()).message()).as(what).contains("at byte ");
    }
    try {
      assertThat(ExportMetricsServiceRequest.parseFrom(content)).isNotNull();
      // What protobuf's library reads is refused only for numbers that it cuts in silence.
      if (!taken) {
        assertThat(RpcStatus.parse(reply.body()).message())
            .as(what)
            .containsAnyOf("a field number from", "a varint of at most ten bytes");
      }
    } catch (InvalidProtocolBufferException e) {
      // It refuses requests for text that is not UTF-8 as well, of which here only points are.
      if (!String.valueOf(e.getMessage()).contains("UTF-8")) {
        assertThat(taken).as(what).isFalse();
      }
    }
    return taken;
  }

  @Test
  void saysWhereTheFaultIs() {
    assertThat(message("0a020a05"))
        .isEqualTo(
            "the body is not an OTLP metrics request in protobuf: at byte 3: in"
                + " resource_metrics[0].resource: expected a length of at most the 0 bytes that are"
                + " left in the message, found 5");
    // Two resources with two scopes; in the last, the second metric's name is too long.
    assertThat(message("0a00" + "0a0e" + "1200" + "120a" + "1200" + "1206" + "0a01610a0962"))
        .contains("at byte 16: in resource_metrics[1].scope_metrics[1].metrics[1].name: expected");
    // The bounds of a histogram have seven bytes.
    assertThat(message("0a13" + "1211" + "120f" + "4a0d" + "0a0b" + "3a0701020304050607" + "4000"))
        .contains(
            "resource_metrics[0].scope_metrics[0].metrics[0].histogram.data_points[0]"
                + ".explicit_bounds: expected a multiple of 8 bytes, found 7");
    assertThat(message("0b"))
        .contains("at byte 1: in resource_metrics[0]: expected the end of group 1");
    assertThat(problems.kind("otlp_request_malformed").count()).isEqualTo(4);
  }

  private String message(String hex) {
    byte[] content = HexFormat.of().parseHex(hex);
    OtlpReply reply = receiver.receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), content));
    assertThat(reply.httpStatus()).isEqualTo(400);
    RpcStatus status = RpcStatus.parse(reply.body());
    assertThat(status.code()).isEqualTo(3);
    return status.message();
  }

  @Test
  void refusesDeepNestingInBoundedMemory() throws Exception {
    for (int depth : new int[] {96, 10_000, 150_000}) {
      byte[] content = nested(depth);
      long bytes =
          AllocationMeter.bytesPerOperation(
              2,
              3,
              () -> {
                OtlpReply reply =
                    receiver.receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), content));
                assertThat(reply.httpStatus()).isEqualTo(400);
                assertThat(RpcStatus.parse(reply.body()).message())
                    .contains("expected messages at most 100 deep, found more");
              });
      assertThat(bytes).as("depth %d", depth).isLessThan(64 * 1024);
    }
  }

  @Test
  void readsTheDeepestNestingThatProtobufReads() throws Exception {
    byte[] content = nested(95);
    assertThat(ExportMetricsServiceRequest.parseFrom(content).getResourceMetricsCount()).isOne();
    OtlpReply reply = receiver.receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), content));
    assertThat(reply.httpStatus()).isEqualTo(200);
  }

  /** A resource attribute of a list in a list, and so on. */
  private static byte[] nested(int levels) {
    byte[] reversed = new byte[levels * 12 + 100];
    int at = reversed.length;
    for (int i = 0; i < levels; i++) {
      at = wrap(reversed, at, (levels - 1 - i) % 2 == 0 ? 5 << 3 | 2 : 1 << 3 | 2);
    }
    at = wrap(reversed, at, 2 << 3 | 2);
    for (int i = 0; i < 3; i++) {
      at = wrap(reversed, at, 1 << 3 | 2);
    }
    return Arrays.copyOfRange(reversed, at, reversed.length);
  }

  /** Puts a tag and the length of all that follows before it, and gives where it begins. */
  private static int wrap(byte[] message, int start, int tag) {
    int length = message.length - start;
    int size = 1;
    while (length >>> (7 * size) != 0) {
      size++;
    }
    int at = start - size;
    for (int i = 0; i < size; i++) {
      message[at + i] = (byte) ((length >>> (7 * i) & 0x7f) | (i + 1 < size ? 0x80 : 0));
    }
    message[at - 1] = (byte) tag;
    return at - 1;
  }
}
