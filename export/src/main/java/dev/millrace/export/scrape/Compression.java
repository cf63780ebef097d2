package dev.millrace.export.scrape;

/** What compresses replies into the gzip format. */
public enum Compression {
  /**
   * Millrace's own encoder: on exposition text smaller than zlib's fastest level at about a third
   * of its CPU time. As the JVM has to compile it first, the first 32 MiB go through zlib.
   */
  FAST,

  /** The JDK's zlib, at its fastest level. */
  ZLIB
}
