package dev.millrace.export.push;

import dev.millrace.model.Problems;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Sender} sends. Immutable; every value is checked when it is given.
 *
 * <pre>{@code
 * SenderOptions options = SenderOptions.defaults().withTimeoutMillis(5_000);
 * assert options.timeoutMillis() == 5_000 && options.retry().maxAttempts() == 5;
 * }</pre>
 *
 * @param timeoutMillis how long an export may take with all attempts and pauses, 1 to {@link
 *     Retry#MAX_MILLIS}
 * @param retry attempts and pauses
 * @param maxInFlight how many exports may be under way, 1 or more; more are refused
 * @param maxRequestBytes larger payloads are split before they are sent, 1 or more
 * @param splitter splits; {@code null} where payloads cannot be split
 * @param spool takes what could not be sent; {@code null} for none. The sender closes it
 * @param spoolListener hears of the replies to what comes from the spool, and of each such export's
 *     end; it is called by one thread at a time, again and again
 * @param problems counts what was lost
 */
public record SenderOptions(
    long timeoutMillis,
    Retry retry,
    int maxInFlight,
    long maxRequestBytes,
    @Nullable Splitter splitter,
    @Nullable Spool spool,
    SendListener spoolListener,
    Problems problems) {
  /** By OTLP's specification. */
  private static final long DEFAULT_TIMEOUT_MILLIS = 10_000;

  /** Each may hold a batch of some megabytes while an endpoint is slow. */
  private static final int DEFAULT_MAX_IN_FLIGHT = 8;

  /** Checks the bounds. */
  public SenderOptions {
    within("timeoutMillis", timeoutMillis, 1, Retry.MAX_MILLIS);
    within("maxInFlight", maxInFlight, 1, Integer.MAX_VALUE);
    within("maxRequestBytes", maxRequestBytes, 1, Long.MAX_VALUE);
  }

  /** 10 seconds, the default retry, eight in flight, no bound, no splitting, no disk. */
  public static SenderOptions defaults() {
    return new SenderOptions(
        DEFAULT_TIMEOUT_MILLIS,
        Retry.defaults(),
        DEFAULT_MAX_IN_FLIGHT,
        Long.MAX_VALUE,
        null,
        null,
        new Ignorant(),
        new Problems());
  }

  /** These options with another {@link #timeoutMillis()}. */
  public SenderOptions withTimeoutMillis(long timeoutMillis) {
    return with(draft -> draft.timeoutMillis = timeoutMillis);
  }

  /** These options with another {@link #retry()}. */
  public SenderOptions withRetry(Retry retry) {
    return with(draft -> draft.retry = retry);
  }

  /** These options with another {@link #maxInFlight()}. */
  public SenderOptions withMaxInFlight(int maxInFlight) {
    return with(draft -> draft.maxInFlight = maxInFlight);
  }

  /** These options with another {@link #maxRequestBytes()}. */
  public SenderOptions withMaxRequestBytes(long maxRequestBytes) {
    return with(draft -> draft.maxRequestBytes = maxRequestBytes);
  }

  /** These options with another {@link #splitter()}. */
  public SenderOptions withSplitter(@Nullable Splitter splitter) {
    return with(draft -> draft.splitter = splitter);
  }

  /** These options with another {@link #spool()}. */
  public SenderOptions withSpool(@Nullable Spool spool) {
    return with(draft -> draft.spool = spool);
  }

  /** These options with another {@link #spoolListener()}. */
  public SenderOptions withSpoolListener(SendListener spoolListener) {
    return with(draft -> draft.spoolListener = spoolListener);
  }

  /** These options with other {@link #problems()}. */
  public SenderOptions withProblems(Problems problems) {
    return with(draft -> draft.problems = problems);
  }

  /** These options while one of them changes. */
  private static final class Draft {
    long timeoutMillis;
    Retry retry;
    int maxInFlight;
    long maxRequestBytes;
    @Nullable Splitter splitter;
    @Nullable Spool spool;
    SendListener spoolListener;
    Problems problems;

    Draft(SenderOptions from) {
      timeoutMillis = from.timeoutMillis;
      retry = from.retry;
      maxInFlight = from.maxInFlight;
      maxRequestBytes = from.maxRequestBytes;
      splitter = from.splitter;
      spool = from.spool;
      spoolListener = from.spoolListener;
      problems = from.problems;
    }

    SenderOptions finished() {
      return new SenderOptions(
          timeoutMillis,
          retry,
          maxInFlight,
          maxRequestBytes,
          splitter,
          spool,
          spoolListener,
          problems);
    }
  }

  private SenderOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** Takes every reply as a full success. */
  private static final class Ignorant implements SendListener {
    @Override
    public int accepted(int items, SendResult result) {
      return 0;
    }

    @Override
    public void done(Outcome outcome) {}
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name
              + ": expected "
              + least
              + (most >= Integer.MAX_VALUE ? " or more" : " to " + most)
              + ", found "
              + value);
    }
  }
}
