package dev.millrace.opentelemetry.remotewrite;

import dev.millrace.export.remotewrite.DropReason;
import dev.millrace.export.remotewrite.RemoteWriteStats;
import dev.millrace.model.Problem;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an exporter says of itself, for each endpoint. The semantic conventions' {@code
 * otel.sdk.exporter.*} metrics count data points, of which remote write makes several samples each
 * and then knows the samples only: so these metrics have names of their own, and the conventions'
 * attributes. Thread-safe.
 */
final class Health {
  private static final AttributeKey<String> COMPONENT_TYPE =
      AttributeKey.stringKey("otel.component.type");
  private static final AttributeKey<String> COMPONENT_NAME =
      AttributeKey.stringKey("otel.component.name");
  private static final AttributeKey<String> SERVER_ADDRESS =
      AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
  private static final AttributeKey<String> KIND = AttributeKey.stringKey("kind");
  private static final AttributeKey<String> REASON = AttributeKey.stringKey("reason");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");

  /** The kind of problem that counts failures of the meter provider. */
  static final String FAILED = "remote_write_health_failed";

  private static final String SCOPE = "dev.millrace.opentelemetry.remotewrite";
  private static final String TYPE = "prometheus_remote_write_metric_exporter";
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Tells the exporters of a process apart, as the conventions want it. */
  private static final AtomicInteger INSTANCES = new AtomicInteger();

  private final Supplier<MeterProvider> meterProvider;
  private final List<Observed> observed = new ArrayList<>();
  private @Nullable MeterProvider registered;
  private @Nullable BatchCallback callback;
  private boolean closed;

  /** An endpoint and the attributes that tell it from others. */
  private record Observed(RemoteWriteExporter.Target target, Attributes attributes) {
    Attributes with(AttributeKey<String> key, String value) {
      return attributes.toBuilder().put(key, value).build();
    }
  }

  /** All instruments of one provider. */
  private record Instruments(
      ObservableLongMeasurement samples,
      ObservableLongMeasurement sent,
      ObservableLongMeasurement retried,
      ObservableLongMeasurement dropped,
      ObservableLongMeasurement queueSamples,
      ObservableLongMeasurement queueRequests,
      ObservableLongMeasurement queueBytes,
      ObservableDoubleMeasurement queueAge,
      ObservableLongMeasurement stored,
      ObservableLongMeasurement requests,
      ObservableDoubleMeasurement requestTime,
      ObservableLongMeasurement bytes) {}

  Health(Supplier<MeterProvider> meterProvider, List<RemoteWriteExporter.Target> targets) {
    this.meterProvider = meterProvider;
    for (RemoteWriteExporter.Target target : targets) {
      URI endpoint = target.options().endpoint();
      observed.add(
          new Observed(
              target,
              Attributes.of(
                  COMPONENT_TYPE,
                  TYPE,
                  COMPONENT_NAME,
                  TYPE + "/" + INSTANCES.getAndIncrement(),
                  SERVER_ADDRESS,
                  endpoint.getHost(),
                  SERVER_PORT,
                  (long) port(endpoint))));
    }
  }

  /** Registers with the provider once there is one, and again where it is another one. */
  synchronized void exported() {
    try {
      MeterProvider provider = meterProvider.get();
      if (!closed && provider != registered) {
        unregister();
        registered = provider;
        callback = register(provider.get(SCOPE));
      }
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  synchronized void close() {
    closed = true;
    try {
      unregister();
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void unregister() {
    BatchCallback last = callback;
    callback = null;
    if (last != null) {
      last.close();
    }
  }

  /** Telling of exports must not cost one. */
  private void failed(RuntimeException cause) {
    Problem failed = observed.get(0).target().options().problems().kind(FAILED);
    failed.add(
        1, () -> "expected a meter provider that can be used, found one that threw " + cause);
  }

  private BatchCallback register(Meter meter) {
    Instruments to =
        new Instruments(
            counter(meter, "samples", "{sample}", "Samples that were given to the queue."),
            counter(meter, "samples.sent", "{sample}", "Samples that the receiver took."),
            counter(meter, "samples.retried", "{sample}", "Samples that were sent once more."),
            counter(meter, "samples.dropped", "{sample}", "Samples that were given up."),
            size(meter, "queue.samples", "{sample}", "Samples that wait in memory."),
            size(meter, "queue.requests", "{request}", "Requests that wait in memory."),
            size(meter, "queue.size", "By", "What the requests that wait in memory take."),
            meter
                .gaugeBuilder(name("queue.age"))
                .setUnit("s")
                .setDescription("How long the oldest request has waited.")
                .buildObserver(),
            counter(meter, "queue.stored", "{request}", "Requests that went to the disk."),
            counter(meter, "requests", "{request}", "Attempts to send a request."),
            meter
                .counterBuilder(name("request.time"))
                .ofDoubles()
                .setUnit("s")
                .setDescription("How long all attempts took together.")
                .buildObserver(),
            counter(meter, "request.size", "By", "Bodies of requests, compressed, as sent."));
    return meter.batchCallback(
        () -> observe(to),
        to.samples,
        to.sent,
        to.retried,
        to.dropped,
        to.queueSamples,
        to.queueRequests,
        to.queueBytes,
        to.queueAge,
        to.stored,
        to.requests,
        to.requestTime,
        to.bytes);
  }

  private void observe(Instruments to) {
    for (Observed of : observed) {
      RemoteWriteStats stats = of.target().writer().stats();
      observe(to, of, "sample", stats.samples());
      observe(to, of, "histogram", stats.histograms());
      observe(to, of, "exemplar", stats.exemplars());
      RemoteWriteStats.Queue queue = stats.queue();
      to.queueSamples.record(queue.items(), of.attributes);
      to.queueRequests.record(queue.requests(), of.attributes);
      to.queueBytes.record(queue.bytes(), of.attributes);
      to.queueAge.record(queue.oldestAgeMillis() / MILLIS_PER_SECOND, of.attributes);
      to.stored.record(queue.stored(), of.attributes);
      RemoteWriteStats.Requests requests = stats.requests();
      to.requests.record(requests.count() - requests.failed(), of.with(OUTCOME, "taken"));
      to.requests.record(requests.failed(), of.with(OUTCOME, "failed"));
      to.requestTime.record(requests.seconds(), of.attributes);
      to.bytes.record(requests.bytes(), of.attributes);
    }
  }

  private static void observe(
      Instruments to, Observed of, String kind, RemoteWriteStats.Items items) {
    Attributes attributes = of.with(KIND, kind);
    to.samples.record(items.in(), attributes);
    to.sent.record(items.sent(), attributes);
    to.retried.record(items.retried(), attributes);
    for (Map.Entry<DropReason, Long> dropped : items.dropped().entrySet()) {
      to.dropped.record(
          dropped.getValue(), attributes.toBuilder().put(REASON, dropped.getKey().label()).build());
    }
  }

  private static ObservableLongMeasurement counter(
      Meter meter, String name, String unit, String description) {
    return meter
        .counterBuilder(name(name))
        .setUnit(unit)
        .setDescription(description)
        .buildObserver();
  }

  private static ObservableLongMeasurement size(
      Meter meter, String name, String unit, String description) {
    return meter
        .upDownCounterBuilder(name(name))
        .setUnit(unit)
        .setDescription(description)
        .buildObserver();
  }

  private static String name(String name) {
    return "millrace.remote_write." + name;
  }

  private static int port(URI endpoint) {
    if (endpoint.getPort() >= 0) {
      return endpoint.getPort();
    }
    return "https".equalsIgnoreCase(endpoint.getScheme()) ? 443 : 80;
  }
}
