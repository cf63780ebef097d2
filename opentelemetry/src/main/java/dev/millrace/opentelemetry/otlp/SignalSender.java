package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.export.disk.DiskQueue;
import dev.millrace.export.disk.DiskQueueOptions;
import dev.millrace.export.push.Outcome;
import dev.millrace.export.push.SendListener;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Sender;
import dev.millrace.export.push.SenderOptions;
import dev.millrace.export.push.Splitter;
import dev.millrace.export.push.Transport;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.format.otlp.OtlpSplitter;
import dev.millrace.format.otlp.PartialSuccess;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one signal, and tells the SDK what became of them. Thread-safe.
 *
 * <p>An export succeeds for the SDK where nothing of it was lost: what a receiver rejects in a
 * partial success is logged and counted, and what went to disk will be sent.
 */
final class SignalSender {
  /** The kind of problem that counts items which a receiver rejected. */
  static final String PARTIAL_SUCCESS = "otlp_partial_success";

  /** The kind of problem that counts exports which could not be encoded. */
  static final String ENCODING_FAILED = "otlp_encoding_failed";

  private final OtlpSignal signal;
  private final boolean json;
  private final String target;
  private final ChunkPool pool;
  private final Sender sender;
  private final long timeoutMillis;
  private final long maxRequestBytes;
  private final Problem partialSuccess;
  private final Problem encodingFailed;
  private final @Nullable Health health;
  private final Set<CompletableResultCode> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean shutDown = new AtomicBoolean();

  SignalSender(OtlpSignal signal, OtlpExporterBuilder options, ChunkPool pool) {
    this.signal = signal;
    this.pool = pool;
    json = options.protocol == OtlpProtocol.HTTP_JSON;
    URI endpoint = options.endpoints.of(signal, options.protocol);
    Transport transport = Transports.transport(signal, options, endpoint, pool);
    target = transport.name();
    Problems problems = options.problems();
    partialSuccess = problems.kind(PARTIAL_SUCCESS);
    encodingFailed = problems.kind(ENCODING_FAILED);
    health =
        options.meterProvider == null
            ? null
            : new Health(options.meterProvider, signal, options.protocol, endpoint, problems);
    timeoutMillis = options.sending.timeoutMillis();
    maxRequestBytes = options.sending.maxRequestBytes();
    sender = new Sender(transport, senderOptions(options));
  }

  long maxRequestBytes() {
    return maxRequestBytes;
  }

  boolean isShutDown() {
    return shutDown.get();
  }

  /**
   * Sends a request.
   *
   * @param payload in protobuf, which this owns from here on
   * @param items how many items are in it, 1 or more
   */
  CompletableResultCode send(Payload payload, int items) {
    Export export = new Export(items, health == null ? null : health.begun(items));
    underWay.add(export.result);
    sender.send(payload, items, export);
    return export.result;
  }

  /** Counts and logs a batch that could not be encoded. */
  CompletableResultCode notEncoded(RuntimeException cause) {
    encodingFailed.add(
        1, () -> "expected " + signal + " that can be encoded, found one that failed: " + cause);
    return CompletableResultCode.ofFailure();
  }

  /** Succeeds once all that is under way now has ended with success. */
  CompletableResultCode flush() {
    // It counts them first and goes through them then: those that end in between were waited for.
    return CompletableResultCode.ofAll(new ArrayList<>(underWay));
  }

  /** Waits for what is under way, as long as an export may take, and ends. */
  CompletableResultCode shutdown() {
    if (shutDown.getAndSet(true)) {
      return CompletableResultCode.ofSuccess();
    }
    boolean ended = sender.shutdown(timeoutMillis);
    pool.trim();
    return ended ? CompletableResultCode.ofSuccess() : CompletableResultCode.ofFailure();
  }

  /** For people: where to. */
  @Override
  public String toString() {
    return target;
  }

  private SenderOptions senderOptions(OtlpExporterBuilder options) {
    SenderOptions sending = options.sending.withSplitter(splitter());
    Path directory = options.diskDirectory;
    if (directory == null) {
      return sending;
    }
    String name = signal.name().toLowerCase(Locale.ROOT);
    return sending.withSpool(
        DiskQueue.open(
            DiskQueueOptions.in(directory.resolve(name), "otlp/" + name)
                .withMaxBytes(options.diskMaxBytes)
                .withProblems(options.problems()),
            pool));
  }

  private Splitter splitter() {
    EncoderPool<OtlpSplitter> splitters = new EncoderPool<>(() -> new OtlpSplitter(pool, signal));
    return (payload, items) -> {
      OtlpSplitter splitter = splitters.take();
      try {
        OtlpSplitter.Halves halves = splitter.split(payload);
        return halves == null
            ? null
            : new Splitter.Halves(
                halves.first(), halves.firstItems(), halves.second(), halves.secondItems());
      } catch (MalformedProtobufException e) {
        return null;
      } finally {
        splitters.giveBack(splitter);
      }
    };
  }

  /** One export, on its way. */
  private final class Export implements SendListener {
    final CompletableResultCode result = new CompletableResultCode();
    private final int items;
    private final Health.@Nullable Instruments begun;
    private final long begunNanos = System.nanoTime();

    Export(int items, Health.@Nullable Instruments begun) {
      this.items = items;
      this.begun = begun;
    }

    @Override
    public int accepted(int items, SendResult reply) {
      if (reply.body().length == 0) {
        return 0;
      }
      PartialSuccess partial =
          json ? PartialSuccess.fromJson(reply.body()) : PartialSuccess.fromProtobuf(reply.body());
      if (partial.isNone()) {
        return 0;
      }
      int rejected = (int) Math.min(partial.rejectedItems(), items);
      partialSuccess.add(
          Math.max(1, rejected),
          () ->
              target
                  + " took "
                  + items
                  + " items of "
                  + signal
                  + " but for "
                  + rejected
                  + " that it rejected, and says: "
                  + partial.message());
      return rejected;
    }

    @Override
    public void done(Outcome outcome) {
      underWay.remove(result);
      if (health != null) {
        health.ended(items, begun, outcome, System.nanoTime() - begunNanos);
      }
      if (outcome.lost() == 0) {
        result.succeed();
      } else {
        result.fail();
      }
    }
  }
}
