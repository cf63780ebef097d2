package dev.millrace.export.http;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.Payload;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Gives the JDK's client a payload's chunks without a copy. Each chunk is shared while the client
 * has it, so the payload may be closed once {@link #end} was called, whatever the client does.
 * Thread-safe.
 */
final class ChunkPublisher implements BodyPublisher {
  private record Lent(ByteBuffer buffer, Chunk chunk) {}

  private final Payload payload;
  private final Quarantine quarantine;
  private final ArrayDeque<Lent> lent = new ArrayDeque<>();
  private boolean ended;

  ChunkPublisher(Payload payload, Quarantine quarantine) {
    this.payload = payload;
    this.quarantine = quarantine;
  }

  @Override
  public long contentLength() {
    return payload.lengthBytes();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Pull pull;
    synchronized (this) {
      pull = new Pull(subscriber, ended ? null : payload.first());
    }
    subscriber.onSubscribe(pull);
  }

  /** Reads nothing of the payload from here on, and gives back what the client has sent. */
  synchronized void end() {
    ended = true;
    giveBackWhatWasSent();
    for (Lent each : lent) {
      quarantine.keep(each.buffer(), each.chunk(), payload.pool());
    }
    lent.clear();
  }

  private void giveBackWhatWasSent() {
    for (Lent oldest = lent.peek();
        oldest != null && !oldest.buffer().hasRemaining();
        oldest = lent.peek()) {
      lent.remove();
      payload.pool().giveBack(oldest.chunk());
    }
  }

  private ByteBuffer lend(Chunk chunk) {
    giveBackWhatWasSent();
    payload.pool().share(chunk);
    ByteBuffer buffer = ByteBuffer.wrap(chunk.bytes(), 0, chunk.lengthBytes());
    lent.add(new Lent(buffer, chunk));
    return buffer;
  }

  /** One reading of the payload. A subscriber may ask for more while it is given something. */
  private final class Pull implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private @Nullable Chunk next;
    private long wanted;
    private boolean giving;
    private boolean over;

    Pull(Flow.Subscriber<? super ByteBuffer> subscriber, @Nullable Chunk first) {
      this.subscriber = subscriber;
      this.next = first;
    }

    @Override
    public void request(long n) {
      synchronized (ChunkPublisher.this) {
        wanted = wanted > Long.MAX_VALUE - n ? Long.MAX_VALUE : wanted + n;
        if (giving) {
          return;
        }
        giving = true;
      }
      while (giveOne()) {
        // Until nothing is left or nothing is wanted.
      }
    }

    private boolean giveOne() {
      ByteBuffer buffer = null;
      synchronized (ChunkPublisher.this) {
        Chunk chunk = ended ? null : next;
        if (ended || over || (chunk != null && wanted == 0)) {
          giving = false;
          return false;
        }
        if (chunk == null) {
          over = true;
        } else {
          wanted--;
          next = chunk.next();
          buffer = lend(chunk);
        }
      }
      if (buffer == null) {
        subscriber.onComplete();
      } else {
        subscriber.onNext(buffer);
      }
      return true;
    }

    @Override
    public void cancel() {
      synchronized (ChunkPublisher.this) {
        over = true;
      }
    }
  }
}
