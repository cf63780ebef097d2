package dev.millrace.agent.otlp;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.Payload;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The bytes of a payload as a stream; the payload stays open, and its owner's. */
final class PayloadInputStream extends InputStream {
  private @Nullable Chunk chunk;
  private int position;

  PayloadInputStream(Payload payload) {
    chunk = payload.first();
  }

  @Override
  public int read() {
    Chunk current = current();
    return current == null ? -1 : current.bytes()[position++] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int lengthBytes) {
    if (lengthBytes == 0) {
      return 0;
    }
    Chunk current = current();
    if (current == null) {
      return -1;
    }
    int step = Math.min(lengthBytes, current.lengthBytes() - position);
    System.arraycopy(current.bytes(), position, target, offset, step);
    position += step;
    return step;
  }

  /** The chunk that has the next byte, or {@code null} at the end. */
  private @Nullable Chunk current() {
    Chunk current = chunk;
    while (current != null && position == current.lengthBytes()) {
      current = current.next();
      position = 0;
    }
    chunk = current;
    return current;
  }
}
