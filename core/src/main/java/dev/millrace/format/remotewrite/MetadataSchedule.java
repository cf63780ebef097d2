package dev.millrace.format.remotewrite;

/** When 1.0 requests carry the metadata of a family: at once, and then again every so often. */
final class MetadataSchedule {
  private final long intervalMillis;
  private long nowUnixMillis;

  /**
   * A schedule.
   *
   * @param intervalMillis 0 for no metadata at all
   */
  MetadataSchedule(long intervalMillis) {
    this.intervalMillis = intervalMillis;
  }

  /** Whether there is any metadata. */
  boolean isOn() {
    return intervalMillis > 0;
  }

  void now(long unixMillis) {
    nowUnixMillis = unixMillis;
  }

  /** Whether the metadata of a family has to be sent now; if so, the next time is set. */
  boolean isDue(SampleNames names) {
    if (intervalMillis == 0 || names.metadataDueUnixMillis > nowUnixMillis) {
      return false;
    }
    names.metadataDueUnixMillis = nowUnixMillis + intervalMillis;
    return true;
  }
}
