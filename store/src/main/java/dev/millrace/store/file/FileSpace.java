package dev.millrace.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongPredicate;

/**
 * Pieces of one file, each mapped by itself, so that growth never moves what is mapped already.
 *
 * <p>Space is taken by writing zeros, not by setting the length: a sparse mapping on a full disk
 * kills the process on its first touch, while a write that finds no room is an error that can be
 * answered.
 */
final class FileSpace implements SegmentSpace, AutoCloseable {
  private static final int ZEROS_BYTES = 64 * 1024;

  private final StoreChannel channel;
  private final LongPredicate mayTakeBytes;

  private FileSpace(StoreChannel channel, LongPredicate mayTakeBytes) {
    this.channel = channel;
    this.mayTakeBytes = mayTakeBytes;
  }

  /**
   * Makes a file that is not there yet.
   *
   * @param mayTakeBytes asked before each growth, with the number of bytes
   */
  static FileSpace create(Path path, LongPredicate mayTakeBytes) throws IOException {
    Files.createFile(path);
    return new FileSpace(
        StoreChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), mayTakeBytes);
  }

  /** The file has another name from here on. */
  void renamedTo(Path path) {
    channel.renamedTo(path);
  }

  @Override
  public ByteBuffer extend(long position, int lengthBytes) throws IOException {
    if (!mayTakeBytes.test(lengthBytes)) {
      throw new DirectoryFullException();
    }
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(lengthBytes, ZEROS_BYTES));
      long at = position;
      long end = position + lengthBytes;
      while (at < end) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), end - at));
        at += channel.write(zeros, at);
      }
      return channel.map(position, lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      giveBack(position);
      throw e;
    }
  }

  /** Gives the disk back what was written of a piece that nobody has seen. */
  private void giveBack(long position) {
    try {
      channel.truncate(position);
    } catch (IOException e) {
      // The file is longer than what is published of it, which every reader allows for.
    }
  }

  /** Brings all pieces to the disk. */
  void force() throws IOException {
    channel.force();
  }

  /** Closes the file; what is mapped stays mapped. */
  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** The directory has reached its bound; the disk may have room. */
  static final class DirectoryFullException extends IOException {
    private static final long serialVersionUID = 1L;

    DirectoryFullException() {
      super("the store directory has reached its bound");
    }
  }
}
