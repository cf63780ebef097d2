package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeerWatchdogTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final long LONG_MILLIS = 600_000;

  private final AtomicInteger idle = new AtomicInteger();
  private final PeerWatchdog watchdog = new PeerWatchdog(LONG_MILLIS, idle::incrementAndGet);

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  @Test
  void anAbortEndsTheWaitAndIsForgottenAfterwards() {
    PeerWatchdog.Watch watch = watchdog.enter();
    watch.arm();
    assertThat(isInterrupted()).isFalse();
    watch.abort();
    watch.abort();
    assertThat(isInterrupted()).isTrue();
    assertThat(watch.disarm()).isTrue();
    assertThat(isInterrupted()).isFalse();

    watch.arm();
    assertThat(isInterrupted()).as("the reply stays aborted").isTrue();
    assertThat(watch.disarm()).isTrue();
    watch.forgetAbort();
    watch.arm();
    assertThat(isInterrupted()).isFalse();
    assertThat(watch.leave()).isFalse();
  }

  @Test
  void nobodyIsInterruptedWhoDoesNotWaitForThePeer() {
    PeerWatchdog.Watch watch = watchdog.enter();
    watch.abort();
    watchdog.cutAll();
    assertThat(isInterrupted()).isFalse();
    assertThat(watch.leave()).isFalse();
    assertThat(isInterrupted()).isFalse();
  }

  @Test
  void aNestedStretchSuspendsTheOuterOne() {
    PeerWatchdog.Watch outer = watchdog.enter();
    outer.arm();
    PeerWatchdog.Watch inner = watchdog.enter();
    assertThat(inner).isSameAs(outer);
    inner.abort();
    assertThat(isInterrupted()).isFalse();
    inner.forgetAbort();
    inner.leave();
    watchdog.cutAll();
    assertThat(isInterrupted()).as("the outer one waits again").isTrue();
    assertThat(outer.leave()).as("ended for the peer's sake").isFalse();
    assertThat(isInterrupted()).isFalse();
  }

  @Test
  void aWaitThatTakesTooLongIsEnded() throws Exception {
    PeerWatchdog impatient = new PeerWatchdog(1, () -> {});
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              PeerWatchdog.Watch watch = impatient.enter();
              watch.arm();
              try {
                TimeUnit.MILLISECONDS.sleep(LONG_MILLIS);
                ended.complete(false);
              } catch (InterruptedException e) {
                ended.complete(watch.leave());
              }
            });
    waiting.setDaemon(true);
    waiting.start();
    assertThat(ended.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void tellsWhenThereIsNothingToWatch() {
    watchdog.enter().leave();
    int before = idle.get();
    Eventually.isTrue("an idle moment", LIMIT, () -> idle.get() > before);
  }
}
