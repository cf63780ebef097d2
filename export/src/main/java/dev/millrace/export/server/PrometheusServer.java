package dev.millrace.export.server;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.export.tls.Tls;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that Prometheus scrapes, on the JDK's own HTTP server.
 *
 * <pre>{@code
 * MetricStore store = MetricStore.inMemory();
 * try (PrometheusServer server = PrometheusServer.create(0, store)) {
 *   assert server.port() > 0;
 *   assert server.address().getAddress().isLoopbackAddress();
 * }
 * }</pre>
 *
 * <p>Unless it is told another host it listens on loopback only. Its threads are daemons: it keeps
 * no JVM alive. All methods are thread-safe.
 *
 * <p><b>Limits.</b> As many scrapes run at once as {@link ScrapeHandlerOptions#maxScrapes} says;
 * one more gets 503 with {@code Retry-After}. A client that sends half a request, or takes none of
 * its reply, is cut off after {@value ScrapeHttpHandler#PEER_LIMIT_MILLIS} ms and holds a thread
 * until then; there are {@value #MORE_THREADS} threads more than scrapes, and a request that finds
 * none free has its connection closed. The number of connections, their idle time and the size of
 * request headers are bounded by the JDK's server, by the properties that the module {@code
 * jdk.httpserver} documents, for all servers of the JVM together.
 *
 * <p><b>TCP_NODELAY.</b> The JDK's server stalls each reply on a kept-alive connection for about 40
 * ms unless the system property {@code sun.net.httpserver.nodelay} is {@code true} before that
 * server is first used. The first server of this class to be started sets it, for the whole JVM, if
 * it is not set at all. If the application has used the JDK's server before, that comes too late
 * and scrapes take those 40 ms longer; start the application with {@code
 * -Dsun.net.httpserver.nodelay=true} then.
 */
public final class PrometheusServer implements AutoCloseable {
  /** The port that the OpenTelemetry specification gives Prometheus exporters. */
  public static final int DEFAULT_PORT = 9464;

  /** The path that Prometheus scrapes unless it is told another. */
  public static final String DEFAULT_PATH = "/metrics";

  private static final String NODELAY_PROPERTY = "sun.net.httpserver.nodelay";

  /**
   * Threads beside those of all scrapes that run: for requests that are on their way or get an
   * error, so that a few slow clients keep nobody out.
   */
  static final int MORE_THREADS = 32;

  /** Threads for scrapes at most, whatever the options say: with stacks of 1 MiB, 4 GiB. */
  private static final int MAX_SCRAPE_THREADS = 4_096;

  /** How long {@link #close} waits for scrapes that run: most are over much sooner. */
  private static final long CLOSE_MILLIS = 2_000;

  /**
   * Chunks that lie idle between scrapes at most, 1 MiB: what a few scrapes at once need. Those
   * that nobody needs are let go.
   */
  private static final int MAX_IDLE_CHUNKS = 16;

  private final HttpServer server;
  private final InetSocketAddress address;
  private final ScrapeHandler scrapes;
  private final ScrapeHttpHandler handler;
  private final PeerWatchdog watchdog;
  private final ServerThreads threads;
  private final long closeMillis;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PrometheusServer(Builder options, MetricSource source) {
    ServerProblems problems = new ServerProblems(options.problems);
    PrometheusFormats formats = new PrometheusFormats(options.prometheusOptions, options.problems);
    closeMillis = options.closeMillis;
    scrapes =
        new ScrapeHandler(
            source,
            options.chunks,
            formats::encoder,
            options.scrapeOptions.withProblems(options.problems));
    watchdog = new PeerWatchdog(options.peerLimitMillis, scrapes::trim);
    int maxScrapes = Math.min(options.scrapeOptions.maxScrapes(), MAX_SCRAPE_THREADS);
    threads = new ServerThreads(maxScrapes + MORE_THREADS, watchdog, problems);
    handler = new ScrapeHttpHandler(scrapes, problems, watchdog);
    Tls tls = options.tls;
    SSLContext context = tls == null ? null : tls.sslContext(options.problems);
    BasicAuthentication authentication = options.basicAuthentication;
    BasicCheck check = authentication == null ? null : authentication.check(options.problems);
    server = listen(options, context);
    server.setExecutor(threads);
    mount(options.path, handler, check);
    if (!options.path.equals("/")) {
      mount("/", new IndexHandler(options.path, problems, watchdog), check);
    }
    address = server.getAddress();
    startAsDaemon(server);
  }

  /**
   * A server of that port on loopback, with everything else as {@link #builder} has it.
   *
   * @param port from 1 to 65,535, or 0 for a free one
   * @throws UncheckedIOException if the port is taken
   */
  public static PrometheusServer create(int port, MetricSource source) {
    return builder().port(port).start(source);
  }

  /** A server that is not started yet: loopback, port 9464, {@code /metrics}, no encryption. */
  public static Builder builder() {
    return new Builder();
  }

  /** The port that it listens on. */
  public int port() {
    return address.getPort();
  }

  /** The address that it listens on. */
  public InetSocketAddress address() {
    return address;
  }

  /** Who lets scrapes in. */
  ScrapeGate gate() {
    return handler.gate();
  }

  /**
   * Stops. Scrapes that run have two seconds to end, and are cut off then; new ones get 503
   * meanwhile. Closing again does nothing.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    handler.gate().close(closeMillis);
    watchdog.cutAll();
    server.stop(0);
    threads.stop(closeMillis);
    scrapes.close();
  }

  private void mount(String path, HttpHandler at, @Nullable BasicCheck check) {
    server.createContext(path, check == null ? at : new GuardedHandler(at, check, watchdog));
  }

  private static HttpServer listen(Builder options, @Nullable SSLContext context) {
    InetAddress host = options.address();
    // Read once, when the JDK's class for it is initialised.
    if (System.getProperty(NODELAY_PROPERTY) == null) {
      System.setProperty(NODELAY_PROPERTY, "true");
    }
    try {
      InetSocketAddress at = new InetSocketAddress(host, options.port);
      if (context == null) {
        return HttpServer.create(at, 0);
      }
      HttpsServer server = HttpsServer.create(at, 0);
      Tls tls = options.tls;
      server.setHttpsConfigurator(
          new TlsConfigurator(context, tls != null && tls.clientCertificateRequired()));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "expected to listen on "
              + host.getHostAddress()
              + " port "
              + options.port
              + ", found: "
              + e.getMessage()
              + "; end what listens there (another exporter of this process, maybe), or set another"
              + " port (0 takes a free one), and check that the host is an address of this machine",
          e);
    }
  }

  /** The JDK's dispatcher inherits from the thread that starts it whether it is a daemon. */
  private static void startAsDaemon(HttpServer server) {
    Thread starter = new Thread(server::start, "millrace-server-start");
    starter.setDaemon(true);
    starter.start();
    boolean interrupted = false;
    while (true) {
      try {
        starter.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** How a server is to be. Not thread-safe. */
  public static final class Builder {
    private static final int MAX_PORT = 65_535;

    private @Nullable String host;
    private int port = DEFAULT_PORT;
    private String path = DEFAULT_PATH;
    private PrometheusOptions prometheusOptions = PrometheusOptions.DEFAULT;
    private ScrapeHandlerOptions scrapeOptions = ScrapeHandlerOptions.defaults();
    private Problems problems = new Problems();
    private ChunkPool chunks = new ChunkPool(MAX_IDLE_CHUNKS);
    private long peerLimitMillis = ScrapeHttpHandler.PEER_LIMIT_MILLIS;
    private long closeMillis = CLOSE_MILLIS;
    private @Nullable Tls tls;
    private @Nullable BasicAuthentication basicAuthentication;

    private Builder() {}

    /**
     * The name or address of the interface to listen on: {@code 0.0.0.0} or {@code ::} for all.
     * Loopback unless set.
     */
    public Builder host(String host) {
      this.host = host;
      return this;
    }

    /**
     * The port, from 1 to 65,535, or 0 for a free one. 9464 unless set.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public Builder port(int port) {
      if (port < 0 || port > MAX_PORT) {
        throw new IllegalArgumentException("port: expected 0 to " + MAX_PORT + ", found " + port);
      }
      this.port = port;
      return this;
    }

    /**
     * The path to scrape, {@code /metrics} unless set. Where it is not {@code /}, an index there
     * names it.
     *
     * @throws IllegalArgumentException if it does not begin with a slash, or has characters that a
     *     path has to encode
     */
    public Builder path(String path) {
      if (!path.matches("/[A-Za-z0-9._~/-]*")) {
        throw new IllegalArgumentException(
            "path: expected a slash and then letters, digits and any of . _ ~ - /, found " + path);
      }
      this.path = path;
      return this;
    }

    /** How metrics become Prometheus' ones; {@link PrometheusOptions#DEFAULT} unless set. */
    public Builder prometheusOptions(PrometheusOptions prometheusOptions) {
      this.prometheusOptions = prometheusOptions;
      return this;
    }

    /**
     * How scrapers are treated: how many at once, how long one waits for others, whether replies
     * are kept for a while, what compresses them. {@link ScrapeHandlerOptions#defaults} unless set.
     * Its problems are replaced by those of {@link #problems}.
     */
    public Builder scrapeOptions(ScrapeHandlerOptions scrapeOptions) {
      this.scrapeOptions = scrapeOptions;
      return this;
    }

    /** Serves over TLS, and over TLS only. Plain HTTP unless set. */
    public Builder tls(Tls tls) {
      this.tls = tls;
      return this;
    }

    /** Wants this user and password for everything that is served. Nobody's unless set. */
    public Builder basicAuthentication(BasicAuthentication basicAuthentication) {
      this.basicAuthentication = basicAuthentication;
      return this;
    }

    /**
     * Takes what goes wrong with metrics, under kinds that begin with {@code prometheus_}, and with
     * requests, under kinds that begin with {@code scrape_}. One that logs, unless set.
     */
    public Builder problems(Problems problems) {
      this.problems = problems;
      return this;
    }

    /** Other limits than those of the class, and a pool that can be looked into. */
    Builder limits(long peerLimitMillis, long closeMillis, ChunkPool chunks) {
      this.peerLimitMillis = peerLimitMillis;
      this.closeMillis = closeMillis;
      this.chunks = chunks;
      return this;
    }

    /**
     * Starts a server. It takes requests when this returns.
     *
     * @param source what it shows; the server does not close it
     * @throws UncheckedIOException if it cannot listen there: the port is taken, or the host is not
     *     an address of this machine; or if a file of TLS or of the password cannot be read
     * @throws IllegalArgumentException if the host is not known, or such a file has something else
     *     than expected
     */
    public PrometheusServer start(MetricSource source) {
      return new PrometheusServer(this, source);
    }

    private InetAddress address() {
      if (host == null) {
        return InetAddress.getLoopbackAddress();
      }
      try {
        return InetAddress.getByName(host);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            "host: expected a name or an address of this machine, found "
                + host
                + ", which nothing resolves; 0.0.0.0 stands for all interfaces",
            e);
      }
    }
  }
}
