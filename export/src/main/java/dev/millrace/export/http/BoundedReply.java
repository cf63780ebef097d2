package dev.millrace.export.http;

import dev.millrace.export.push.SendResult;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Collects a reply up to {@link SendResult#MAX_BODY_BYTES}. Of a longer one nothing is kept, and
 * the client closes its connection, because the rest would have to be read first.
 */
final class BoundedReply implements BodySubscriber<byte[]> {
  private static final byte[] NOTHING = {};

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final ByteArrayOutputStream collected = new ByteArrayOutputStream(0);
  private Flow.@Nullable Subscription subscription;

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (body.isDone()) {
        return;
      }
      int lengthBytes = buffer.remaining();
      if (lengthBytes > SendResult.MAX_BODY_BYTES - collected.size()) {
        Flow.Subscription from = subscription;
        if (from != null) {
          from.cancel();
        }
        collected.reset();
        body.complete(NOTHING);
        return;
      }
      byte[] bytes = new byte[lengthBytes];
      buffer.get(bytes);
      collected.write(bytes, 0, lengthBytes);
    }
  }

  @Override
  public void onError(Throwable error) {
    body.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    body.complete(collected.toByteArray());
  }
}
