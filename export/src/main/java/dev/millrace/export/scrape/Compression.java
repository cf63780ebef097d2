package dev.millrace.export.scrape;

/** What compresses replies into the gzip format. */
public enum Compression {
  /** The JDK's zlib, at its fastest level. */
  ZLIB
}
