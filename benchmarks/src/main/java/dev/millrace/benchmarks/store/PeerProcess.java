package dev.millrace.benchmarks.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process of another client, told line by line what to do. It answers each line with the
 * processor time of its process that it took, in nanoseconds, and the bytes that it wrote.
 *
 * <pre>
 *   write N         N processes, which end, write the workload into the directory
 *   write-dead N    writes the files of N processes that ended
 *   open            becomes the process that is scraped
 *   open pair       becomes one that records
 *   scrape          makes the text of all processes
 *   text FILE       the same, into a file
 *   pair N          N times: observes, and increments, in one series that is at hand
 *   lookup N        N times: finds a series by its label values
 * </pre>
 */
final class PeerProcess implements AutoCloseable {
  /** What the Ruby scripts share. */
  private static final String SHARED_SCRIPT = "conversation.rb";

  private final Peer peer;
  private final Process process;
  private final BufferedReader answers;

  private PeerProcess(Peer peer, Process process) {
    this.peer = peer;
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** What a command took. */
  record Answer(long cpuNanos, long writtenBytes) {}

  /**
   * Starts a client's script.
   *
   * @param directory of its files
   * @param scratch an empty folder, for the script and the workload
   */
  static PeerProcess start(Peer peer, Workload workload, Path directory, Path scratch)
      throws IOException {
    Path sets = scratch.resolve("workload.tsv");
    workload.writeTo(sets);
    copy(SHARED_SCRIPT, scratch);
    List<String> command = new ArrayList<>(peer.interpreter());
    command.add(copy(peer.script(), scratch).toString());
    command.add(directory.toString());
    command.add(sets.toString());
    return new PeerProcess(
        peer, new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private static Path copy(String script, Path scratch) throws IOException {
    Path file = scratch.resolve(script);
    try (@Nullable InputStream text = PeerProcess.class.getResourceAsStream(script)) {
      if (text == null) {
        throw new IOException("expected " + script + " beside the class, found none");
      }
      Files.write(file, text.readAllBytes());
    }
    return file;
  }

  /**
   * Has a command done.
   *
   * @throws IOException if the process ends instead; what it says then is on the standard error
   */
  Answer ask(String command) throws IOException {
    process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException(
          peer.contestant() + ": expected an answer to '" + command + "', found its end");
    }
    String[] figures = answer.split(" ", -1);
    return new Answer(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
  }

  @Override
  public void close() {
    process.destroy();
  }
}
