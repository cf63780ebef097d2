package dev.millrace.export.remotewrite;

import java.util.Locale;

/** Why a {@link RemoteWriter} gave up something that it had been given. */
public enum DropReason {
  /** The queue in memory was full, and there was no disk to take the oldest. */
  QUEUE_FULL,
  /** The directory was full: the oldest of it went. */
  DISK_FULL,
  /** The receiver refused the request for good: any status but 2xx, 5xx, 413 and 429. */
  REJECTED,
  /** The receiver wrote less than what a request of 2.0 held, by its own count. */
  NOT_WRITTEN,
  /** The receiver takes not even one series in a request of that size. */
  TOO_LARGE,
  /** Older than the limit by the time that it could have been sent. */
  TOO_OLD,
  /** The receiver was too busy (429), and the options say not to try again. */
  TOO_MANY_REQUESTS,
  /** The attempts that the options allow were used up. */
  ATTEMPTS_USED_UP,
  /** The writer was shut down before it could be sent. */
  SHUTDOWN,
  /** The bytes were no request any more, such as after damage on the disk. */
  UNREADABLE;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The reason as a label's value: lower case, words joined by underscores. */
  public String label() {
    return label;
  }
}
