package dev.millrace.agent.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Takes the body of one request as it arrives. All calls come from one event loop, so none may
 * block. After {@link #onEnd}, {@link #onAbort} or a refusal there are no more calls.
 */
public interface BodyConsumer {
  /**
   * Takes some bytes.
   *
   * @param bytes valid during the call
   * @return {@code null} to go on, or the reply that refuses the request; then this consumer has
   *     let go of everything it held
   */
  @Nullable HttpReply onBytes(ByteBuf bytes);

  /** The body is complete: the exchange is to be replied to, now or later, on any thread. */
  void onEnd();

  /** The rest of the body will not come: lets go of everything. */
  void onAbort();
}
