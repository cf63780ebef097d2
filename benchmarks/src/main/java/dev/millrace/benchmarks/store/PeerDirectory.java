package dev.millrace.benchmarks.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Another client's directory, scraped by that client. */
final class PeerDirectory implements ScrapedDirectory {
  private final PeerProcess process;

  PeerDirectory(PeerProcess process) throws IOException {
    this.process = process;
    process.ask("open");
  }

  /** It keeps nothing between scrapes, so the first one is as any other. */
  @Override
  public void scrape(StoreCost cost) throws IOException {
    cost.add(process.ask("scrape"), 1);
  }

  @Override
  public byte[] text(Path scratch) throws IOException {
    Path file = scratch.resolve("scrape.txt");
    process.ask("text " + file);
    return Files.readAllBytes(file);
  }

  @Override
  public void close() {
    process.close();
  }
}
