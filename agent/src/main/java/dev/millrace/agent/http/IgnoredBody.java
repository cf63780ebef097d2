package dev.millrace.agent.http;

import dev.millrace.model.Problem;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The body of a request that has no use for one. A small one is dropped, a large one refused. */
final class IgnoredBody implements BodyConsumer {
  private final Runnable onEnd;
  private final Problem tooLarge;
  private long lengthBytes;

  IgnoredBody(Runnable onEnd, Problem tooLarge) {
    this.onEnd = onEnd;
    this.tooLarge = tooLarge;
  }

  @Override
  public @Nullable HttpReply onBytes(ByteBuf bytes) {
    lengthBytes += bytes.readableBytes();
    if (lengthBytes <= HttpConnection.MAX_DISCARD_BYTES) {
      return null;
    }
    String message = "expected a request without a body, found a large one; send none";
    tooLarge.add(1, () -> message);
    return HttpReply.text(413, message);
  }

  @Override
  public void onEnd() {
    onEnd.run();
  }

  @Override
  public void onAbort() {
    // Nothing is held.
  }
}
