package dev.millrace.export.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.Spool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.ManagedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Several processes in one directory, and processes that are killed. */
class DiskQueueProcessTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int SIZES = 200_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @TempDir private Path directory;

  private static DiskQueueOptions options(Path directory) {
    return DiskQueueOptions.in(directory, "test/bytes")
        .withMaxFiles(100_000)
        .withMaxBytes(1L << 40);
  }

  /** What the payload of a number is. */
  private static byte[] bytes(long number) {
    return Payloads.random(number, new SplittableRandom(number).nextInt(SIZES));
  }

  /** Adds payload after payload; says so of each one that is kept. */
  static final class Writer {
    private Writer() {}

    /** The directory, the first number, and whether to take the right to send. */
    public static void main(String[] arguments) throws IOException {
      ChunkPool pool = new ChunkPool(16);
      DiskQueue queue = DiskQueue.open(options(Path.of(arguments[0])), pool);
      int number = Integer.parseInt(arguments[1]);
      if (arguments[2].equals("own")) {
        try (Payload payload = Payloads.of(pool, new byte[0])) {
          queue.add(payload, Integer.MAX_VALUE);
        }
        Spool.Stored stored = queue.oldest();
        System.out.println("owner=" + (stored != null));
        while (System.in.read() >= 0) {
          // Until it is killed.
        }
      }
      while (true) {
        try (Payload payload = Payloads.of(pool, bytes(number))) {
          if (queue.add(payload, number)) {
            System.out.println("kept " + number + ".");
          }
        }
        number++;
      }
    }
  }

  private ManagedProcess writer(int firstNumber, String mode, String log) {
    return ManagedProcess.start(
        List.of(
            ManagedProcess.java(),
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            directory.resolve("spool").toString(),
            Integer.toString(firstNumber),
            mode),
        Map.of(),
        directory.resolve(log));
  }

  private static List<Integer> kept(ManagedProcess process) {
    List<Integer> numbers = new ArrayList<>();
    for (String line : process.output().split("\n", -1)) {
      if (line.startsWith("kept ") && line.endsWith(".")) {
        numbers.add(Integer.parseInt(line.substring(5, line.length() - 1)));
      }
    }
    return numbers;
  }

  private static void kill(ManagedProcess process) throws InterruptedException {
    process.process().destroyForcibly();
    assertThat(process.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private Set<Integer> takeAll(Problems problems) {
    Set<Integer> found = new HashSet<>();
    int last = 0;
    try (DiskQueue queue =
        DiskQueue.open(options(directory.resolve("spool")).withProblems(problems), chunks.pool())) {
      for (Spool.Stored stored = queue.oldest(); stored != null; stored = queue.oldest()) {
        try (Payload payload = stored.payload()) {
          assertThat(payload.toByteArray()).isEqualTo(bytes(stored.items()));
        }
        assertThat(stored.items()).isGreaterThan(last);
        last = stored.items();
        found.add(stored.items());
        queue.remove(stored);
      }
    }
    return found;
  }

  @Test
  void whatWasKeptIsThereWholeAndInOrderAfterKillMinus9() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 4; round++) {
      String as = "round " + round + ", seed " + seed;
      List<Integer> kept;
      try (ManagedProcess writer = writer(1, "write", "log" + round)) {
        int enough = 1 + random.nextInt(12);
        Eventually.isTrue(as, LIMIT, () -> kept(writer).size() >= enough);
        kill(writer);
        kept = kept(writer);
      }
      Problems problems = new Problems(() -> 0, line -> {});
      Set<Integer> found = takeAll(problems);
      assertThat(found).as(as).containsAll(kept);
      // One that was whole when its writer was killed need not have been reported.
      assertThat(found.size()).as(as).isBetween(kept.size(), kept.size() + 1);
      assertThat(problems.kind(DiskQueue.CORRUPT).count()).as(as).isZero();
    }
  }

  @Test
  void anotherProcessTakesOverWhenTheOwnerIsKilled() throws Exception {
    try (ManagedProcess owner = writer(1, "own", "owner");
        DiskQueue here = DiskQueue.open(options(directory.resolve("spool")), chunks.pool())) {
      owner.awaitOutput("owner=true", LIMIT);
      assertThat(here.oldest()).isNull();
      assertThat(here.mayHold()).isTrue();
      try (Payload payload = Payloads.of(chunks.pool(), new byte[] {7})) {
        assertThat(here.add(payload, 2)).isTrue();
      }
      assertThat(here.oldest()).isNull();
      kill(owner);
      Spool.Stored first = Eventually.get("the right to send", LIMIT, here::oldest);
      assertThat(first.items()).isEqualTo(Integer.MAX_VALUE);
      first.payload().close();
      here.remove(first);
      Spool.Stored second = Objects.requireNonNull(here.oldest());
      assertThat(second.items()).isEqualTo(2);
      second.payload().close();
    }
  }

  @Test
  void twoProcessesWriteAtOnceAndNothingIsLost() throws Exception {
    try (ManagedProcess one = writer(1, "write", "one");
        ManagedProcess two = writer(1_000_001, "write", "two");
        DiskQueue here = DiskQueue.open(options(directory.resolve("spool")), chunks.pool())) {
      Set<Integer> found = new HashSet<>();
      Eventually.isTrue(
          "five of each",
          LIMIT,
          () -> {
            takeOne(here, found);
            return kept(one).size() >= 5 && kept(two).size() >= 5;
          });
      kill(one);
      kill(two);
      int before;
      do {
        before = found.size();
        takeOne(here, found);
      } while (found.size() > before);
      assertThat(found).containsAll(kept(one)).containsAll(kept(two));
    }
  }

  private static void takeOne(DiskQueue queue, Set<Integer> found) {
    Spool.Stored stored = queue.oldest();
    if (stored != null) {
      try (Payload payload = stored.payload()) {
        assertThat(payload.toByteArray()).isEqualTo(bytes(stored.items()));
      }
      found.add(stored.items());
      queue.remove(stored);
    }
  }
}
