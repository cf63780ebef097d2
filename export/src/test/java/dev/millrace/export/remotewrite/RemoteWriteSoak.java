package dev.millrace.export.remotewrite;

import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.ManagedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A sender and a receiver, each in a process of its own, of which one is killed now and then: what
 * arrives is counted sample by sample.
 */
final class RemoteWriteSoak {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Pattern WROTE = Pattern.compile("wrote (\\d+) ended true chunks 0");

  /** The header of a file of the disk queue, before the request. */
  private static final int FILE_HEADER_BYTES = 60;

  /** A request that was taken and not answered comes again, one of each shard for each kill. */
  private static final long MAX_TWICE = 4 * 2_000;

  private final Path directory;
  private final int series;
  private final int seconds;
  private final int port;
  private final SoakLedger ledger;
  private int logs;

  RemoteWriteSoak(Path directory, int samplesPerSecond, int seconds) throws IOException {
    this.directory = directory;
    series = samplesPerSecond / (10 * SoakSender.STEP);
    this.seconds = seconds;
    port = FreePort.find();
    ledger = new SoakLedger(directory.resolve("ledger"), series, maxSamples());
  }

  private int maxSamples() {
    // Both phases number their samples on.
    return 4 * 10 * SoakSender.STEP * seconds;
  }

  private ManagedProcess start(Class<?> program, Object... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ManagedProcess.java(),
                "-Xmx512m",
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    return ManagedProcess.start(
        command, Map.of(), directory.resolve(program.getSimpleName() + "-" + ++logs + ".log"));
  }

  private ManagedProcess receiver() {
    ManagedProcess receiver =
        start(SoakReceiver.class, port, directory.resolve("ledger"), series, maxSamples());
    receiver.awaitOutput("ready", LIMIT);
    return receiver;
  }

  private ManagedProcess sender(Object disk, int from, int forSeconds) {
    return start(
        SoakSender.class, "http://127.0.0.1:" + port + "/", disk, series, from, forSeconds);
  }

  private static void kill(ManagedProcess process) throws InterruptedException {
    process.process().destroyForcibly().waitFor();
  }

  private static void awaitSecond(ManagedProcess sender, int second) {
    sender.awaitOutput("second " + second + " ", LIMIT.plusSeconds(second));
  }

  /** How many numbers of each series a sender wrote that has ended. */
  private static int wrote(ManagedProcess sender) throws InterruptedException {
    if (!sender.process().waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("expected the sender to end, found " + sender.tail());
    }
    Matcher wrote = WROTE.matcher(sender.output());
    if (!wrote.find()) {
      throw new AssertionError("expected all to be delivered, found " + sender.tail());
    }
    return Integer.parseInt(wrote.group(1));
  }

  /**
   * Nothing is lost while a receiver is killed twice, and nothing comes twice but what was under
   * way then.
   */
  String killTheReceiverTwice() throws Exception {
    ManagedProcess receiver = receiver();
    try (ManagedProcess sender = sender("-", 0, seconds)) {
      for (int part = 1; part <= 2; part++) {
        awaitSecond(sender, seconds * part / 4);
        kill(receiver);
        awaitSecond(sender, seconds * part / 4 + Math.max(1, Math.min(10, seconds / 10)));
        receiver = receiver();
      }
      int wrote = wrote(sender);
      expect("samples that are missing", ledger.missing(0, wrote), 0);
      expect("samples out of order", ledger.disordered(), 0);
      expect("samples that came twice", ledger.twice(), 2 * MAX_TWICE);
      return "receiver killed twice: " + summary() + "; " + memory(sender);
    } finally {
      receiver.close();
    }
  }

  private String summary() {
    return ledger.taken() + " samples taken, " + ledger.twice() + " of them twice, none lost";
  }

  /** The least heap in use in each third: about what lives, as each has many collections. */
  private static String memory(ManagedProcess sender) {
    Matcher heap =
        Pattern.compile("second (\\d+) chunks (\\d+) heap (\\d+)").matcher(sender.output());
    List<Integer> seen = new ArrayList<>();
    while (heap.find()) {
      seen.add(Integer.parseInt(heap.group(3)));
    }
    int third = seen.size() / 3;
    return "least heap in use by the sender in each third, in MiB: "
        + Collections.min(seen.subList(0, third))
        + ", "
        + Collections.min(seen.subList(third, 2 * third))
        + ", "
        + Collections.min(seen.subList(2 * third, seen.size()));
  }

  /**
   * What the disk queue had accepted arrives, in order, after its process was killed while the
   * receiver was down.
   */
  String killTheSender() throws Exception {
    Path disk = directory.resolve("queue");
    int from = maxSamples() / 4;
    int next = maxSamples() / 2;
    int part = Math.max(2, seconds / 4);
    long twiceBefore = ledger.twice();
    ManagedProcess receiver = receiver();
    try (ManagedProcess killed = sender(disk, from, seconds)) {
      awaitSecond(killed, 1);
      kill(receiver);
      awaitSecond(killed, part);
      kill(killed);
      List<int[]> accepted = samplesIn(disk);
      if (accepted.isEmpty()) {
        throw new AssertionError("expected samples on the disk, found none: " + killed.tail());
      }
      receiver = receiver();
      try (ManagedProcess successor = sender(disk, next, part)) {
        int wrote = wrote(successor);
        expect("samples that are missing", ledger.missing(next, next + wrote), 0);
      }
      long missing = accepted.stream().filter(each -> !ledger.has(each[0], each[1])).count();
      expect("samples that were on the disk and are missing", missing, 0);
      expect("samples out of order", ledger.disordered(), 0);
      expect("samples that came twice", ledger.twice() - twiceBefore, 2 * MAX_TWICE);
      return "sender killed: " + accepted.size() + " samples were on the disk; " + summary();
    } finally {
      receiver.close();
    }
  }

  /** Series and numbers of all samples in the files of a queue. */
  private static List<int[]> samplesIn(Path disk) throws IOException {
    List<int[]> samples = new ArrayList<>();
    try (Stream<Path> files = Files.walk(disk)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".millrace")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        ReadRequest request =
            ReadRequest.of(Arrays.copyOfRange(bytes, FILE_HEADER_BYTES, bytes.length), true);
        for (ReadRequest.Series each : request.series()) {
          int number = Integer.parseInt(each.labels().getOrDefault("number", "-1"));
          for (ReadRequest.Sample sample : each.samples()) {
            samples.add(new int[] {number, (int) sample.value()});
          }
        }
      }
    }
    return samples;
  }

  private static void expect(String what, long found, long most) {
    if (found > most) {
      throw new AssertionError("expected at most " + most + " " + what + ", found " + found);
    }
  }
}
