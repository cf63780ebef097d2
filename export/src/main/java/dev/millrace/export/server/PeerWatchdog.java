package dev.millrace.export.server;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ends waits for peers that are too slow. A thread that is about to wait for a peer arms its {@link
 * Watch}; if it still waits when the time is over, it is interrupted, which closes the channel that
 * it waits for, and only that: outside of armed stretches nobody is interrupted, so that no other
 * channel of the application is ever closed by this.
 *
 * <p>Thread-safe. A daemon thread looks at the watches while there are any, and ends itself when
 * there were none for a while.
 */
final class PeerWatchdog {
  /** How often it looks: a tenth of the shortest limit in use makes a cut-off that much late. */
  private static final long TICK_MILLIS = 500;

  /**
   * How many of these it stays when there is nothing to watch: more than two periods after which
   * unneeded memory is let go, so that it is let go once nobody scrapes any more, and longer than a
   * usual scrape interval, so that there is not a new thread for each scrape.
   */
  private static final long IDLE_TICKS = 400;

  private final ConcurrentHashMap<Thread, Watch> watches = new ConcurrentHashMap<>();
  private final long limitNanos;
  private final Runnable whenIdle;
  private final Object lock = new Object();
  private @Nullable Thread watcher;
  private volatile boolean cut;

  /**
   * A watchdog.
   *
   * @param limitMillis how long one wait for a peer may take, 1 or more
   * @param whenIdle called now and then while there is nothing to watch; does not throw
   */
  PeerWatchdog(long limitMillis, Runnable whenIdle) {
    this.limitNanos = limitMillis * 1_000_000;
    this.whenIdle = whenIdle;
  }

  /**
   * Begins or nests a watch of the current thread, which then owns it until {@link Watch#leave}.
   * What the watch was armed for outside is suspended until then.
   */
  Watch enter() {
    Thread thread = Thread.currentThread();
    Watch watch = watches.get(thread);
    if (watch == null) {
      watch = new Watch(thread);
      watches.put(thread, watch);
      keepWatching();
    }
    watch.depth++;
    watch.disarm();
    return watch;
  }

  /** Ends all waits, those of the future too: the server closes. */
  void cutAll() {
    cut = true;
    long now = System.nanoTime();
    watches.values().forEach(watch -> watch.check(now));
  }

  private void keepWatching() {
    synchronized (lock) {
      if (watcher == null) {
        Thread thread = new Thread(this::watch, "millrace-peer-watchdog");
        thread.setDaemon(true);
        watcher = thread;
        thread.start();
      }
    }
  }

  private void watch() {
    long idleTicks = 0;
    while (true) {
      try {
        Thread.sleep(TICK_MILLIS);
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt it; it ends by itself.
        continue;
      }
      long now = System.nanoTime();
      watches.values().forEach(watch -> watch.check(now));
      idleTicks = watches.isEmpty() ? idleTicks + 1 : 0;
      if (idleTicks > 0) {
        whenIdle.run();
      }
      if (idleTicks >= IDLE_TICKS || cut) {
        synchronized (lock) {
          if (watches.isEmpty()) {
            watcher = null;
            return;
          }
        }
      }
    }
  }

  /** The watch of one thread while it serves one request. */
  final class Watch {
    private final Thread thread;
    private int depth;
    private boolean armed;
    private boolean fired;
    private boolean aborted;
    private long armedAtNanos;

    private Watch(Thread thread) {
      this.thread = thread;
    }

    /** The thread begins to wait for its peer. */
    synchronized void arm() {
      armed = true;
      fired = false;
      armedAtNanos = System.nanoTime();
      if (cut || aborted) {
        fire();
      }
    }

    /** Ends the wait for this peer, now and later, until {@link #forgetAbort}. Any thread. */
    synchronized void abort() {
      aborted = true;
      if (armed && !fired) {
        fire();
      }
    }

    /** The next wait is one for something else. */
    synchronized void forgetAbort() {
      aborted = false;
    }

    /**
     * The wait is over.
     *
     * @return whether it was ended for the peer's sake, and not because the server closes
     */
    synchronized boolean disarm() {
      armed = false;
      boolean wasFired = fired;
      if (wasFired) {
        fired = false;
        // The interrupt was for the channel, which is closed now, and not for the thread's owner.
        Thread.interrupted();
      }
      return wasFired && !cut;
    }

    /**
     * Ends what {@link #enter} began. Where that was nested, the outer stretch goes on and its wait
     * begins anew.
     *
     * @return as for {@link #disarm}
     */
    boolean leave() {
      boolean wasFired = disarm();
      if (--depth == 0) {
        watches.remove(thread);
      } else {
        arm();
      }
      return wasFired;
    }

    private synchronized void check(long now) {
      if (armed && !fired && (cut || now - armedAtNanos >= limitNanos)) {
        fire();
      }
    }

    private void fire() {
      fired = true;
      thread.interrupt();
    }
  }
}
