package dev.millrace.export.remotewrite;

import static dev.millrace.export.remotewrite.FakeRequestTransport.badRequest;
import static dev.millrace.export.remotewrite.FakeRequestTransport.ok;
import static dev.millrace.export.remotewrite.FakeRequestTransport.tooLarge;
import static dev.millrace.export.remotewrite.FakeRequestTransport.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A writer with a real directory behind it: order, restarts, and what a disk can do wrong. */
class RemoteWriterDiskTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(256), ChunkPool::outstandingChunks);

  @TempDir private Path directory;

  private FakeWriter open() {
    return open(options -> options);
  }

  /** A writer that brings to the disk what is over two requests. */
  private FakeWriter open(UnaryOperator<RemoteWriterOptions> change) {
    return new FakeWriter(
        chunks.pool(),
        options ->
            change.apply(
                options.withQueue(options.queue().withMaxRequests(4).withDirectory(directory))));
  }

  private static List<List<Double>> each(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> List.of((double) i)).toList();
  }

  private static void write(FakeWriter fake, int from, int to) {
    for (int i = from; i < to; i++) {
      fake.write(0, i);
    }
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(path -> path.toString().endsWith(".millrace")).count();
    }
  }

  @Test
  void whatIsOverGoesToTheDiskAndComesBackInOrder() throws Exception {
    FakeWriter fake = open();
    write(fake, 0, 20);
    assertThat(files()).isPositive();
    assertThat(fake.writer.stats().queue().requests()).isLessThanOrEqualTo(4);
    fake.transport.otherwise = ok();
    fake.transport.answer(ok());
    fake.timer.run();
    assertThat(fake.values()).isEqualTo(each(0, 20));
    write(fake, 20, 22);
    assertThat(fake.values()).isEqualTo(each(0, 22));
    assertThat(files()).isZero();
    assertThat(fake.sent()).isEqualTo(22);
    assertThat(fake.writer.stats().samples().dropped()).isEmpty();
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatIsLeftAtTheEndIsSentByTheNextWriterInOrder() throws Exception {
    FakeWriter first = open();
    write(first, 0, 9);
    // One under way, some on the disk.
    first.writer.shutdown(0);
    assertThat(first.values()).isEqualTo(each(0, 1));
    assertThat(first.writer.stats().samples().dropped()).isEmpty();
    FakeWriter second = open();
    second.transport.otherwise = ok();
    second.write(0, 9);
    assertThat(second.values()).isEqualTo(each(0, 10));
    assertThat(files()).isZero();
    assertThat(second.writer.shutdown(0)).isTrue();
  }

  @Test
  void memoryAloneIsKeptAtTheEndToo() {
    FakeWriter first = open();
    write(first, 0, 2);
    first.writer.shutdown(0);
    FakeWriter second = open();
    second.transport.otherwise = ok();
    second.timer.run();
    assertThat(second.values()).isEqualTo(each(0, 2));
    assertThat(second.writer.shutdown(0)).isTrue();
  }

  @Test
  void aRequestStaysOnTheDiskUntilItIsDelivered() throws Exception {
    FakeWriter first = open();
    write(first, 0, 4);
    first.writer.shutdown(0);
    FakeWriter second = open();
    second.transport.answers.addAll(List.of(ok(), unavailable()));
    second.timer.run();
    assertThat(files()).isEqualTo(3);
    // As if it had been killed: nothing is kept, and only the lock goes.
    second.writer.shutdown(0);
    FakeWriter third = open();
    third.transport.otherwise = ok();
    third.timer.run();
    assertThat(third.values()).isEqualTo(each(1, 4));
    assertThat(third.writer.shutdown(0)).isTrue();
  }

  @Test
  void aPartThatWasDeliveredIsNotDeliveredAgain() {
    FakeWriter first = open();
    Points points = new Points("load");
    points.add(0, first.nowUnixMillis(), 0).add(1, first.nowUnixMillis(), 1);
    first.writeAll(points);
    first.timer.run();
    first.write(0, 2);
    first.writer.shutdown(0);
    FakeWriter second = open();
    second.transport.answers.addAll(List.of(tooLarge(), ok(), unavailable()));
    second.timer.run();
    second.writer.shutdown(0);
    FakeWriter third = open();
    third.transport.otherwise = ok();
    third.timer.run();
    assertThat(third.values()).containsExactly(List.of(1.0), List.of(2.0));
    assertThat(third.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatTheReceiverNeverTakesDoesNotHoldUpTheRest() throws Exception {
    FakeWriter first = open();
    write(first, 0, 4);
    first.writer.shutdown(0);
    FakeWriter second = open();
    second.transport.otherwise = ok();
    second.transport.answers.add(badRequest());
    second.timer.run();
    assertThat(second.values()).isEqualTo(each(0, 4));
    assertThat(second.dropped(DropReason.REJECTED)).isEqualTo(1);
    assertThat(files()).isZero();
    assertThat(second.writer.shutdown(0)).isTrue();
  }

  @Test
  void theOldestIsDroppedWhereTheDirectoryIsFull() {
    FakeWriter fake = open(options -> options.withQueue(options.queue().withMaxDiskRequests(5)));
    write(fake, 0, 30);
    fake.transport.otherwise = ok();
    fake.transport.answer(ok());
    fake.timer.run();
    List<List<Double>> values = fake.values();
    assertThat(values).startsWith(List.of(0.0)).endsWith(List.of(29.0));
    assertThat(values).isSortedAccordingTo((a, b) -> Double.compare(a.get(0), b.get(0)));
    assertThat(fake.dropped(DropReason.DISK_FULL)).isEqualTo(30 - values.size()).isPositive();
    assertThat(fake.sent()).isEqualTo(values.size());
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void aFileThatIsNoRequestIsPassedOver() throws Exception {
    FakeWriter first = open();
    write(first, 0, 4);
    first.writer.shutdown(0);
    try (Stream<Path> all = Files.walk(directory)) {
      Path oldest =
          all.filter(path -> path.toString().endsWith(".millrace"))
              .sorted()
              .findFirst()
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(oldest);
      bytes[bytes.length - 1] ^= 1;
      Files.write(oldest, bytes);
    }
    FakeWriter second = open();
    second.transport.otherwise = ok();
    second.timer.run();
    assertThat(second.values()).isEqualTo(each(1, 4));
    assertThat(second.writer.shutdown(0)).isTrue();
  }

  @Test
  void aDiskThatTakesNothingCostsWhatMemoryHasNoRoomFor() throws Exception {
    FakeWriter fake = open();
    // The folder goes, as a disk does that is unmounted.
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(directory)) {
          Files.delete(path);
        }
      }
    }
    write(fake, 0, 10);
    assertThat(fake.dropped(DropReason.QUEUE_FULL)).isEqualTo(6);
    fake.transport.otherwise = ok();
    fake.transport.answer(ok());
    fake.timer.advanceMillis(60_000);
    assertThat(fake.values())
        .containsExactly(List.of(0.0), List.of(7.0), List.of(8.0), List.of(9.0));
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatIsOnTheDiskIsSentAsTheReceiverReadsIt() {
    FakeWriter first = open(options -> options.withVersions(VersionPolicy.V2));
    write(first, 0, 3);
    first.writer.shutdown(0);
    FakeWriter second = open(options -> options.withVersions(VersionPolicy.V1));
    second.transport.otherwise = ok();
    second.timer.run();
    assertThat(second.transport.sent)
        .extracting(FakeRequestTransport.Sent::version)
        .containsOnly(RemoteWriteVersion.V1);
    assertThat(second.values()).isEqualTo(each(0, 3));
    assertThat(second.writer.shutdown(0)).isTrue();
  }

  @Test
  void anHourWithoutAReceiverLosesNothingThatTheDiskHolds() {
    FakeWriter fake = open();
    fake.transport.otherwise = unavailable();
    for (int i = 0; i < 360; i++) {
      fake.write(0, i);
      fake.timer.advanceMillis(10_000);
    }
    assertThat(fake.writer.stats().samples().dropped()).isEmpty();
    assertThat(chunks.pool().outstandingChunks()).isLessThanOrEqualTo(5);
    fake.transport.otherwise = ok();
    fake.transport.sent.clear();
    fake.timer.advanceMillis(10_000);
    assertThat(fake.values()).isEqualTo(each(0, 360));
    assertThat(fake.writer.shutdown(0)).isTrue();
  }

  @Test
  void whatWasSpreadOverAnotherNumberOfShardsIsSentFirst() {
    FakeWriter first =
        open(
            options ->
                options.withEncoding(
                    options.encoding().withLimits(options.encoding().limits().withShards(3))));
    for (int i = 0; i < 12; i++) {
      first.write(i % 4, i);
    }
    first.writer.shutdown(0);
    FakeWriter second = open();
    second.writeLater(0, 12);
    second.timer.run();
    second.transport.otherwise = ok();
    while (second.transport.unanswered() > 0) {
      second.transport.answer(ok());
    }
    second.timer.advanceMillis(10_000);
    List<Double> values = second.values().stream().map(each -> each.get(0)).toList();
    assertThat(values).hasSize(13).endsWith(12.0);
    for (int series = 0; series < 4; series++) {
      int number = series;
      assertThat(values.stream().filter(value -> value % 4 == number))
          .as("series %d", number)
          .isSorted();
    }
    assertThat(second.writer.shutdown(0)).isTrue();
  }
}
