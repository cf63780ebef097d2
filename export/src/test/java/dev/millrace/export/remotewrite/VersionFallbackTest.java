package dev.millrace.export.remotewrite;

import static dev.millrace.export.remotewrite.FakeRequestTransport.badRequest;
import static dev.millrace.export.remotewrite.FakeRequestTransport.ok;
import static dev.millrace.export.remotewrite.FakeRequestTransport.unavailable;
import static dev.millrace.export.remotewrite.FakeRequestTransport.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.SendResult;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.testkit.GivenBack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which version a receiver gets, and what its counts mean. */
class VersionFallbackTest {
  private static final RemoteWriteVersion V1 = RemoteWriteVersion.V1;
  private static final RemoteWriteVersion V2 = RemoteWriteVersion.V2;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private FakeWriter writer(VersionPolicy versions) {
    return new FakeWriter(chunks.pool(), options -> options.withVersions(versions));
  }

  private static List<RemoteWriteVersion> versions(FakeWriter fake) {
    return fake.transport.sent.stream().map(FakeRequestTransport.Sent::version).toList();
  }

  @Test
  void aReceiverThatCountsGetsVersion2() {
    FakeWriter fake = writer(VersionPolicy.V2_THEN_V1);
    fake.transport.counts = true;
    fake.transport.otherwise = ok();
    fake.write(0, 1);
    fake.write(0, 2);
    assertThat(versions(fake)).containsExactly(V2, V2);
    assertThat(fake.values()).containsExactly(List.of(1.0), List.of(2.0));
    assertThat(fake.sent()).isEqualTo(2);
    assertThat(fake.writer.stats().version()).isEqualTo(V2);
    assertThat(fake.writer.shutdown(0)).isTrue();
    assertThat(fake.log).isEmpty();
  }

  @Test
  void successWithoutCountsIsAReceiverThatLacksVersion2() {
    FakeWriter fake = writer(VersionPolicy.V2_THEN_V1);
    fake.write(0, 1);
    // Made as 2.0, too, before anything is known.
    fake.write(0, 2);
    fake.transport.otherwise = ok();
    fake.transport.answer(ok());
    fake.timer.run();
    fake.write(0, 3);
    assertThat(versions(fake)).containsExactly(V2, V1, V1, V1);
    assertThat(fake.values())
        .containsExactly(List.of(1.0), List.of(1.0), List.of(2.0), List.of(3.0));
    assertThat(fake.sent()).isEqualTo(3);
    assertThat(fake.writer.stats().samples().dropped()).isEmpty();
    assertThat(fake.writer.stats().version()).isEqualTo(V1);
    assertThat(fake.log)
        .hasSize(1)
        .allMatch(line -> line.startsWith("remote_write_version_fallback: fake://receiver:1"));
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void anUnsupportedMediaTypeFallsBack() {
    FakeWriter fake = writer(VersionPolicy.V2_THEN_V1);
    fake.transport.otherwise = ok();
    fake.transport.answers.add(SendResult.fatal(415, "415", "HTTP 415: what is this"));
    fake.write(0, 1);
    assertThat(versions(fake)).containsExactly(V2, V1);
    assertThat(fake.sent()).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void aBadRequestWithoutCountsFallsBackUnlessTheReceiverHasCountedBefore() {
    FakeWriter old = writer(VersionPolicy.V2_THEN_V1);
    old.transport.otherwise = ok();
    old.transport.answers.add(badRequest());
    old.write(0, 1);
    assertThat(versions(old)).containsExactly(V2, V1);
    assertThat(old.sent()).isEqualTo(1);
    assertThat(old.writer.shutdown(0)).isTrue();

    FakeWriter current = writer(VersionPolicy.V2_THEN_V1);
    current.transport.counts = true;
    current.transport.otherwise = ok();
    current.write(0, 1);
    current.transport.answers.add(badRequest());
    current.write(0, 2);
    assertThat(versions(current)).containsExactly(V2, V2);
    assertThat(current.dropped(DropReason.REJECTED)).isEqualTo(1);
    assertThat(current.writer.shutdown(0)).isTrue();
  }

  @Test
  void aReceiverThatIsDownIsNoReceiverOfVersion1() {
    FakeWriter fake = writer(VersionPolicy.V2_THEN_V1);
    fake.transport.counts = true;
    fake.transport.otherwise = ok();
    fake.transport.answers.add(unavailable());
    fake.write(0, 1);
    fake.timer.advanceMillis(1_000);
    assertThat(versions(fake)).containsExactly(V2, V2);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void version2OnlyDropsWhatTheReceiverCannotRead() {
    FakeWriter fake = writer(VersionPolicy.V2);
    fake.transport.otherwise = ok();
    fake.transport.answers.add(SendResult.fatal(415, "415", "HTTP 415"));
    fake.write(0, 1);
    fake.write(0, 2);
    assertThat(versions(fake)).containsExactly(V2, V2);
    assertThat(fake.sent()).isZero();
    assertThat(fake.dropped(DropReason.REJECTED)).isEqualTo(2);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatWasNotWrittenIsCounted() {
    FakeWriter fake = writer(VersionPolicy.V2_THEN_V1);
    Points points = new Points("load");
    for (int i = 0; i < 10; i++) {
      points.add(i, fake.nowUnixMillis(), i);
    }
    fake.transport.otherwise = written(7);
    fake.writeAll(points);
    fake.timer.run();
    assertThat(fake.sent()).isEqualTo(7);
    assertThat(fake.dropped(DropReason.NOT_WRITTEN)).isEqualTo(3);
    fake.transport.otherwise = badRequest().withHeaders(Map.of(Written.SAMPLES, "9"));
    points.clear();
    for (int i = 0; i < 10; i++) {
      points.add(i, fake.nowUnixMillis() + 1, i);
    }
    fake.writeAll(points);
    fake.timer.run();
    assertThat(fake.sent()).isEqualTo(16);
    assertThat(fake.dropped(DropReason.REJECTED)).isEqualTo(1);
    assertThat(versions(fake)).containsExactly(V2, V2);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void countsThatMakeNoSenseAreNothingWritten() {
    FakeWriter fake = writer(VersionPolicy.V2_THEN_V1);
    for (String count : List.of("-1", "many", "", "99999999999999999999")) {
      fake.transport.answers.add(ok().withHeaders(Map.of(Written.SAMPLES, count)));
      fake.write(0, 1);
    }
    fake.transport.answers.add(ok().withHeaders(Map.of(Written.SAMPLES, "1000000")));
    fake.write(0, 1);
    assertThat(fake.dropped(DropReason.NOT_WRITTEN)).isEqualTo(4);
    assertThat(fake.sent()).isEqualTo(1);
    assertThat(fake.writer.shutdown(0)).isTrue();
  }
}
