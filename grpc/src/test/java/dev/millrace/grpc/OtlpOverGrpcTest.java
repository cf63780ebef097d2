package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpProtocol;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exporter of the SDK finds this module by itself. */
class OtlpOverGrpcTest {
  private static final int SPANS = 1_000;
  private static final int MAX_BYTES = 4 << 20;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void spansOfTheSdkArrive(boolean gzip) throws Exception {
    List<byte[]> received = new CopyOnWriteArrayList<>();
    try (GrpcJavaServer server =
        new GrpcJavaServer(
            (request, reply) -> {
              received.add(request);
              reply.onNext(new byte[0]);
              reply.onCompleted();
            },
            MAX_BYTES,
            null)) {
      OtlpExporter otlp =
          OtlpExporter.builder()
              .endpoint(URI.create("http://localhost:" + server.port()))
              .protocol(OtlpProtocol.GRPC)
              .gzip(gzip)
              .headers(HeaderSource.of(Map.of("X-Tenant", "shop")))
              .build();
      SdkTracerProvider provider =
          SdkTracerProvider.builder()
              .addSpanProcessor(
                  BatchSpanProcessor.builder(otlp.spans()).setMaxQueueSize(2 * SPANS).build())
              .build();
      List<String> made = new ArrayList<>();
      for (int i = 0; i < SPANS; i++) {
        made.add("order " + i);
        provider
            .get("shop")
            .spanBuilder("order " + i)
            .setAttribute("kind", "cash")
            .startSpan()
            .end();
      }
      assertThat(provider.shutdown().join(2, TimeUnit.MINUTES).isSuccess()).isTrue();
      assertThat(names(received)).containsExactlyElementsOf(made);
      assertThat(server.lastHeader("x-tenant")).isEqualTo("shop");
    }
  }

  private static List<String> names(List<byte[]> requests) throws Exception {
    List<String> names = new ArrayList<>();
    for (byte[] request : requests) {
      for (ResourceSpans resource :
          ExportTraceServiceRequest.parseFrom(request).getResourceSpansList()) {
        for (ScopeSpans scope : resource.getScopeSpansList()) {
          scope.getSpansList().stream().map(Span::getName).forEach(names::add);
        }
      }
    }
    return names;
  }
}
