package dev.millrace.export.http;

import dev.millrace.bytes.Payload;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport.Completion;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One send: one request, or two where a kept connection was closed as it was used again. Whoever
 * comes first (the reply, a failure, the deadline, the transport's end) ends it.
 */
final class HttpExchange {
  private static final int OK_FROM = 200;
  private static final int OK_TO = 299;
  private static final int CONTENT_TOO_LARGE = 413;
  private static final byte[] NO_BODY = {};

  private final HttpTransport transport;
  private final Payload body;
  private final @Nullable Payload compressed;
  private final Map<String, String> bodyHeaders;
  private final Completion done;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile @Nullable Future<?> deadline;
  private volatile @Nullable Attempt attempt;

  /**
   * A send that has not begun.
   *
   * @param compressed what is sent in place of the payload, and which the exchange owns
   * @param bodyHeaders what the headers say of the payload
   */
  HttpExchange(
      HttpTransport transport,
      Payload payload,
      @Nullable Payload compressed,
      Map<String, String> bodyHeaders,
      Completion done) {
    this.transport = transport;
    this.body = compressed == null ? payload : compressed;
    this.compressed = compressed;
    this.bodyHeaders = bodyHeaders;
    this.done = done;
  }

  /** One request; its publisher is ended before anybody hears of its outcome. */
  private final class Attempt {
    private final boolean first;
    private final ChunkPublisher publisher;
    private volatile boolean answered;
    private volatile @Nullable CompletableFuture<?> future;

    Attempt(boolean first) {
      this.first = first;
      publisher = new ChunkPublisher(body, transport.quarantine());
    }

    void start(HttpClient client, Map<String, String> headers) {
      BodyHandler<byte[]> handler =
          head -> {
            answered = true;
            return new BoundedReply();
          };
      CompletableFuture<HttpResponse<byte[]>> sent =
          client.sendAsync(transport.request(publisher, headers, bodyHeaders), handler);
      future = sent;
      CompletableFuture<?> unused = sent.whenComplete(this::completed);
      if (ended.get()) {
        stop();
      }
    }

    void stop() {
      publisher.end();
      CompletableFuture<?> sent = future;
      if (sent != null) {
        sent.cancel(true);
      }
    }

    private void completed(@Nullable HttpResponse<byte[]> reply, @Nullable Throwable error) {
      publisher.end();
      if (reply != null) {
        transport.answered();
        end(resultOf(reply));
        return;
      }
      Throwable cause = causeOf(error);
      if (first && mayHaveBeenClosed(cause)) {
        begin(false);
      } else {
        end(failure(cause));
      }
    }

    private boolean mayHaveBeenClosed(Throwable cause) {
      return !answered
          && transport.answeredBefore()
          && cause instanceof IOException
          && !(cause instanceof HttpConnectTimeoutException);
    }
  }

  void start(long deadlineNanos) {
    long leftNanos = deadlineNanos - System.nanoTime();
    if (leftNanos <= 0) {
      timedOut();
      return;
    }
    deadline =
        transport.threads().timer().schedule(this::timedOut, leftNanos, TimeUnit.NANOSECONDS);
    begin(true);
    if (ended.get()) {
      cancelDeadline();
    }
  }

  private void begin(boolean first) {
    HttpClient client = transport.client();
    if (client == null) {
      abort();
      return;
    }
    if (ended.get()) {
      return;
    }
    Map<String, String> headers;
    try {
      headers = Map.copyOf(transport.options().headers().headers());
    } catch (RuntimeException e) {
      // A source may fetch a token, which can fail for a while; its message may hold a secret.
      end(
          SendResult.retryable(
              SendResult.NO_STATUS,
              e.getClass().getSimpleName(),
              transport.name()
                  + ": expected headers from their source, found "
                  + e.getClass().getName()));
      return;
    }
    Attempt begun = new Attempt(first);
    attempt = begun;
    try {
      begun.start(client, headers);
    } catch (RuntimeException e) {
      // A header that cannot be sent.
      end(
          SendResult.fatal(
              SendResult.NO_STATUS,
              e.getClass().getSimpleName(),
              transport.name() + ": expected to make a request, found " + e.getMessage()));
    }
  }

  /** Ends the send because the transport was closed. */
  void abort() {
    end(
        SendResult.fatal(
            SendResult.NO_STATUS,
            "closed",
            transport.name() + ": expected an open transport, found a closed one"));
  }

  private void timedOut() {
    end(
        SendResult.retryable(
            SendResult.NO_STATUS,
            SendResult.TIMEOUT,
            transport.name() + ": expected a whole answer before the deadline, found none"));
  }

  private void end(SendResult result) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    cancelDeadline();
    Attempt last = attempt;
    if (last != null) {
      last.stop();
    }
    if (compressed != null) {
      compressed.close();
    }
    transport.ended(this);
    done.done(result);
  }

  private void cancelDeadline() {
    Future<?> timer = deadline;
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private SendResult resultOf(HttpResponse<byte[]> reply) {
    int status = reply.statusCode();
    // The JDK gives none with a proxy's refusal of a tunnel, whatever the subscriber made.
    byte[] body = Objects.requireNonNullElse(reply.body(), NO_BODY);
    if (status >= OK_FROM && status <= OK_TO) {
      return SendResult.success(status, body).withHeaders(kept(reply));
    }
    String words = ReplyText.of(reply.headers().firstValue("content-type").orElse(""), body);
    String reason = transport.name() + ": HTTP " + status + (words.isEmpty() ? "" : ": " + words);
    String type = Integer.toString(status);
    SendResult result;
    if (status == CONTENT_TOO_LARGE) {
      result = SendResult.tooLarge(status, type, reason);
    } else if (transport.options().statuses().contains(status)) {
      result = SendResult.retryable(status, type, reason);
      Optional<String> retryAfter = reply.headers().firstValue("retry-after");
      if (retryAfter.isPresent()) {
        result =
            result.withRetryAfterMillis(
                RetryAfter.millis(retryAfter.get(), transport.timeOfDayMillis()));
      }
    } else {
      result = SendResult.fatal(status, type, reason);
    }
    return result.withBody(body).withHeaders(kept(reply));
  }

  private Map<String, String> kept(HttpResponse<?> reply) {
    if (transport.options().replyHeaders().isEmpty()) {
      return Map.of();
    }
    Map<String, String> kept = new HashMap<>();
    for (String name : transport.options().replyHeaders()) {
      reply.headers().firstValue(name).ifPresent(value -> kept.put(name, value));
    }
    return kept;
  }

  private SendResult failure(Throwable cause) {
    String type = cause.getClass().getSimpleName();
    String words = type + (cause.getMessage() == null ? because(cause) : ": " + cause.getMessage());
    String reason = transport.name() + ": expected an answer, found " + words;
    return cause instanceof IOException
        ? SendResult.retryable(SendResult.NO_STATUS, type, reason)
        : SendResult.fatal(SendResult.NO_STATUS, type, reason);
  }

  /** The JDK says by the cause alone that a name has no address. */
  private static String because(Throwable failure) {
    Throwable cause = failure.getCause();
    while (cause != null && cause.getMessage() == null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? "" : " because of " + cause;
  }

  private static Throwable causeOf(@Nullable Throwable error) {
    if (error instanceof CompletionException && error.getCause() != null) {
      return error.getCause();
    }
    return error == null ? new IOException("neither a reply nor an error") : error;
  }
}
