package dev.millrace.benchmarks.remotewrite;

/** What requests are made of. */
public enum WriteWorkload {
  /** 2,000 series of ten labels with one sample each, as a server writes that scrapes pods. */
  SERIES(2_000, 1, false),

  /** One series with a long label value, and 100 samples. */
  SAMPLES_100(1, 100, false),

  /** One series with a long label value, and 1,000 samples. */
  SAMPLES_1000(1, 1_000, false),

  /** One series with a long label value, and 10,000 samples. */
  SAMPLES_10000(1, 10_000, false),

  /** One native histogram with a long label value, at 100 times. */
  HISTOGRAMS_100(1, 100, true),

  /** One native histogram with a long label value, at 1,000 times. */
  HISTOGRAMS_1000(1, 1_000, true),

  /** One native histogram with a long label value, at 10,000 times. */
  HISTOGRAMS_10000(1, 10_000, true);

  final int series;
  final int samples;
  final boolean histograms;

  WriteWorkload(int series, int samples, boolean histograms) {
    this.series = series;
    this.samples = samples;
    this.histograms = histograms;
  }
}
