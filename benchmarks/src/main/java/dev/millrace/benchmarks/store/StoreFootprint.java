package dev.millrace.benchmarks.store;

import dev.millrace.benchmarks.HeapUse;
import dev.millrace.benchmarks.RatioTable;
import dev.millrace.benchmarks.scrape.CountingOutputStream;
import dev.millrace.benchmarks.scrape.ScrapeCoding;
import dev.millrace.benchmarks.scrape.ScrapeFormat;
import dev.millrace.benchmarks.scrape.SourceScrape;
import dev.millrace.benchmarks.store.Workload.LabelSet;
import dev.millrace.store.Counter;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import dev.millrace.store.StoreSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How many bytes of its file, of its writer's heap and of its reader's heap a series takes, and how
 * many bytes peers use of their files. One process has written each directory.
 */
public final class StoreFootprint {
  private static final String BLOCK = "StoreFootprint";
  private static final int MANY_SERIES = 100_000;
  private static final int SERIES_A_ROUTE = 20;

  private StoreFootprint() {}

  /**
   * Prints the table, and writes it into a Markdown file.
   *
   * @param arguments the Markdown file, and the peers to measure too
   */
  public static void main(String[] arguments) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("## ").append(BLOCK).append("\n\n");
    text.append("Bytes a series: of its file (with the free end of its last segment), of the");
    text.append(" writer's heap (with the held handle; label values not counted), and of the heap");
    text.append(" of a process that scraped it. Of peers, the used bytes of their files.\n\n");
    text.append("| series | file | writer's heap | reader's heap |");
    List<Peer> peers = Stream.of(arguments).skip(1).map(Peer::of).toList();
    for (Peer peer : peers) {
      text.append(' ').append(peer.contestant()).append(": file |");
    }
    text.append("\n|---|").append("--:|".repeat(3 + peers.size())).append('\n');
    appendRow(text, "histogram of SEED", Workload.SEED, peers);
    appendRow(text, "histogram of BIG", Workload.BIG, peers);
    text.append("| counter with 3 short labels |");
    ours(text, StoreFootprint::recordCounters, MANY_SERIES);
    text.append(" |".repeat(peers.size())).append('\n');
    System.out.println(text);
    Path page = Path.of(arguments[0]);
    String before = Files.exists(page) ? Files.readString(page) : "# Results\n";
    Files.writeString(page, RatioTable.replace(before, BLOCK, text.toString()));
  }

  private interface Recording {
    /** What the application holds on to. */
    Object[] record(MetricStore store);
  }

  private static void appendRow(
      StringBuilder text, String name, Workload workload, List<Peer> peers) throws IOException {
    text.append("| ").append(name).append(" |");
    List<LabelSet> sets = workload.labelSets();
    ours(text, store -> recordHistogram(store, sets), sets.size());
    for (Peer peer : peers) {
      appendFigure(text, (double) usedBytes(peer, workload) / sets.size());
    }
    text.append('\n');
  }

  private static Object[] recordHistogram(MetricStore store, List<LabelSet> sets) {
    Histogram histogram = StoreWriter.histogram(store);
    Object[] held = new Object[sets.size()];
    for (int i = 0; i < held.length; i++) {
      Histogram.Series series = histogram.labels(sets.get(i).database(), sets.get(i).statement());
      for (double value : Workload.observations()) {
        series.observe(value);
      }
      held[i] = series;
    }
    return held;
  }

  private static Object[] recordCounters(MetricStore store) {
    Counter counter =
        store.counter("http_requests_total").labelNames("method", "route", "status").create();
    String[] statuses = new String[SERIES_A_ROUTE];
    for (int i = 0; i < SERIES_A_ROUTE; i++) {
      statuses[i] = Integer.toString(200 + i);
    }
    Object[] held = new Object[MANY_SERIES];
    String route = "";
    for (int i = 0; i < MANY_SERIES; i++) {
      if (i % SERIES_A_ROUTE == 0) {
        route = "/orders/" + i;
      }
      Counter.Series series = counter.labels("GET", route, statuses[i % SERIES_A_ROUTE]);
      series.increment();
      held[i] = series;
    }
    return held;
  }

  private static void ours(StringBuilder text, Recording recording, int seriesCount)
      throws IOException {
    try (ScratchFolder folder = new ScratchFolder()) {
      long before = HeapUse.usedBytes();
      MetricStore store = MetricStore.open(folder.directory());
      Object[] held = recording.record(store);
      long written = HeapUse.usedBytes();
      if (held.length != seriesCount) {
        throw new IllegalStateException(
            "expected " + seriesCount + " series, found " + held.length);
      }
      long fileBytes = fileBytes(folder.directory());
      store.close();
      long closed = HeapUse.usedBytes();
      try (StoreSource source = StoreSource.of(folder.directory());
          SourceScrape scrape =
              new SourceScrape(source, ScrapeFormat.TEXT, ScrapeCoding.IDENTITY)) {
        scrape.run(new CountingOutputStream());
        long read = HeapUse.usedBytes();
        appendFigure(text, (double) fileBytes / seriesCount);
        appendFigure(text, (double) (written - before) / seriesCount);
        appendFigure(text, (double) (read - closed) / seriesCount);
      }
    }
  }

  private static void appendFigure(StringBuilder text, double bytes) {
    text.append(String.format(Locale.ROOT, " %,.0f |", bytes));
  }

  private static long fileBytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : files(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  /** Their files begin with how much of them is used. */
  private static long usedBytes(Peer peer, Workload workload) throws IOException {
    try (ScratchFolder folder = new ScratchFolder()) {
      try (PeerProcess process =
          PeerProcess.start(peer, workload, folder.directory(), folder.path())) {
        process.ask("write 1");
      }
      long used = 0;
      for (Path file : files(folder.directory())) {
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(file)) {
          channel.read(head, 0);
        }
        used += head.getInt(0);
      }
      return used;
    }
  }
}
