package dev.millrace.format.remotewrite;

import java.util.Arrays;

/**
 * One string of 2.0 requests, and the number that it has in the request that is open. Belongs to
 * one {@link SymbolTable}.
 */
final class Symbol {
  byte[] bytes;
  int lengthBytes;
  int hash;

  /** Tells it from all other strings that the table ever had. */
  long id;

  /** How many owners it has beside the open request. */
  int users;

  /** Whether it waits to be looked at when the open request ends. */
  boolean pending;

  /** Which request {@link #ref} belongs to. */
  int generation;

  int ref;

  Symbol(byte[] bytes, int lengthBytes, int hash, long id) {
    this.bytes = bytes;
    this.lengthBytes = lengthBytes;
    this.hash = hash;
    this.id = id;
  }

  boolean is(byte[] other, int offset, int otherLengthBytes) {
    return Arrays.equals(bytes, 0, lengthBytes, other, offset, offset + otherLengthBytes);
  }
}
