package dev.millrace.agent.http;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A scrape server whose encoder writes numbered lines that name the format. */
final class ScrapeServer implements AutoCloseable {
  final List<String> log = new CopyOnWriteArrayList<>();
  final Problems problems = new Problems(System::nanoTime, log::add);
  final AtomicInteger openCursors = new AtomicInteger();
  final HttpServer server;
  final ScrapeEndpoint endpoint;
  volatile int lines = 1_000;
  volatile boolean ready = true;
  volatile @Nullable CountDownLatch gate;
  volatile @Nullable RuntimeException failure;
  private final HttpLoops loops = new HttpLoops();
  final WorkerPool workers =
      new WorkerPool("test-scrape", ScrapeEndpoint.MAX_CONCURRENT_SCRAPES, 0);
  private final ScrapeHandler handler;

  /** A server whose scrapes wait for one another as long as a test runs. */
  ScrapeServer(ChunkPool chunks) throws IOException {
    this(chunks, options -> options, 120_000);
  }

  ScrapeServer(ChunkPool chunks, UnaryOperator<HttpServerOptions> change, long maxWaitMillis)
      throws IOException {
    handler =
        new ScrapeHandler(
            this::open,
            chunks,
            LineEncoder::new,
            ScrapeHandlerOptions.defaults()
                .withMaxWaitMillis(maxWaitMillis)
                .withProblems(problems));
    endpoint = new ScrapeEndpoint(handler, workers, () -> ready, null, problems);
    server =
        HttpServer.start(
            change.apply(HttpServerOptions.of("exporters: prometheus", "127.0.0.1", 0)),
            endpoint,
            loops,
            problems);
  }

  private MetricCursor open() {
    openCursors.incrementAndGet();
    return (MetricCursor)
        Proxy.newProxyInstance(
            MetricCursor.class.getClassLoader(),
            new Class<?>[] {MetricCursor.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) {
                throw new AssertionError("expected no metrics to be asked for");
              }
              openCursors.decrementAndGet();
              return null;
            });
  }

  private final class LineEncoder implements MetricEncoder {
    private final PrometheusFormat format;

    LineEncoder(PrometheusFormat format, EscapingScheme escaping) {
      this.format = format;
    }

    @Override
    public String contentType() {
      return "test/" + format + "; charset=utf-8";
    }

    @Override
    public void encode(MetricCursor cursor, ChunkWriter out) {
      CountDownLatch wait = gate;
      if (wait != null) {
        try {
          wait.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      for (int i = 0; i < lines; i++) {
        out.write(line(format, i).getBytes(StandardCharsets.US_ASCII));
      }
      RuntimeException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
    }
  }

  private static String line(PrometheusFormat format, int number) {
    return format + " " + number + "\n";
  }

  /** What a scrape of the format has to be. */
  String expected(PrometheusFormat format) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(line(format, i));
    }
    return text.toString();
  }

  InetSocketAddress address() {
    return server.localAddress();
  }

  RawClient connect() throws IOException {
    return new RawClient(address());
  }

  long problemCount(String kind) {
    return problems.kind(kind).count();
  }

  @Override
  public void close() {
    server.stop(5_000);
    workers.close();
    loops.close();
    handler.close();
  }
}
