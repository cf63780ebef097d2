package dev.millrace.benchmarks.otlp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** An {@link OtlpReceiver} in a process of its own, so that what it spends is not counted. */
final class ReceiverProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final URI uri;

  ReceiverProcess(OtlpReceiver.Protocol protocol) throws IOException {
    process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                OtlpReceiver.class.getName(),
                protocol.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    uri = OtlpReceiver.uri(Integer.parseInt(answer()));
  }

  /** Where it receives. */
  URI uri() {
    return uri;
  }

  /** Bytes of all requests that have come. */
  long receivedBytes() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return Long.parseLong(answer());
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("expected an answer of the receiver's process, found its end");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
