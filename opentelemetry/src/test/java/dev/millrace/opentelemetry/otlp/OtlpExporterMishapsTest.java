package dev.millrace.opentelemetry.otlp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.export.push.SenderOptions;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an application does at the wrong moment must cost no result and no memory. */
class OtlpExporterMishapsTest {
  private static final long PATIENCE_SECONDS = 60;

  private final OtlpSink sink = new OtlpSink();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Problems problems = new Problems(System::nanoTime, log::add);

  @AfterEach
  void close() {
    sink.close();
  }

  private OtlpExporterBuilder exporter() {
    return OtlpExporter.builder()
        .endpoint(sink.uri())
        .sending(
            SenderOptions.defaults()
                .withTimeoutMillis(1_000 * PATIENCE_SECONDS)
                .withMaxInFlight(1)
                .withProblems(problems));
  }

  @Test
  void everyFlushEndsWhileExportsComeAndGo() throws Exception {
    try (SpanExporter spans = exporter().build().spans()) {
      List<SpanData> batch = SampleSpans.spans(1);
      AtomicBoolean over = new AtomicBoolean();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Thread thread =
            new Thread(
                () -> {
                  while (!over.get()) {
                    // Most are refused at once, as one is under way.
                    spans.export(batch);
                  }
                });
        thread.start();
        threads.add(thread);
      }
      List<CompletableResultCode> flushes = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        flushes.add(spans.flush());
      }
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      Eventually.isTrue(
          "every flush has ended",
          Duration.ofSeconds(PATIENCE_SECONDS),
          () -> flushes.stream().allMatch(CompletableResultCode::isDone));
    }
  }

  @Test
  void aMeterProviderThatThrowsCostsNoExport() {
    MeterProvider noop = MeterProvider.noop();
    for (int works = 0; works < 3; works++) {
      AtomicInteger left = new AtomicInteger(works);
      OtlpExporter otlp =
          exporter()
              .meterProvider(
                  () -> {
                    if (left.getAndDecrement() > 0) {
                      return noop;
                    }
                    throw new IllegalStateException("no SDK yet");
                  })
              .build();
      try (SpanExporter spans = otlp.spans()) {
        CompletableResultCode result = spans.export(SampleSpans.spans(2));
        assertThat(result.join(PATIENCE_SECONDS, SECONDS).isSuccess()).as("%s", works).isTrue();
        assertThat(spans.flush().join(PATIENCE_SECONDS, SECONDS).isSuccess()).isTrue();
      }
      assertThat(otlp.outstandingChunks()).isZero();
    }
    assertThat(problems.kind(Health.FAILED).count()).isEqualTo(3);
    assertThat(log).singleElement().asString().contains("no SDK yet");
  }

  @Test
  void anExportThatBeganBeforeTheSdkWasReadyIsNotCountedOutOfIt() {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    AtomicInteger calls = new AtomicInteger();
    try (SdkMeterProvider ready = SdkMeterProvider.builder().registerMetricReader(reader).build();
        SpanExporter spans =
            exporter()
                .meterProvider(() -> calls.getAndIncrement() == 0 ? MeterProvider.noop() : ready)
                .build()
                .spans()) {
      for (int i = 0; i < 2; i++) {
        CompletableResultCode result = spans.export(SampleSpans.spans(5));
        assertThat(result.join(PATIENCE_SECONDS, SECONDS).isSuccess()).isTrue();
      }
      List<Long> inFlight = new ArrayList<>();
      for (MetricData metric : reader.collectAllMetrics()) {
        if (metric.getName().endsWith(".inflight")) {
          metric.getLongSumData().getPoints().stream()
              .map(LongPointData::getValue)
              .forEach(inFlight::add);
        }
      }
      assertThat(inFlight).containsExactly(0L);
    }
  }
}
