package dev.millrace.export.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Some seconds; {@code export/soak-remote-write.sh} runs the same for long. */
class RemoteWriteSoakTest {
  private static final int SECONDS = Integer.getInteger("millrace.soak.seconds", 8);
  private static final int RATE = Integer.getInteger("millrace.soak.rate", 5_000);

  @TempDir private Path directory;

  private RemoteWriteSoak soak() throws Exception {
    return new RemoteWriteSoak(directory, RATE, SECONDS);
  }

  @Test
  void nothingIsLostWhileTheReceiverIsKilledTwice() throws Exception {
    String found = soak().killTheReceiverTwice();
    System.out.println(found);
    assertThat(found).contains("none lost");
  }

  @Test
  void whatTheDiskHadArrivesAfterTheSenderWasKilled() throws Exception {
    String found = soak().killTheSender();
    System.out.println(found);
    assertThat(found).contains("none lost");
  }
}
